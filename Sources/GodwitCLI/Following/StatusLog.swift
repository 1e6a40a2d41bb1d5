import Godwit
import GodwitRender

/// Prints one line for each change of state, without escape sequences: for logs and screen readers.
struct StatusLog: StatusView {
    private var last: WatchedState?
    private var lastFailure: String?
    private(set) var isClosed = false

    mutating func show(_ report: StatusReport) throws(GodwitError) {
        let state = WatchedState(report)
        // After a failure, every fact is printed again.
        let line = state.line(
            at: report.asOf, since: lastFailure == nil ? last : nil, message: report.userStatus.message)
        (last, lastFailure) = (state, nil)
        if let line { try print(line) }
    }

    mutating func show(_ failure: GodwitError, at time: Instant) throws(GodwitError) {
        guard failure.message != lastFailure else { return }
        lastFailure = failure.message
        try print(WatchedState.line(at: time, failure: failure))
    }

    mutating func refresh(asOf time: Instant) throws(GodwitError) {}

    private mutating func print(_ line: String) throws(GodwitError) {
        isClosed = true
        try ReportOutput.write(Array((line + "\n").utf8), to: nil)
        isClosed = false
    }
}

/// Prints each changed report as a line of JSON; errors go to standard error.
struct StatusStream: StatusView {
    private var last: [UInt8] = []
    private var lastFailure: String?
    private(set) var isClosed = false

    mutating func show(_ report: StatusReport) throws(GodwitError) {
        lastFailure = nil
        var timeless = report
        timeless.asOf = .epoch
        let content = try JSONReport.encode(line: timeless)
        guard content != last else { return }
        last = content
        isClosed = true
        try ReportOutput.write(try JSONReport.encode(line: report), to: nil)
        isClosed = false
    }

    mutating func show(_ failure: GodwitError, at time: Instant) throws(GodwitError) {
        guard failure.message != lastFailure else { return }
        lastFailure = failure.message
        ProcessSetup.writeError(JSONReport.encode(error: failure))
    }

    mutating func refresh(asOf time: Instant) throws(GodwitError) {}
}
