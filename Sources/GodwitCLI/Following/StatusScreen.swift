import Godwit
import GodwitRender

/// Shows the status on the alternate screen of a terminal, redrawn without clearing.
///
/// Invariant: after `enter`, `leave` is called whenever the command ends.
struct StatusScreen: StatusView {
    private let style: TextStyle
    private var report: StatusReport?
    private var failure: GodwitError?
    private var shown = ""
    private(set) var isClosed = false

    init(_ style: TextStyle) { self.style = style }

    /// Switches to the alternate screen.
    mutating func enter() throws(GodwitError) { try write(TerminalFrame.enter) }

    /// Restores the terminal; a failed write means that the terminal no longer exists.
    mutating func leave() { try? write(TerminalFrame.leave) }

    mutating func show(_ report: StatusReport) throws(GodwitError) {
        self.report = report
        failure = nil
        try refresh(asOf: report.asOf)
    }

    mutating func show(_ failure: GodwitError, at time: Instant) throws(GodwitError) {
        self.failure = failure
        try refresh(asOf: time)
    }

    /// Redraws if the content changed, for example after a second or in a resized window.
    mutating func refresh(asOf time: Instant) throws(GodwitError) {
        if ProcessSetup.isToBeStopped() {
            try write(TerminalFrame.leave)
            ProcessSetup.stop()
            try write(TerminalFrame.enter)
            shown = ""
        }
        let window = ProcessSetup.window
        let clock = time.iso8601.dropFirst(11).prefix(8)
        let frame = TerminalFrame.drawing(
            lines(asOf: time, columns: window.columns), footer: "\(clock) UTC; press Ctrl-C to stop",
            columns: window.columns, rows: window.rows)
        guard frame != shown else { return }
        try write(frame)
        shown = frame
    }

    private func lines(asOf time: Instant, columns: Int) -> [String] {
        var style = style
        style.width = max(40, min(columns, 120))
        var lines: [String] = []
        if let failure {
            lines = failure.text(style).split(separator: "\n").map(String.init)
            if report != nil { lines += ["", "The last status that could be read:"] }
            lines.append("")
        }
        guard var report else { return lines }
        report.asOf = time
        lines += report.text(style).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines + [""]
    }

    private mutating func write(_ text: String) throws(GodwitError) {
        isClosed = true
        try ReportOutput.write(Array(text.utf8), to: nil)
        isClosed = false
    }
}
