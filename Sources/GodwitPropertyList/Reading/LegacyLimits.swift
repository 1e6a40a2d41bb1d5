/// How much of a legacy file is read at most: every reader here stops at the first of these that is passed.
package struct LegacyLimits: Sendable {
    /// Size of the file in bytes.
    package var bytes: Int
    /// Values and keys, counted after shared references are expanded.
    package var nodes: Int
    /// Containers inside one another; the top level is the first.
    package var depth: Int
    /// Bytes of text and data, counted after shared references are expanded.
    package var content: Int

    /// Limits; what is not named is as in `standard`.
    package init(
        bytes: Int = 64 << 20, nodes: Int = 1_000_000, depth: Int = 512, content: Int = 256 << 20
    ) {
        self.bytes = bytes
        self.nodes = nodes
        self.depth = depth
        self.content = content
    }

    /// 64 MiB, a million values, 512 levels.
    package static let standard = LegacyLimits()
}
