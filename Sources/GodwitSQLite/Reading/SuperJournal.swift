internal import GodwitFiles
internal import GodwitModel

/// The name at the end of a rollback journal whose transaction spans several files.
///
/// When SQLite rolls such a journal back, it opens the named file and deletes it if no journal listed in it exists. A
/// journal that names a user's only copy would have that file deleted by the next process that opens the store, so
/// Godwit never lets SQLite see such a name. Source: `readSuperJournal` and `pager_delsuper` in SQLite's pager.c,
/// <https://sqlite.org/atomiccommit.html#_multi_file_commit>.
enum SuperJournal {
    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// Replaces a removed name; SQLite ignores it.
    private static let mark = Array("forgot\u{1}\u{2}".utf8)

    /// The file that a journal names, if it exists: only then would SQLite open it.
    static func existing(in journal: String) throws(GodwitError) -> String? {
        guard let status = try FileStatus.of(journal), status.isRegularFile, status.size > 16 else { return nil }
        guard let file = try OpenFile.reading(ifThere: journal) else { return nil }
        let tail = read(file, 16, endingAt: status.size)
        guard tail.count == 16, Array(tail[8...]) == magic else { return nil }
        // Accepts every name that SQLite could accept.
        let length = tail[..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard length > 0, length <= status.size - 16 else { return nil }
        let name = read(file, Int(min(length, 65_536)), endingAt: status.size - 16)
        let path = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        guard !path.isEmpty, try FileStatus.ofLink(path) != nil else { return nil }
        return path
    }

    /// Removes the name from the journal of a private clone, so that SQLite rolls back this journal only.
    ///
    /// A name whose file does not exist stays: it means that the transaction was committed and must not be rolled back.
    static func forget(in journal: String) throws(GodwitError) {
        guard try existing(in: journal) != nil, let status = try FileStatus.of(journal) else { return }
        let file = try OpenFile(updating: journal)
        try file.write(mark, at: status.size - Int64(mark.count))
        try file.close()
    }

    /// Whether the name was removed from a journal: a plan refuses to write to such a store, as the real run does.
    static func isForgotten(in journal: String) throws(GodwitError) -> Bool {
        guard let status = try FileStatus.of(journal), status.isRegularFile, status.size > 16,
            let file = try OpenFile.reading(ifThere: journal)
        else { return false }
        return read(file, mark.count, endingAt: status.size) == mark
    }

    private static func read(_ file: borrowing OpenFile, _ count: Int, endingAt end: Int64) -> [UInt8] {
        (try? file.bytes(count, at: end - Int64(count))) ?? []
    }
}
