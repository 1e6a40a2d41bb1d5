/// The error type of Godwit: what failed, where, and what to do next.
///
/// Messages name files, keys and columns, never users' values.
public struct GodwitError: Error, Sendable {
    /// A single reference, so that each `try` passes on only one word.
    private var contents: Contents

    private final class Contents: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    private struct Fields: Sendable {
        var stage: GodwitError.Stage
        var code: GodwitError.Code
        var message: String
        var hint: String?
        var underlying: String?
        var position: GodwitError.Position?
        var report: RunReport?
        var committed: StageReports?
        var isOutOfMemory = false
    }

    private var fields: Fields {
        get { contents.fields }
        set { contents = Contents(newValue) }
    }

    /// The stage that failed.
    public var stage: GodwitError.Stage {
        get { fields.stage }
        set { fields.stage = newValue }
    }
    /// The exit code of the process.
    public var code: GodwitError.Code {
        get { fields.code }
        set { fields.code = newValue }
    }
    /// The problem and its position, in one line.
    public var message: String {
        get { fields.message }
        set { fields.message = newValue }
    }
    /// What to do next, in one line.
    public var hint: String? {
        get { fields.hint }
        set { fields.hint = newValue }
    }
    /// The cause that the system or a library gives; nil for none.
    public var underlying: String? {
        get { fields.underlying }
        set { fields.underlying = newValue }
    }
    /// The position in the manifest or a schema file; nil if it is in neither.
    public var position: GodwitError.Position? {
        get { fields.position }
        set { fields.position = newValue }
    }
    /// The report of the stages before the failure.
    public var report: RunReport? {
        get { fields.report }
        set { fields.report = newValue }
    }
    /// What the stages of the step that failed had committed, until the run's report takes it over.
    package var committed: StageReports? {
        get { fields.committed }
        set { fields.committed = newValue }
    }
    package var isOutOfMemory: Bool {
        get { fields.isOutOfMemory }
        set { fields.isOutOfMemory = newValue }
    }

    /// Whether it describes the data, as a check can find it; running out of memory does not.
    package var isFinding: Bool { code == .data && !isOutOfMemory }

    /// An error of a stage; the pipeline sets `report`.
    public init(
        _ stage: GodwitError.Stage, _ code: GodwitError.Code, _ message: String, hint: String? = nil,
        underlying: String? = nil
    ) {
        contents = Contents(
            Fields(stage: stage, code: code, message: message, hint: hint, underlying: underlying))
    }

    /// Returns the error with its file, and with line and column if they are known.
    package func placed(in file: String, _ position: SourcePosition? = nil) -> GodwitError {
        var error = self
        error.position = GodwitError.Position(file: file, line: position?.line, column: position?.column)
        return error
    }

    /// Returns the error with another file, at the same line and column.
    package func moved(to file: String) -> GodwitError {
        var error = self
        error.position = GodwitError.Position(file: file, line: position?.line, column: position?.column)
        return error
    }

    /// The same error of a step that had committed something, or nothing.
    package func after(_ committed: StageReports?) -> GodwitError {
        var error = self
        error.committed = committed
        return error
    }

    /// Returns the error with another stage: lower layers do not know their caller.
    package func at(_ stage: GodwitError.Stage) -> GodwitError {
        var error = self
        error.stage = stage
        return error
    }

    /// Returns the error for a failure after the records of a copy were committed: they are not rolled back, and the
    /// next run only sets the flag.
    ///
    /// - Parameter copy: the committed copy, if the run's report does not have it yet.
    package func afterCommit(of copy: RunReport.Copy? = nil) -> GodwitError {
        var error = self
        if let copy { error.committed = StageReports(copy: copy) }
        if code == .interrupted || code == .terminated {
            error.message = "cancelled after the copy was committed; only its completion flag is missing"
        } else {
            error.message = "the copy was committed, but its completion flag was not set: \(message)"
        }
        return error
    }
}

extension GodwitError: CustomStringConvertible {
    /// Message, cause and hint.
    public var description: String {
        var text = message
        if let underlying { text += ": \(underlying)" }
        if let hint { text += "\nhint: \(hint)" }
        return text
    }
}
