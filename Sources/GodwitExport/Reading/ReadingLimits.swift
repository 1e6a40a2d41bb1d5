/// How much of a document is held at once: no document makes the reader use more memory than these allow.
package struct ReadingLimits: Sendable {
    /// Bytes of one record as it is written, from brace to brace, or of a key that is gone.
    package var record = 64 << 20
    /// Bytes of one member of the header, of an entity's description, or of the integrity block.
    ///
    /// In JSON lines the descriptions of all entities are one member.
    package var header = 16 << 20
    /// Levels of lists and objects in members that this version does not know.
    package var depth = 512
    /// Entities in a document.
    package var entities = 10_000
    /// Columns of an entity; as many as SQLite allows by default, <https://sqlite.org/limits.html>.
    package var columns = 2_000
    /// Bytes of blanks between two tokens.
    package var blanks = 1 << 20

    /// The limits of version 1 of the format.
    package init() {}
}
