import GodwitSQLite
import Testing

struct StoreHeaderTests {
    /// A header as SQLite writes it, with the relevant bytes replaced.
    private func bytes(pageSize: (UInt8, UInt8) = (0x10, 0x00), version: UInt8 = 1, count: Int = 100) -> [UInt8] {
        var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        (bytes[16], bytes[17]) = pageSize
        (bytes[18], bytes[19]) = (version, version)
        return Array(bytes[..<count])
    }

    @Test(
        "page sizes are powers of two from 512, and 1 means 65536",
        arguments: [
            ((UInt8(0x02), UInt8(0x00)), Int?(512)), ((0x10, 0x00), 4096), ((0x80, 0x00), 32_768),
            ((0x00, 0x01), 65_536),
            ((0x00, 0x00), nil), ((0x01, 0x00), nil), ((0x10, 0x01), nil), ((0x00, 0x02), nil), ((0xFF, 0xFF), nil),
        ])
    func pageSizes(raw: (UInt8, UInt8), size: Int?) {
        #expect(StoreHeader(bytes(pageSize: raw))?.pageSize == size)
    }

    @Test("the read version shows WAL mode", arguments: [(UInt8(1), false), (2, true)])
    func journalMode(version: UInt8, isWAL: Bool) {
        #expect(StoreHeader(bytes(version: version))?.isWAL == isWAL)
    }

    @Test(
        "a write version above 2 is a read-only format", arguments: [(UInt8(1), false), (2, false), (3, true)])
    func readOnlyFormat(version: UInt8, isReadOnly: Bool) {
        var raw = bytes()
        raw[18] = version
        #expect(StoreHeader(raw)?.isReadOnlyFormat == isReadOnly)
    }

    @Test("the page count is valid only if the counter next to it changed with it")
    func pageCount() {
        var raw = bytes()
        #expect(StoreHeader(raw)?.pageCount == nil)
        raw[31] = 7
        #expect(StoreHeader(raw)?.pageCount == 7)
        raw[24...27] = [0, 0, 0, 9]
        #expect(StoreHeader(raw)?.pageCount == nil)
        raw[92...95] = [0, 0, 0, 9]
        #expect(StoreHeader(raw)?.pageCount == 7)
    }

    @Test("a short or foreign start is not a header")
    func foreign() {
        #expect(StoreHeader(bytes(count: 99)) == nil)
        #expect(StoreHeader([]) == nil)
        #expect(StoreHeader(Array(repeating: 0x20, count: 100)) == nil)
        var other = bytes()
        other[15] = 0x20
        #expect(StoreHeader(other) == nil)
    }

    @Test(
        "a store is read in place only if opening it changes nothing",
        arguments: [
            (UInt8(1), StoreCompanions(), ReadingWay.inPlace),
            (1, StoreCompanions(journalSize: 0), .inPlace),
            (1, StoreCompanions(journalSize: 1), .clone),
            (1, StoreCompanions(journalSize: 8720), .clone),
            (1, StoreCompanions(walSize: 0), .clone),
            (1, StoreCompanions(walSize: 4152), .clone),
            (2, StoreCompanions(), .clone),
            (2, StoreCompanions(walSize: 0), .clone),
            (2, StoreCompanions(walSize: 4152), .clone),
            (2, StoreCompanions(walSize: 4152, journalSize: 512), .clone),
        ])
    func ways(version: UInt8, companions: StoreCompanions, way: ReadingWay) throws {
        let header = try #require(StoreHeader(bytes(version: version)))
        #expect(ReadingWay.decide(header, companions) == way)
    }
}
