package import GodwitModel

/// The time of a copy's receipt; it distinguishes copied local records from those that were written after the copy.
package struct CopyMark: Sendable {
    /// The time of the copy, from its receipt.
    let since: Instant
    /// The time of the command; a date more than five minutes later does not show when a record was written.
    let now: Instant

    package init(since: Instant, now: Instant) { (self.since, self.now) = (since, now) }

    /// The meaning of a local record's date.
    enum Reading {
        /// It was in the local store when the copy was made.
        case covered
        case later
        /// No meaning: there is no date, it is in the future, or it is the whole second of the copy.
        case unclear
    }

    func reading(of date: Instant?) -> Reading {
        guard let date, !isAhead(date), !isOfCopySecond(date) else { return .unclear }
        return date > since ? .later : .covered
    }

    /// Whether a record with this date may have been written after the copy; yes in case of doubt.
    package func mayBeLater(_ date: Instant) -> Bool { !isAhead(date) && (date > since || isOfCopySecond(date)) }

    /// Whether a date is more than five minutes in the future.
    package func isAhead(_ date: Instant) -> Bool { date > now.advanced(bySeconds: 300) }

    /// A date without a fraction may be in the copy's own second, and yet after it.
    private func isOfCopySecond(_ date: Instant) -> Bool { date.attoseconds == 0 && date.seconds == since.seconds }
}
