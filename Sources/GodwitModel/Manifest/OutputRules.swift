/// How a copy records that it is complete.
package struct CopyRules: Sendable {
    /// The completion flag's key in the first preferences file.
    package let flag: String

    package init(flag: String = "cloudMigrationDone") { self.flag = flag }
}

/// The app's own setting for sync.
package struct SyncRules: Sendable {
    /// The legacy key that says whether sync is on; nil if the manifest names none.
    package let enabledKey: String?

    package init(enabledKey: String? = nil) { self.enabledKey = enabledKey }
}

/// The version of exports and the ages from which they are stale.
package struct ExportRules: Sendable {
    package let schemaVersion: Int
    /// Age of the newest record from which the verdict is `warn`.
    package let warnAfter: Span?
    /// Age of the newest record from which the verdict is `error`.
    package let errorAfter: Span?

    package init(schemaVersion: Int = 1, warnAfter: Span? = nil, errorAfter: Span? = nil) {
        (self.schemaVersion, self.warnAfter, self.errorAfter) = (schemaVersion, warnAfter, errorAfter)
    }
}

/// A length of time as the user writes it: `30s`, `5m`, `12h`, `7d`, `500ms`.
package struct Span: Sendable, Hashable, CustomStringConvertible {
    /// The length in milliseconds.
    package let milliseconds: Int64
    /// The text from which it was read.
    package let description: String

    /// Reads a whole number followed by `ms`, `s`, `m`, `h` or `d`; nil for other text and for more than 100 years.
    package init?(_ text: String) {
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

    /// The hint for text that is not a length of time.
    package static let form = "Write a whole number and a unit (`ms`, `s`, `m`, `h` or `d`), such as `90s` or `12h`."

    private init(milliseconds: Int64, description: String) {
        (self.milliseconds, self.description) = (milliseconds, description)
    }

    /// Default time that a run waits for a lock.
    package static let thirtySeconds = Span(milliseconds: 30_000, description: "30s")

    /// Default interval between scheduled exports.
    package static let oneHour = Span(milliseconds: 3_600_000, description: "1h")

    /// The length in whole seconds, rounded down.
    package var seconds: Int64 { milliseconds / 1000 }
}
