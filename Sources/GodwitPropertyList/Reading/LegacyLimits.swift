/// Limits for reading a legacy file; a reader stops at the first one that is exceeded.
package struct LegacyLimits: Sendable {
    /// Size of the file in bytes.
    package var bytes: Int
    /// Values and keys, counted after shared references are expanded.
    package var nodes: Int
    /// Nested containers; the top level is the first.
    package var depth: Int
    /// Bytes of text and data, counted after shared references are expanded.
    package var content: Int

    /// Limits; the defaults are those of `standard`.
    package init(
        bytes: Int = 64 << 20, nodes: Int = 1_000_000, depth: Int = 512, content: Int = 256 << 20
    ) {
        (self.bytes, self.nodes, self.depth, self.content) = (bytes, nodes, depth, content)
    }

    /// 64 MiB, 1,000,000 values, 512 levels.
    package static let standard = LegacyLimits()
}
