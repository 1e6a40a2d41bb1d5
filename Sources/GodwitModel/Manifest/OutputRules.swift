/// How the copy marks itself done.
package struct CopyRules: Sendable {
    /// The boolean in the first preferences file.
    package let flag: String

    package init(flag: String = "cloudMigrationDone") { self.flag = flag }
}

/// How the app's own switch for sync is called.
package struct SyncRules: Sendable {
    /// The preference that says whether sync is on; nil where the manifest names none.
    package let enabledKey: String?

    package init(enabledKey: String? = nil) { self.enabledKey = enabledKey }
}

/// What an export is called and when it counts as old.
package struct ExportRules: Sendable {
    package let schemaVersion: Int
    /// Age of the newest record from which an export is `warn`.
    package let warnAfter: Span?
    /// Age of the newest record from which an export is `error`.
    package let errorAfter: Span?

    package init(schemaVersion: Int = 1, warnAfter: Span? = nil, errorAfter: Span? = nil) {
        self.schemaVersion = schemaVersion
        self.warnAfter = warnAfter
        self.errorAfter = errorAfter
    }
}

/// A length of time as people write it: `30s`, `5m`, `12h`, `7d`, `500ms`.
public struct Span: Sendable, Hashable, CustomStringConvertible {
    /// The length in milliseconds.
    public let milliseconds: Int64
    /// The text it was read from.
    public let description: String

    /// Reads a whole number followed by `ms`, `s`, `m`, `h` or `d`; nil for anything else and beyond 100 years.
    public init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let scale: Int64? =
            switch text.dropFirst(digits.count) {
            case "ms": 1
            case "s": 1000
            case "m": 60_000
            case "h": 3_600_000
            case "d": 86_400_000
            default: nil
            }
        guard let scale, let number = Int64(digits), number <= 3_155_760_000_000 / scale else { return nil }
        milliseconds = number * scale
        description = text
    }

    /// What to write, as a hint.
    package static let form = "Write a whole number and a unit (`ms`, `s`, `m`, `h` or `d`), such as `90s` or `12h`."

    private init(milliseconds: Int64, description: String) {
        self.milliseconds = milliseconds
        self.description = description
    }

    /// How long a run waits for a lock where nothing else is said.
    public static let thirtySeconds = Span(milliseconds: 30_000, description: "30s")

    /// How often a scheduler exports where nothing else is said.
    package static let oneHour = Span(milliseconds: 3_600_000, description: "1h")

    /// The length in whole seconds, rounded down.
    public var seconds: Int64 { milliseconds / 1000 }
}
