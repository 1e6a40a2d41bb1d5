internal import Godwit
internal import Libc
internal import CSystemShim

/// What the process settles before anything else.
enum ProcessSetup {
    /// Raised by SIGINT, SIGTERM and SIGHUP; every command hands it to the pipeline.
    static let cancellation = Cancellation()

    /// A closed standard descriptor would be given to the next file that is opened, and messages written into it.
    ///
    /// All are opened for reading only: a result that is written to a closed output must fail, not vanish.
    static func reopenClosedDescriptors() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// A closed pipe and a file-size limit are errors of the call that met them, not deaths.
    static func turnSignalsIntoErrors() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// What sorted records took is not to be kept for what may come: the bound on memory counts both.
    static func returnMemoryEarly() { godwit_give_back_large_blocks() }

    /// Throws (74) where fewer than forty further files can be opened: libdispatch, which SQLite's queue runs on, dies of a
    /// signal when it gets no descriptor.
    ///
    /// A run of two stores in WAL mode has about two dozen open: each store, its clone and the logs of both, and for as long
    /// as SQLite has locks on a store, with any other descriptor of it open (`OpenStoreGuard`).
    static func requireDescriptors() throws {
        let probes = (0..<40).map { _ in fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) }
        let failure = errno
        let isEnough = probes.allSatisfy { $0 >= 0 }
        for probe in probes where probe >= 0 { close(probe) }
        guard !isEnough else { return }
        throw GodwitError(
            .container, .io, "Too few files can be opened: there is no room for 40 more.",
            hint: "Raise the limit (ulimit -n 64) and run the same command again.",
            underlying: String(cString: strerror(failure)))
    }

    /// Throws (64) where a word of the command line, or a variable that names a path, is not UTF-8: Swift would put other
    /// characters in its place, and Godwit would look for, or make, a file of another name.
    static func requireReadableWords() throws {
        for (number, word) in CommandLine.unsafeArguments.enumerated() where !isReadable(word) {
            throw unreadable("Argument \(number + 1)")
        }
        for name in ["GODWIT_MANIFEST", "GODWIT_CONTAINER", "TMPDIR"] where !isReadable(getenv(name)) {
            throw unreadable("The variable \(name)")
        }
    }

    private static func isReadable(_ word: UnsafeMutablePointer<CChar>?) -> Bool {
        word.map { String(validatingCString: $0) != nil } ?? true
    }

    private static func unreadable(_ what: String) -> GodwitError {
        GodwitError(
            .manifest, .usage, "\(what) is not UTF-8.",
            hint: "Rename the file or folder it names: Godwit handles names that are UTF-8.")
    }

    /// The handler only stores a number, which is all a handler may safely do.
    ///
    /// A terminal that is closed sends SIGHUP, and ends a command just as SIGTERM does; under `nohup` it does not.
    static func cancelOnSignals() {
        _ = cancellation
        signal(SIGINT) { _ in ProcessSetup.cancellation.cancel(.interrupted) }
        signal(SIGTERM) { _ in ProcessSetup.cancellation.cancel(.terminated) }
        var hangUp = sigaction()
        sigaction(SIGHUP, nil, &hangUp)
        if !isIgnored(hangUp) { signal(SIGHUP) { _ in ProcessSetup.cancellation.cancel(.terminated) } }
        // Whoever started this process may have blocked them; a blocked signal never arrives. A fleet does so with its
        // workers, whom one that comes too early would kill.
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

    /// The folder that relative paths are taken from, under the name that the shell knows it by: links in it stay.
    static var currentFolder: String {
        if let shown = environment("PWD"), shown.hasPrefix("/"), leads(shown, to: ".") { return shown }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        return getcwd(&buffer, buffer.count).map { String(cString: $0) } ?? "/"
    }

    /// Whether a path is a folder.
    static func isFolder(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR
    }

    /// This very program's file; nil where the system does not tell.
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

    /// The name that this program was called by, from `/`; nil where that does not lead to this very file.
    ///
    /// A package manager keeps the name, `/usr/local/bin/godwit`, and takes the file behind it away with an upgrade: what is
    /// to be called tomorrow is the name. Folders are looked through as a shell does (POSIX, `PATH`), but not the current one;
    /// a name with a slash counts from there.
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

    /// The name of the user this process runs as; nil where it has none.
    static var user: String? { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// An environment variable; nil where it is unset or empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// An environment variable, also where it is empty; nil where it is unset.
    static func rawEnvironment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Columns of the terminal on standard output; 80 where it is none.
    static var terminalWidth: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return min(Int(size.ws_col), 120)
    }

    /// Writes to standard error; there is nobody to tell if that fails.
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
    /// The words behind the command's own name as the system handed them over.
    fileprivate static var unsafeArguments: [UnsafeMutablePointer<CChar>?] {
        argc > 1 ? (1..<Int(argc)).map { unsafeArgv[$0] } : []
    }
}
