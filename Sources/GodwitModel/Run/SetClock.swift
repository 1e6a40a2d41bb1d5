/// A clock that was set by an option, as reports name it.
package struct SetClock: Sendable, Codable, Hashable {
    /// What can set the clock.
    package enum Source: String, Sendable, Codable, CaseIterable {
        /// `--now`, or `now` in the library's options.
        case now
        /// The environment variable of <https://reproducible-builds.org/specs/source-date-epoch/>; only for exports.
        case sourceDateEpoch
    }

    /// What set it.
    package var setBy: Source
    /// The time to which it was set.
    package var time: Instant

    /// A clock that was set.
    package init(setBy: Source, time: Instant) {
        (self.setBy, self.time) = (setBy, time)
    }
}
