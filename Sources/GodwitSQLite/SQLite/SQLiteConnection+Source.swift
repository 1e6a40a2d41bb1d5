package import GodwitModel
internal import CSQLiteShim

/// A second store that is attached for reading, so that SQLite copies records from file to file.
extension SQLiteConnection {
    /// The name of the second store in SQL.
    package static let source = "godwit_source"

    /// Attaches the file that another connection reads; false if SQLite cannot do that, or not for reading only.
    ///
    /// The file is opened without write access, so that it does not change and no files are created next to it. Code in
    /// its schema does not run as long as statements name only stored columns of its tables. Names without a schema
    /// refer to the main store first. The source stays attached until the connection is closed, because a transaction
    /// that reads from it prevents detaching. <https://sqlite.org/lang_attach.html>, <https://sqlite.org/uri.html>
    ///
    /// - Parameter source: must be open for reading longer than this connection, so that no other process changes the
    ///   file.
    package func attach(_ source: SQLiteConnection) throws(GodwitError) -> Bool {
        // An app may list the stores of its connection.
        if isOfApp { return false }
        // If SQLite does not support URIs, it would create a file with that name:
        // <https://sqlite.org/compile.html#use_uri>.
        guard sqlite3_compileoption_used("USE_URI") != 0 else { return false }
        if let present = sqlite3_db_filename(handle, Self.source) {
            return source.file == Self.bytes(of: present)
        }
        guard let uri = source.readOnlyURI else { return false }
        do throws(GodwitError) {
            try execute("ATTACH ? AS \(Self.source)", [.string(uri)])
        } catch  where error.code == .data {
            // Another text encoding: <https://sqlite.org/pragma.html#pragma_encoding>.
            return false
        }
        return sqlite3_db_readonly(handle, Self.source) == 1
    }

    /// The path of the file as SQLite opened it; nil for a store in memory.
    private var file: [UInt8]? {
        guard let path = sqlite3_db_filename(handle, "main"), path.pointee != 0 else { return nil }
        return Self.bytes(of: path)
    }

    private static func bytes(of path: UnsafePointer<CChar>) -> [UInt8] {
        var (bytes, end): ([UInt8], UnsafePointer<CChar>) = ([], path)
        while end.pointee != 0 {
            bytes.append(UInt8(bitPattern: end.pointee))
            end += 1
        }
        return bytes
    }

    /// Escapes all bytes that have, or may have, a meaning in a URI.
    private var readOnlyURI: String? {
        guard let file else { return nil }
        let digits = Array("0123456789ABCDEF".utf8)
        var uri = Array("file://".utf8)
        for byte in file {
            switch byte {
            case 0x2F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: uri.append(byte)
            default: uri += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        let reading = godwit_sqlite_reading_vfs().map { "&vfs=" + String(cString: $0) } ?? ""
        return String(decoding: uri, as: UTF8.self) + "?mode=ro" + reading
    }
}
