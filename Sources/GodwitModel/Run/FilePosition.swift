/// A place in a text file that people edit: the manifest, or a schema file.
public struct FilePosition: Sendable, Codable, Hashable {
    /// The file: the manifest as given, a schema file as the manifest leads to it.
    public var file: String
    /// From 1; nil where only the file is known.
    public var line: Int?
    /// From 1; nil where only the line is known.
    public var column: Int?

    /// A place.
    public init(file: String, line: Int? = nil, column: Int? = nil) {
        self.file = file
        self.line = line
        self.column = column
    }
}
