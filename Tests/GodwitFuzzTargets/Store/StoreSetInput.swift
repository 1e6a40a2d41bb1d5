/// The three files of a store, split from one input.
///
/// The first byte has switches; the store, its log and its journal follow, with a mark between each two. A file without
/// its mark does not exist.
package struct StoreSetInput {
    /// Separates two files.
    package static let mark = Array("\n--cut--\n".utf8)

    package private(set) var store: [UInt8] = []
    package private(set) var log: [UInt8]?
    package private(set) var journal: [UInt8]?
    /// Whether the journal names a file, as when several stores are changed together.
    let namesFile: Bool

    /// Splits an input; nil if it is empty.
    ///
    /// Switches: 1 corrects the checksums of the log, 2 those of the journal, because otherwise SQLite ignores nearly
    /// every changed frame or page; 4 makes the journal name a file.
    package init?(_ bytes: [UInt8]) {
        guard let switches = bytes.first else { return nil }
        namesFile = switches & 4 != 0
        var parts: [[UInt8]] = []
        var rest = bytes.dropFirst()
        while parts.count < 2, let offset = Self.offset(of: Self.mark, in: rest) {
            parts.append(Array(rest[..<offset]))
            rest = rest[(offset + Self.mark.count)...]
        }
        parts.append(Array(rest))
        store = parts[0]
        if parts.count > 1 { log = switches & 1 != 0 ? Self.withLogSums(parts[1]) : parts[1] }
        if parts.count > 2 { journal = switches & 2 != 0 ? Self.withJournalSums(parts[2]) : parts[2] }
    }

    private static func offset(of mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= mark.count else { return nil }
        let starts = bytes.startIndex...(bytes.endIndex - mark.count)
        return starts.first { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
    }

    // MARK: Sums

    /// The log with correct checksums in its header and frames, and the header's salts in each frame.
    ///
    /// Source: <https://sqlite.org/fileformat2.html#wal_file_format>.
    private static func withLogSums(_ log: [UInt8]) -> [UInt8] {
        guard log.count >= 32 else { return log }
        var log = log
        let isBigEndian = log[3] & 1 == 1
        var sums: (UInt32, UInt32) = (0, 0)
        func add(_ range: Range<Int>) {
            for offset in stride(from: range.lowerBound, to: range.upperBound - 7, by: 8) {
                sums.0 = sums.0 &+ number(log, offset, isBigEndian) &+ sums.1
                sums.1 = sums.1 &+ number(log, offset + 4, isBigEndian) &+ sums.0
            }
        }
        func put(at offset: Int) {
            log.replaceSubrange(offset..<(offset + 4), with: bigEndian(sums.0))
            log.replaceSubrange((offset + 4)..<(offset + 8), with: bigEndian(sums.1))
        }
        add(0..<24)
        put(at: 24)
        let page = Int(number(log, 8, true))
        guard page >= 512, page <= 65_536 else { return log }
        var frame = 32
        while frame + 24 + page <= log.count {
            log.replaceSubrange((frame + 8)..<(frame + 16), with: log[16..<24])
            add(frame..<(frame + 8))
            add((frame + 24)..<(frame + 24 + page))
            put(at: frame + 16)
            frame += 24 + page
        }
        return log
    }

    /// The journal with the correct checksums of its pages.
    ///
    /// It has a header at the start of a sector for each time it was flushed, each with its own nonce. Source:
    /// <https://sqlite.org/fileformat2.html#the_rollback_journal>.
    private static func withJournalSums(_ journal: [UInt8]) -> [UInt8] {
        guard journal.count >= 28 else { return journal }
        var journal = journal
        let sector = Int(number(journal, 20, true))
        let page = Int(number(journal, 24, true))
        guard (32...65_536).contains(sector), (512...65_536).contains(page) else { return journal }
        var header = 0
        while header + sector <= journal.count {
            let nonce = number(journal, header + 12, true)
            let records = Int(number(journal, header + 8, true))
            var record = header + sector
            var left = records
            while left != 0, record + page + 8 <= journal.count {
                let content = (record + 4)..<(record + 4 + page)
                journal.replaceSubrange(
                    content.upperBound..<(content.upperBound + 4),
                    with: bigEndian(nonce &+ sum(ofPage: journal[content])))
                record += page + 8
                left -= 1
            }
            header = (record + sector - 1) / sector * sector
        }
        return journal
    }

    /// The sum of every 200th byte, from the page's end.
    private static func sum(ofPage page: ArraySlice<UInt8>) -> UInt32 {
        stride(from: page.count - 200, to: 0, by: -200).reduce(0) { $0 &+ UInt32(page[page.startIndex + $1]) }
    }

    /// The end of a journal that names a file: page number, name, length, checksum, magic number.
    static func journalEnd(naming path: String) -> [UInt8] {
        let name = Array(path.utf8)
        let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        // The number of the page that holds SQLite's lock byte: 1 GiB from the start, in pages of 512 bytes.
        return bigEndian(2_097_153) + name + bigEndian(UInt32(name.count)) + bigEndian(sum)
            + [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ isBigEndian: Bool) -> UInt32 {
        let four = bytes[offset..<(offset + 4)]
        return isBigEndian
            ? four.reduce(0) { $0 << 8 | UInt32($1) } : four.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
