package import GodwitModel

/// A legacy file as it was read: its content, and the facts for the receipt.
package struct LegacyFile: Sendable {
    package let path: String
    package let format: LegacyFormat
    /// Size in bytes.
    package let size: Int64
    package let modified: Instant
    /// SHA-256 of the bytes, in lower-case hex.
    package let sha256: String
    package let bytes: [UInt8]
    /// The top-level dictionary, in the file's order.
    package let root: [LegacyPair]

    package init(
        path: String, format: LegacyFormat, size: Int64, modified: Instant, sha256: String, bytes: [UInt8],
        root: [LegacyPair]
    ) {
        (self.path, self.format, self.size, self.modified) = (path, format, size, modified)
        (self.sha256, self.bytes, self.root) = (sha256, bytes, root)
    }

    /// The value of a key, compared by bytes.
    package func value(for key: String) -> LegacyValue? {
        root.first { $0.hasKey(key) }?.value
    }
}
