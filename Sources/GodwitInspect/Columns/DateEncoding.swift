internal import GodwitModel

/// Determines the encoding of dates in a column of numbers from their range.
///
/// Seconds since 2001, as Core Data and property lists count, stay below 900 million until July 2029. Seconds since
/// 1970 have been above that since July 1998. Milliseconds are a thousand times as many.
enum DateEncoding {
    /// The encoding of numbers in a column whose name or type is one for dates; nil if no encoding fits.
    ///
    /// - Parameter isDeclared: Whether the column's type is one for dates: then any range is accepted, including
    ///   distant dates.
    static func guess(_ numbers: NumberTally, isDeclared: Bool) -> InstantEncoding? {
        guard numbers.hasRange else { return isDeclared ? .coreData : nil }
        let (low, high) = (numbers.lowest, numbers.highest)
        if low >= 1e11, high < 1e14 { return .unixMilliseconds }
        if low >= 9e8, high < 1e10 { return .unixSeconds }
        if low >= 1e8, high < 9e8 { return .coreData }
        // With a distant past or future in the column, the highest number decides.
        guard isDeclared else { return nil }
        if high < 9e8 { return .coreData }
        return high < 1e11 ? .unixSeconds : .unixMilliseconds
    }

    static func isDeclared(_ type: String) -> Bool {
        let type = type.lowercased()
        return type.contains("date") || type.contains("timestamp")
    }

    static func instant(_ number: Double, _ encoding: InstantEncoding) -> Instant? {
        Instant(.real(number), as: encoding)
    }
}
