/// Limits for the parts of a document in memory, so that no document makes the reader use more memory.
package struct ReadingLimits: Sendable {
    /// Bytes of one record as written, or of a removed key.
    package var record = 64 << 20
    /// Bytes of one header member, of an entity's description, or of the integrity block.
    ///
    /// In JSON Lines, the descriptions of all entities are one member.
    package var header = 16 << 20
    /// Levels of lists and objects in unknown members.
    package var depth = 512
    package var entities = 10_000
    /// Columns of an entity; SQLite's default limit, <https://sqlite.org/limits.html>.
    package var columns = 2_000
    /// Bytes of spaces between two tokens.
    package var blanks = 1 << 20

    package init() {}
}
