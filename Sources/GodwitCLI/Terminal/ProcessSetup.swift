internal import Godwit
internal import Libc
internal import CSystemShim

/// Prepares the process before anything else.
enum ProcessSetup {
    /// Set by SIGINT, SIGTERM and SIGHUP; every command passes it to the pipeline.
    static let cancellation = Cancellation()

    /// Opens closed standard descriptors; otherwise the next opened file would get such a descriptor, and messages
    /// would be written into it.
    ///
    /// All are opened only for reading: a result for a closed output must fail, not disappear.
    static func reopenClosedDescriptors() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Turns a closed pipe and a file-size limit into errors of the call, instead of signals that kill the process.
    static func turnSignalsIntoErrors() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Returns the memory of sorted records to the system at once, because the limit on memory counts free blocks too.
    static func returnMemoryEarly() { godwit_give_back_large_blocks() }

    /// Throws (74) if fewer than 40 further files can be opened: libdispatch, which runs SQLite's queue, crashes
    /// without a descriptor.
    ///
    /// A run with two stores in WAL mode has about two dozen files open: each store, its clone and both `-wal` files,
    /// and while SQLite has locks on a store, every other descriptor of it (`OpenStoreGuard`).
    static func requireDescriptors() throws {
        let probes = (0..<40).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) }
        let failure = errno
        let isEnough = probes.allSatisfy { $0 >= 0 }
        for probe in probes where probe >= 0 { close(probe) }
        guard !isEnough else { return }
        throw GodwitError(
            .container, .io, "too few files can be opened: at least 40 more are required",
            hint: "Raise the limit (`ulimit -n 64`), then run the same command again.",
            underlying: String(cString: strerror(failure)))
    }

    /// Throws (64) if a word of the command line, or a variable with a path, is not UTF-8: Swift would replace
    /// characters, and Godwit would read or create a file with another name.
    static func requireReadableWords() throws {
        for (number, word) in CommandLine.unsafeArguments.enumerated() where !isReadable(word) {
            throw unreadable("argument \(number + 1)")
        }
        for name in ["GODWIT_MANIFEST", "GODWIT_CONTAINER", "TMPDIR"] where !isReadable(getenv(name)) {
            throw unreadable("the variable \(name)")
        }
    }

    private static func isReadable(_ word: UnsafeMutablePointer<CChar>?) -> Bool {
        word.map { String(validatingCString: $0) != nil } ?? true
    }

    private static func unreadable(_ what: String) -> GodwitError {
        GodwitError(
            .manifest, .usage, "\(what) is not UTF-8",
            hint: "Give the file or folder a name in UTF-8.")
    }

    /// Handles SIGINT, SIGTERM and SIGHUP; a handler only stores a number, because nothing else is safe in it.
    ///
    /// Closing a terminal sends SIGHUP, which ends a command as SIGTERM does; under `nohup` it does not.
    static func cancelOnSignals() {
        _ = cancellation
        signal(SIGINT) { _ in ProcessSetup.cancellation.cancel(.interrupted) }
        signal(SIGTERM) { _ in ProcessSetup.cancellation.cancel(.terminated) }
        var hangUp = sigaction()
        sigaction(SIGHUP, nil, &hangUp)
        if !isIgnored(hangUp) { signal(SIGHUP) { _ in ProcessSetup.cancellation.cancel(.terminated) } }
        // The parent process may have blocked the signals; a blocked signal never arrives. A fleet blocks them for its
        // workers, because an early signal would kill a worker.
        var all = sigset_t()
        sigemptyset(&all)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&all, number) }
        pthread_sigmask(SIG_UNBLOCK, &all, nil)
    }

    static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #elseif canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sa_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The folder of relative paths, by the name that the shell has for it: links stay unresolved.
    static var currentFolder: String {
        if let shown = environment("PWD"), shown.hasPrefix("/"), leads(shown, to: ".") { return shown }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        return getcwd(&buffer, buffer.count).map { String(cString: $0) } ?? "/"
    }

    static func isFolder(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
    }

    /// The file of this program; nil if the system does not provide it.
    static var program: String? {
        #if canImport(Darwin)
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            guard godwit_executable_path(&buffer, UInt32(buffer.count)) == 0 else { return nil }
            return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
        #else
            guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
            defer { free(resolved) }
            return String(validatingCString: resolved)
        #endif
    }

    /// The name by which this program was called, from `/`; nil if it does not refer to this file.
    ///
    /// A package manager keeps the name, `/usr/local/bin/godwit`, and replaces its file with an upgrade; a later call
    /// must use the name. Folders are searched as a shell does (POSIX, `PATH`), except the current one. A name with a
    /// slash is relative to the current folder.
    static var calledName: String? {
        guard let program, let word = CommandLine.arguments.first, !word.isEmpty else { return nil }
        let isPath = word.utf8.contains(UInt8(ascii: "/"))
        let folders = isPath ? [] : (environment("PATH") ?? "").split(separator: ":").map(String.init)
        let names =
            isPath
            ? [CommandLineText.absolute(word, from: currentFolder)]
            : folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(word)" }
        return names.first { leads($0, to: program) }
    }

    private static func leads(_ name: String, to program: String) -> Bool {
        var (one, other) = (stat(), stat())
        guard stat(name, &one) == 0, stat(program, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }

    /// The name of the user of this process; nil for none.
    static var user: String? { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// An environment variable; nil if it is not set or empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// An environment variable, also if it is empty; nil if it is not set.
    static func rawEnvironment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Columns of the terminal on standard output; 80 if it is not a terminal.
    static var terminalWidth: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return min(Int(size.ws_col), 120)
    }

    /// Writes to standard error; a failure is ignored.
    static func writeError(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

extension CommandLine {
    /// The words after the command's own name, unchanged from the system.
    fileprivate static var unsafeArguments: [UnsafeMutablePointer<CChar>?] {
        argc > 1 ? (1..<Int(argc)).map { unsafeArgv[$0] } : []
    }
}
