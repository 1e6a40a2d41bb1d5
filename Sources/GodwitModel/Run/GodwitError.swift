/// The one error of Godwit: what went wrong, where, and what to do next.
///
/// Messages name files, keys and columns, never values of users' data.
public struct GodwitError: Error, Sendable {
    /// One reference is all that an error takes where it is thrown, so that each `try` has one word to hand on.
    private var contents: Contents

    private final class Contents: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    private struct Fields: Sendable {
        var stage: Stage
        var code: ExitCode
        var message: String
        var hint: String?
        var underlying: String?
        var place: FilePosition?
        var report: RunReport?
        var isOutOfMemory = false
    }

    private var fields: Fields {
        get { contents.fields }
        set { contents = Contents(newValue) }
    }

    /// The stage that failed.
    public var stage: Stage {
        get { fields.stage }
        set { fields.stage = newValue }
    }
    /// What the process exits with.
    public var code: ExitCode {
        get { fields.code }
        set { fields.code = newValue }
    }
    /// What and where, in one line.
    public var message: String {
        get { fields.message }
        set { fields.message = newValue }
    }
    /// What to do next, in one line.
    public var hint: String? {
        get { fields.hint }
        set { fields.hint = newValue }
    }
    /// What the system or a library said, if something of theirs lies behind it.
    public var underlying: String? {
        get { fields.underlying }
        set { fields.underlying = newValue }
    }
    /// Where in a file that people edit it lies, if it lies in one: the manifest or a schema file.
    public var place: FilePosition? {
        get { fields.place }
        set { fields.place = newValue }
    }
    /// What had already been done when it failed.
    public var report: RunReport? {
        get { fields.report }
        set { fields.report = newValue }
    }
    /// Whether memory ran out.
    package var isOutOfMemory: Bool {
        get { fields.isOutOfMemory }
        set { fields.isOutOfMemory = newValue }
    }

    /// Whether it says something of the data, as a check may find it: that memory ran out does not.
    package var isFinding: Bool { code == .data && !isOutOfMemory }

    /// An error of a stage; `report` is filled in by the pipeline.
    public init(
        _ stage: Stage, _ code: ExitCode, _ message: String, hint: String? = nil, underlying: String? = nil
    ) {
        contents = Contents(
            Fields(stage: stage, code: code, message: message, hint: hint, underlying: underlying))
    }

    /// The same error with the file that it lies in, and the line and column where those are known.
    package func placed(in file: String, _ position: SourcePosition? = nil) -> GodwitError {
        var error = self
        error.place = FilePosition(file: file, line: position?.line, column: position?.column)
        return error
    }

    /// The same error in another file, at the line and column that it has.
    package func moved(to file: String) -> GodwitError {
        var error = self
        error.place = FilePosition(file: file, line: place?.line, column: place?.column)
        return error
    }

    /// The same error laid at another stage's door: a lower layer does not know who called it.
    package func at(_ stage: Stage) -> GodwitError {
        var error = self
        error.stage = stage
        return error
    }

    /// The same error, where the records of a copy were committed before it: nothing of them is rolled back, and the next run
    /// only sets the flag.
    package var afterCopyCommit: GodwitError {
        var error = self
        if code == .interrupted || code == .terminated {
            error.message = "Cancelled after the copy was committed; only its flag is missing."
        } else {
            error.hint = ["The copy was committed, but its flag was not set.", hint].compactMap(\.self).joined(
                separator: " ")
        }
        return error
    }
}

extension GodwitError: CustomStringConvertible {
    /// Message, what lies behind it, and the hint.
    public var description: String {
        var text = message
        if let underlying { text += " (\(underlying))" }
        if let hint { text += "\nhint: \(hint)" }
        return text
    }
}
