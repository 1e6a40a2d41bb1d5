internal import GodwitModel

extension SetClock {
    /// `clock set to 2026-11-21 06:00:00 UTC by --now`.
    var phrase: String { "clock set to \(value)" }

    /// `2026-11-21 06:00:00 UTC by --now`.
    var value: String {
        switch setBy {
        case .now: "\(time.readable) by --now"
        case .sourceDateEpoch: "\(time.readable) by SOURCE_DATE_EPOCH"
        }
    }
}

extension TextPage {
    /// Adds a line that names the clock, if it was set by hand.
    mutating func add(clock: SetClock?, indent: Int = 2) {
        if let clock { add(TextLine(indent: indent, .item, clock.phrase, .faint)) }
    }
}
