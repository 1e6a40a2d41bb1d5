internal import GodwitFiles
package import GodwitModel
internal import FoundationLite
internal import Libc
internal import Dispatch

/// The worker's side: reads a line for each container from standard input, and writes two lines to standard output: its
/// entry and its report.
///
/// The first line that it writes is the digest of its settings. It ends when its input ends. If that happens during a
/// container, the parent process has died, and the work is rolled back because no one would receive the result.
package enum WorkerLoop {
    /// Works until the input ends.
    package static func serve(
        _ work: ContainerWork, settings: String, cancellation: Cancellation
    ) throws(GodwitError) {
        try StandardOutput.write(Array(settings.utf8) + [0x0A], stage: .fleet)
        watchInput(cancellation)
        var orders = LineReader(file: try OpenFile(standardInput: .fleet))
        while let line = try orders.next(), !cancellation.isCancelled {
            guard let order = try? JSONDecoder().decode(WorkerOrder.self, from: Data(line.bytes)) else {
                throw GodwitError(.fleet, .usage, "only `--all` can start a worker", hint: "Remove the flag.")
            }
            let result = work.perform(
                order.container, at: order.path, since: order.since, cancellation: cancellation)
            let lines = ContainerResult.json(result.entry) + [0x0A] + result.report + [0x0A]
            // Without a reader there is no one to report to, not even this error.
            do throws(GodwitError) { try StandardOutput.write(lines, stage: .fleet) } catch { return }
        }
    }

    /// Cancels the work as soon as standard input has no writer.
    private static func watchInput(_ cancellation: Cancellation) {
        DispatchQueue.global().async {
            var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
            while poll(&input, 1, 1_000) <= 0 { input.revents = 0 }
            cancellation.cancel(.terminated)
        }
    }
}
