internal import GodwitFiles
package import GodwitLedger

/// One schema file, such as `V0003__add_notes.sql`.
package struct SchemaFile: Sendable, Equatable {
    package let version: Int
    package let name: String
    /// The text to run: with normalized line endings, without a byte order mark.
    ///
    /// The same text is hashed: in a file with bare CRs, a comment would include everything after it.
    package let sql: String
    /// `sha256-v1:` and the hash of the normalized text, so that a checkout on another system does not look like an
    /// edit.
    package let checksum: String
    /// The file's name in its folder: `V0003__add_notes.sql`.
    package let fileName: String

    package init(version: Int, name: String, sql: String, fileName: String? = nil) {
        (self.version, self.name) = (version, name)
        let text = Self.normalised(Array(sql.utf8))
        self.sql = String(decoding: text, as: UTF8.self)
        checksum = "sha256-v1:" + sha256Hex(text)
        self.fileName = fileName ?? Self.title(version, name) + ".sql"
    }

    /// CRLF and CR become LF; a UTF-8 byte order mark is removed.
    static func normalised(_ bytes: [UInt8]) -> [UInt8] {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for index in start..<bytes.count {
            if bytes[index] != 0x0D {
                text.append(bytes[index])
            } else if index + 1 == bytes.count || bytes[index + 1] != 0x0A {
                text.append(0x0A)
            }
        }
        return text
    }

    package var record: MigrationRecord { MigrationRecord(version: version, name: name, checksum: checksum) }

    /// `V0003__add_notes`, for messages.
    package var title: String { Self.title(version, name) }

    /// The name of a schema file without its extension.
    package static func title(_ version: Int, _ name: String) -> String {
        let digits = String(version)
        return "V" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "__" + name
    }
}
