/// A clock that was set by hand, as a report names it: its dates are not those of the system's clock.
public struct SetClock: Sendable, Codable, Hashable {
    /// What can set the clock.
    public enum Source: String, Sendable, Codable, CaseIterable {
        /// `--now`, or `now` of the library's options.
        case now
        /// The environment variable of <https://reproducible-builds.org/specs/source-date-epoch/>; exports only.
        case sourceDateEpoch
    }

    /// What set it.
    public var setBy: Source
    /// The time that it was set to.
    public var time: Instant

    /// A clock that was set.
    public init(setBy: Source, time: Instant) {
        self.setBy = setBy
        self.time = time
    }
}
