import Libc

/// Reports the state of the service to systemd; does nothing without a notification socket.
///
/// Source: `sd_notify(3)`, <https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html>: one datagram of
/// lines to the socket in `NOTIFY_SOCKET`, which is a path or, after an `@`, an abstract name.
package struct SupervisorSocket: Sendable {
    private let name: [UInt8]?
    /// Milliseconds within which the supervisor expects a message; nil without a watchdog.
    package let watchdogMilliseconds: Int64?

    /// Reads the environment.
    ///
    /// - Parameters:
    ///   - environment: The value of a variable; nil if it is not set.
    ///   - process: The identifier of this process, because the watchdog may be for another one.
    package init(environment: (String) -> String?, process: Int32) {
        let socket = environment("NOTIFY_SOCKET").map { Array($0.utf8) } ?? []
        // A path must be absolute; 108 bytes hold the name and its terminator.
        name = (2...107).contains(socket.count) && [0x2F, 0x40].contains(socket[0]) ? socket : nil
        let isForOther = environment("WATCHDOG_PID").map { $0 != "\(process)" } ?? false
        let span = environment("WATCHDOG_USEC").flatMap(Int64.init) ?? 0
        watchdogMilliseconds = name != nil && !isForOther && span >= 1000 ? span / 1000 : nil
    }

    /// Reports that the service reads its configuration again; `READY=1` ends that state.
    package func sendReloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1", "MONOTONIC_USEC=\(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)")
    }

    /// Sends lines such as `READY=1`; a failure is ignored, because there is no one to report it to.
    package func send(_ lines: String...) {
        guard let name else { return }
        #if canImport(Darwin)
            let kind = SOCK_DGRAM
        #elseif canImport(Glibc)
            let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_DGRAM | SOCK_CLOEXEC
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: name.prefix(path.count - 1))
            // An abstract name begins with a zero byte.
            if name[0] == 0x40 { path[0] = 0 }
        }
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + name.count } ?? 0
        let message = Array(lines.joined(separator: "\n").utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, 0, $0, socklen_t(length))
            }
        }
    }
}
