internal import GodwitFiles
internal import GodwitModel

/// The name that a rollback journal ends with where its transaction spans several files.
///
/// SQLite believes it: when it rolls such a journal back, it opens the file of that name and deletes it if no journal
/// listed in it is left. A journal that names somebody's only copy would have that deleted by whoever opens the store,
/// so Godwit never lets SQLite see such a name. Source: `readSuperJournal` and `pager_delsuper` in SQLite's pager.c,
/// <https://sqlite.org/atomiccommit.html#_multi_file_commit>.
enum SuperJournal {
    private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// What stands there once the name is taken out, and says nothing to SQLite.
    private static let mark = Array("forgot\u{1}\u{2}".utf8)

    /// The file a journal names, if that file is there: only then would SQLite look into it.
    static func existing(in journal: String) throws(GodwitError) -> String? {
        guard let status = try FileStatus.of(journal), status.isRegularFile, status.size > 16 else { return nil }
        guard let file = try OpenFile.reading(ifThere: journal) else { return nil }
        let tail = read(file, 16, endingAt: status.size)
        guard tail.count == 16, Array(tail[8...]) == magic else { return nil }
        // The least that is taken for a name is what SQLite could take for one.
        let length = tail[..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard length > 0, length <= status.size - 16 else { return nil }
        let name = read(file, Int(min(length, 65_536)), endingAt: status.size - 16)
        let path = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        guard !path.isEmpty, try FileStatus.ofLink(path) != nil else { return nil }
        return path
    }

    /// Takes the name out of a private clone's journal, which then is rolled back for itself.
    ///
    /// A name whose file is gone stays: it means that the transaction was committed, and must not be rolled back.
    static func forget(in journal: String) throws(GodwitError) {
        guard try existing(in: journal) != nil, let status = try FileStatus.of(journal) else { return }
        let file = try OpenFile(updating: journal)
        try file.write(mark, at: status.size - Int64(mark.count))
        try file.close()
    }

    /// Whether a name was taken out of a journal: a rehearsal refuses to write to such a store, as the real run does.
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
