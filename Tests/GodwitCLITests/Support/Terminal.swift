import Libc
import Foundation
import GodwitTestSupport
import Testing

/// A pseudo terminal that runs the command: its output is kept, and drawn as a terminal would.
final class Terminal {
    struct End {
        let code: Int32
        let died: Bool
    }

    private var master: Int32
    private let process = Process()
    /// Everything written so far.
    private(set) var written = ""
    private var pending: [UInt8] = []

    /// Starts the command on a new terminal of this size.
    init(
        _ arguments: [String], columns: UInt16 = 100, rows: UInt16 = 50, environment: [String: String],
        directory: String
    ) throws {
        let (opened, name) = try Self.openMaster()
        master = opened
        let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        process.executableURL = URL(filePath: try Executable.path())
        process.arguments = arguments
        process.environment = ["TERM": "xterm-256color", "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        process.currentDirectoryURL = URL(filePath: directory)
        let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        resize(columns: columns, rows: rows)
        try StopSignals.unblocked { try process.run() }
        try handle.close()
    }

    /// A new pseudo terminal: the descriptor of the controlling side, and the name of the command's side.
    private static func openMaster() throws -> (master: Int32, name: String) {
        #if canImport(Darwin)
            let master = posix_openpt(O_RDWR | O_NOCTTY)
            try #require(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0)
            return (master, try #require(ptsname(master).map { String(cString: $0) }))
        #else
            // What posix_openpt(3) and its related functions do, which Swift can't import there: ioctl_tty(2).
            let (getNumber, setLock): (UInt, UInt) = (0x8004_5430, 0x4004_5431)
            let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (number, unlocked): (UInt32, Int32) = (0, 0)
            try #require(
                master >= 0 && ioctl(master, setLock, &unlocked) == 0 && ioctl(master, getNumber, &number) == 0)
            return (master, "/dev/pts/\(number)")
        #endif
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        hangUp()
    }

    func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    var identifier: Int32 { process.processIdentifier }

    /// Changes the size of the window.
    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Reads until the output so far meets a condition.
    func wait(
        for what: String, sourceLocation: SourceLocation = #_sourceLocation, until isDone: (Terminal) -> Bool
    ) throws {
        let end = ContinuousClock.now + .hangGuard
        while !isDone(self) {
            read()
            guard ContinuousClock.now < end, process.isRunning || isDone(self) else {
                Issue.record("\(what) never came: \(screen.joined(separator: "\n"))", sourceLocation: sourceLocation)
                throw CancellationError()
            }
            usleep(10_000)
        }
    }

    /// Reads to the end.
    func finish() -> End {
        let end = ContinuousClock.now + .hangGuard
        // Unread output would keep the command from ending.
        while process.isRunning, ContinuousClock.now < end {
            read()
            usleep(10_000)
        }
        if process.isRunning { send(SIGKILL) }
        process.waitUntilExit()
        read()
        return End(code: process.terminationStatus, died: process.terminationReason == .uncaughtSignal)
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Libc.read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            pending += buffer[..<count]
        }
        // A character whose bytes are incomplete waits for the rest.
        guard let text = String(validating: pending, as: UTF8.self) else { return }
        // The terminal puts a carriage return before each line feed, even after another one.
        written += text.replacing("\r\r\n", with: "\r\n")
        pending = []
    }

    // MARK: What it looks like

    /// The rows of the last complete frame as they are displayed, without trailing spaces.
    var screen: [String] {
        guard let end = written.range(of: "\u{1b}[?2026l", options: .backwards) else { return [] }
        let head = written[..<end.lowerBound]
        guard let start = head.range(of: "\u{1b}[?2026h\u{1b}[H", options: .backwards) else { return [] }
        // Every frame draws every row, so the last one is all that can be seen.
        return head[start.upperBound...].split(separator: "\r\n", omittingEmptySubsequences: false).map { row in
            let plain = row.replacing(/\u{1b}\[[0-9;?]*[A-Za-z]/, with: "")
            return String(plain.reversed().drop { $0 == " " }.reversed())
        }
    }

    func shows(_ text: String) -> Bool { screen.contains { $0.contains(text) } }

    /// Whether all modes that were switched on are off again, with no output after that.
    var isClean: Bool {
        let modes = ["?1049": "l", "?25": "h", "?2026": "l"]
        return modes.allSatisfy { mode, off in
            let last = written.matches(of: /\u{1b}\[(\?[0-9]+)([hl])/).last { $0.output.1 == mode }
            return last.map { $0.output.2 == off } ?? false
        }
    }
}
