internal import GodwitFiles
internal import GodwitModel
internal import Libc
internal import CSystemShim

/// Owns a child process and the pipes to it.
///
/// Invariant: a child is waited for exactly once; before that its input is closed, which ends it.
struct ChildProcess: ~Copyable {
    private var number: pid_t
    private var input: Int32
    private var output: Int32
    private var pending: [UInt8] = []
    private var searched = 0
    private var isAsked = false

    /// Starts a program; the first word is its name.
    init(_ program: String, _ words: [String]) throws(GodwitError) {
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        (input, output) = (-1, -1)
        number = godwit_start(program, &arguments, &input, &output)
        guard number > 0 else { throw .system("start", program, errno: errno, stage: .fleet) }
    }

    deinit {
        guard number > 0 else { return }
        close(input)
        close(output)
        var status: Int32 = 0
        _ = retryingInterrupts { waitpid(number, &status, 0) }
    }

    /// Asks the child to end; it rolls back its work.
    private mutating func terminate() {
        kill(number, SIGTERM)
        // A stopped process receives SIGTERM only after SIGCONT.
        kill(number, SIGCONT)
        isAsked = true
    }

    /// Writes a line to the child; false if the child has ended.
    func write(_ line: [UInt8]) -> Bool {
        var rest = line[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                retryingInterrupts { Libc.write(input, bytes.baseAddress, bytes.count) }
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads the child's next line without its newline; nil if the child has ended or wrote a line longer than any
    /// report.
    ///
    /// - Parameter isToEnd: Called repeatedly while there is no line; if true, the child is asked once to end.
    mutating func readLine(isToEnd: () -> Bool) -> [UInt8]? {
        while true {
            if let end = pending[searched...].firstIndex(of: 0x0A) {
                let line = Array(pending[..<end])
                pending.removeSubrange(...end)
                searched = 0
                return line
            }
            searched = pending.count
            guard pending.count <= LineReader.maxLineBytes else { return nil }
            if !isAsked, isToEnd() { terminate() }
            var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 100) > 0 else { continue }
            guard fill() else { return nil }
        }
    }

    private mutating func fill() -> Bool {
        let (before, room) = (pending.count, 1 << 16)
        pending.append(contentsOf: repeatElement(0, count: room))
        let count = pending.withUnsafeMutableBytes { buffer in
            retryingInterrupts { read(output, buffer.baseAddress.map { $0 + before }, room) }
        }
        pending.removeLast(room - max(0, count))
        return count > 0
    }

    /// Waits for the child's end; returns the reason in words, and the exit code if it has one.
    mutating func end() -> (words: String, code: Int32?) {
        close(input)
        close(output)
        var status: Int32 = 0
        let waited = retryingInterrupts { waitpid(number, &status, 0) }
        defer { number = 0 }
        guard waited == number else { return ("ended", nil) }
        let signal = status & 0x7F
        guard signal != 0 else {
            let code = (status >> 8) & 0xFF
            return ("ended with exit code \(code)", code)
        }
        let name = strsignal(signal).map { String(cString: $0) } ?? "?"
        return ("died of signal \(signal) (\(name))", nil)
    }
}
