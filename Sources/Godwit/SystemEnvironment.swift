internal import GodwitModel
internal import Libc

/// The world's clock and source of identifiers; everything else gets them handed in.
enum SystemEnvironment {
    /// The time now, in whole milliseconds.
    ///
    /// Rounded down, so that no text of it, nor of anything earlier, is later than it.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// A random UUID, version 4, upper case: RFC 9562.
    static func makeIdentifier() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            let digits = String(byte, radix: 16, uppercase: true)
            text += digits.count == 1 ? "0" + digits : digits
        }
        return text
    }

    /// The directory this process calls home.
    static var home: String { variable("HOME") ?? "." }

    /// The home of a process that is in a sandbox: the container of its app.
    ///
    /// Throws (64) without a sandbox: the home is then the user's, and a run would lock it, and take all that is in it for
    /// the app's.
    ///
    /// - Parameter identifier: macOS gives it to a process in a sandbox, and to no other.
    static func sandbox(
        _ identifier: String? = variable("APP_SANDBOX_CONTAINER_ID")
    ) throws(GodwitError) -> String {
        #if canImport(Darwin) && !os(macOS)
            return home
        #else
            guard identifier == nil else { return home }
            throw GodwitError(
                .container, .usage, "this process is not in a sandbox, so its home is not the container of an app",
                hint: "Name the folder with the data of the app: `.directory(url)`.")
        #endif
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
