package import GodwitModel

/// The time of a copy's receipt, which tells a local record that was copied from one that was written after the copy.
package struct CopyMark: Sendable {
    /// When the copy was made, by its receipt.
    let since: Instant
    /// The time of the command: a date more than five minutes ahead of it does not say when a record was written.
    let now: Instant

    package init(since: Instant, now: Instant) { (self.since, self.now) = (since, now) }

    /// What the date of a local record says.
    enum Reading {
        /// It was in the local store when the copy was made.
        case covered
        /// It was written after the copy.
        case later
        /// Nothing: there is no date, it is ahead of the clock, or it is a whole second, that of the copy.
        case unclear
    }

    func reading(of date: Instant?) -> Reading {
        guard let date, !isAhead(date), !isOfCopySecond(date) else { return .unclear }
        return date > since ? .later : .covered
    }

    /// Whether a record of this date may have been written after the copy, where what is in doubt counts as written.
    package func mayBeLater(_ date: Instant) -> Bool { !isAhead(date) && (date > since || isOfCopySecond(date)) }

    /// Whether a date is more than five minutes ahead of the clock.
    package func isAhead(_ date: Instant) -> Bool { date > now.advanced(bySeconds: 300) }

    /// A date of whole seconds may be of the copy's own second, and yet after it.
    private func isOfCopySecond(_ date: Instant) -> Bool { date.attoseconds == 0 && date.seconds == since.seconds }
}
