package import GodwitModel
internal import CSQLiteShim

/// A second store beside the one that is written, to read from: records then go from file to file inside SQLite.
extension SQLiteConnection {
    /// What the second store is called in SQL.
    package static let source = "godwit_source"

    /// Attaches the file that another connection reads; false where SQLite can't, or can't be held to reading.
    ///
    /// The file is opened without the right to write, so that it stays as it is, and nothing is made beside it. What its
    /// schema computes is run by nobody who names stored columns of its tables alone. Names without a schema are looked
    /// for in the main store first; the source stays until the connection is closed, since it can't go while a transaction
    /// reads from it. <https://sqlite.org/lang_attach.html>, <https://sqlite.org/uri.html>
    ///
    /// - Parameter source: must be open for reading, and stay so for longer than this connection: that keeps others from
    ///   changing the file between the two.
    package func attach(_ source: SQLiteConnection) throws(GodwitError) -> Bool {
        // An app may look through the stores of its connection.
        if isOfApp { return false }
        // Where it does not take URIs, SQLite would make a file of that name: <https://sqlite.org/compile.html#use_uri>.
        guard sqlite3_compileoption_used("USE_URI") != 0 else { return false }
        if let present = sqlite3_db_filename(handle, Self.source) {
            return source.file == Self.bytes(of: present)
        }
        guard let uri = source.readOnlyURI else { return false }
        do throws(GodwitError) {
            try execute("ATTACH ? AS \(Self.source)", [.string(uri)])
        } catch  where error.code == .data {
            // Another encoding of text: <https://sqlite.org/pragma.html#pragma_encoding>.
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

    /// Only what a URI can't mistake stays as it is.
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
