internal import GodwitFiles
package import GodwitModel
internal import FoundationLite
internal import Libc
internal import Dispatch

/// A worker's side: a line for each container comes from standard input, and two lines go to standard output: its entry, its report.
///
/// Its first line says what it was started with. It ends when its input does; where that happens in the middle of a
/// container, whoever started it has died, and what it is at is rolled back: nobody would know of it.
package enum WorkerLoop {
    /// Works until there is nothing more to do.
    package static func serve(
        _ work: ContainerWork, settings: String, cancellation: Cancellation
    ) throws(GodwitError) {
        try StandardOutput.write(Array(settings.utf8) + [0x0A], stage: .fleet)
        watchInput(cancellation)
        var orders = LineReader(file: try OpenFile(standardInput: .fleet))
        while let line = try orders.next(), !cancellation.isCancelled {
            guard let order = try? JSONDecoder().decode(WorkerOrder.self, from: Data(line.bytes)) else {
                throw GodwitError(.fleet, .usage, "A worker is started by `--all` alone.", hint: "Leave the flag out.")
            }
            let result = work.perform(
                order.container, at: order.path, since: order.since, cancellation: cancellation)
            let lines = ContainerResult.json(result.entry) + [0x0A] + result.report + [0x0A]
            // Nobody is there any more to be told, not even that.
            do throws(GodwitError) { try StandardOutput.write(lines, stage: .fleet) } catch { return }
        }
    }

    /// Cancels what is at work as soon as nobody is left who could write to standard input.
    private static func watchInput(_ cancellation: Cancellation) {
        DispatchQueue.global().async {
            var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
            while poll(&input, 1, 1_000) <= 0 { input.revents = 0 }
            cancellation.cancel(.terminated)
        }
    }
}
