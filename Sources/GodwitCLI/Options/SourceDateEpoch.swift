import ArgumentParser
import Godwit

/// The time in `SOURCE_DATE_EPOCH`, <https://reproducible-builds.org/specs/source-date-epoch/>.
///
/// Build environments set it by default, so only exports use it. A command that dates users' data uses the clock:
/// records with the variable's time would lose every merge.
enum SourceDateEpoch {
    private static let name = "SOURCE_DATE_EPOCH"

    static var isSet: Bool { ProcessSetup.environment(name) != nil }

    /// The time; nil if the variable is not set, or is not a second from 1970 to 9999.
    ///
    /// Larger numbers are most likely milliseconds.
    static var time: Instant? {
        guard let seconds = ProcessSetup.environment(name).flatMap(Int64.init),
            (0...253_402_300_799).contains(seconds)
        else { return nil }
        return Instant(seconds: seconds)
    }

    /// Throws (64) if the variable is set but is not a time.
    static func validate() throws {
        guard isSet, time == nil else { return }
        throw ValidationError("\(name) is not a number of seconds since 1970 in a year up to 9999")
    }
}
