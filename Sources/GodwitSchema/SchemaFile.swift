internal import GodwitFiles
package import GodwitLedger

/// One `V0003__add_notes.sql`.
package struct SchemaFile: Sendable, Equatable {
    package let version: Int
    package let name: String
    /// The text that is run: line endings normalised, no byte-order mark.
    ///
    /// What is hashed is what is run: a comment in a file of bare CRs would otherwise swallow all that follows it.
    package let sql: String
    /// `sha256-v1:` and the hash over the text with line endings normalised and a byte-order mark dropped, so that a
    /// checkout on another system does not look like an edit.
    package let checksum: String
    /// The file's name in its folder: `V0003__add_notes.sql`.
    package let fileName: String

    package init(version: Int, name: String, sql: String, fileName: String? = nil) {
        self.version = version
        self.name = name
        let text = Self.normalised(Array(sql.utf8))
        self.sql = String(decoding: text, as: UTF8.self)
        checksum = "sha256-v1:" + sha256Hex(text)
        self.fileName = fileName ?? Self.title(version, name) + ".sql"
    }

    /// CRLF and CR become LF; a UTF-8 byte-order mark is dropped.
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

    /// `V0003__add_notes`, as messages name it.
    package var title: String { Self.title(version, name) }

    /// The name of a schema file without its ending.
    package static func title(_ version: Int, _ name: String) -> String {
        let digits = String(version)
        return "V" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "__" + name
    }
}
