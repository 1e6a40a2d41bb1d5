extension GodwitError {
    /// A position in a text file that the user edits: the manifest or a schema file.
    public struct Position: Sendable, Codable, Hashable {
        /// The manifest as given, or a schema file by its path from the manifest.
        public var file: String
        /// From 1; nil if only the file is known.
        public var line: Int?
        /// From 1; nil if only the line is known.
        public var column: Int?

        /// A position.
        public init(file: String, line: Int? = nil, column: Int? = nil) {
            (self.file, self.line, self.column) = (file, line, column)
        }
    }
}
