/// The first 32 bytes of a write-ahead log (`-wal` file): <https://sqlite.org/fileformat2.html#wal_file_format>.
package struct LogHeader: Equatable {
    /// Bytes of the `-wal` file's header, and of the header before each page.
    package static let size = 32, frameHeaderSize = 24
    /// Bytes in the smallest valid page.
    static let smallestPage = 512

    /// Bytes in a page.
    let pageSize: Int
    /// Two numbers that each frame repeats if it was written since the `-wal` file was last restarted.
    let salts: [UInt8]

    /// Bytes in a page of a `-wal` file that begins with these bytes; nil if SQLite would not accept the header.
    package static func pageSize(ofLog head: [UInt8]) -> Int? { LogHeader(head)?.pageSize }

    var frameSize: Int { Self.frameHeaderSize + pageSize }

    /// Nil if SQLite would not accept the header, and so would read nothing of the `-wal` file.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, Self.isOfLog(bytes) else { return nil }
        pageSize = Int(Self.word(bytes, at: 8))
        guard (Self.smallestPage...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
        guard Self.checksum(Array(bytes[..<24])) == [Self.word(bytes, at: 24), Self.word(bytes, at: 28)] else {
            return nil
        }
        salts = Array(bytes[16..<24])
    }

    /// Whether a `-wal` file has an unknown format version; SQLite then only reports that it cannot open a file.
    static func isOfUnknownVersion(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 8 && isOfLog(bytes) && bytes[4..<8] != [0x00, 0x2D, 0xE2, 0x18]
    }

    /// Whether a frame is the last one of a transaction, written since the `-wal` file was last restarted.
    func isCommit(_ frame: [UInt8]) -> Bool {
        frame.count >= Self.frameHeaderSize && Self.word(frame, at: 4) != 0 && isCurrent(frame) == true
    }

    /// Whether a frame was written since the `-wal` file was last restarted; nil if its header is too short to say.
    func isCurrent(_ frame: [UInt8]) -> Bool? { frame.count < 16 ? nil : frame[8..<16] == salts[...] }

    private static func isOfLog(_ bytes: [UInt8]) -> Bool {
        bytes[..<3] == [0x37, 0x7F, 0x06] && bytes[3] & 0xFE == 0x82
    }

    private static func word(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Two sums over words, in the byte order that the last bit of the magic number gives:
    /// <https://sqlite.org/fileformat2.html#checksum_algorithm>.
    private static func checksum(_ bytes: [UInt8]) -> [UInt32] {
        let isBigEndian = bytes[3] & 1 == 1
        var (first, second): (UInt32, UInt32) = (0, 0)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            let (one, two) = (word(bytes, at: offset), word(bytes, at: offset + 4))
            first &+= (isBigEndian ? one : one.byteSwapped) &+ second
            second &+= (isBigEndian ? two : two.byteSwapped) &+ first
        }
        return [first, second]
    }
}
