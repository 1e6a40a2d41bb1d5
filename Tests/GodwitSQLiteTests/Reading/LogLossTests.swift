import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// Logs that SQLite reads in part or not at all without an error, and logs that only look like it.
struct LogLossTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let page = 4096
    private static let frame = 24 + page

    /// A store whose five records are only in the log, each in a transaction of one page; then a change of the log.
    private func store(_ more: String = "", change: (inout [UInt8]) -> Void) throws {
        let app = try SampleStore(
            folder["app.store"], journal: "WAL", cachePages: 5,
            """
            PRAGMA wal_autocheckpoint=0; CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID;
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
        for number in 1...5 { try app.execute("INSERT INTO Note VALUES ('\(number)', 'text')") }
        if !more.isEmpty { try app.execute(more) }
        try folder.copyStore("app.store", to: "a.store")
        try app.close()
        var log = try folder.bytes(of: "a.store-wal")
        change(&log)
        try folder.write(log, to: "a.store-wal")
    }

    /// The warning about the log, and the number of records read.
    private func look(_ context: RunContext = .sample()) throws -> (warning: Warning?, count: Int64) {
        let before = try folder.fingerprint()
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "in/a.store", stage: .copy, context: context)
        #expect(try folder.fingerprint().differences(from: before) == [])
        #expect(snapshot.warnings.count <= 1)
        return (snapshot.warnings.first, try snapshot.connection.countRecords(of: "Note"))
    }

    /// The offset of a byte in a frame; frames count from 0.
    private func place(_ frame: Int, _ byte: Int) -> Int { 32 + frame * Self.frame + byte }

    @Test("a -wal file that is read to its end gives no warning")
    func whole() throws {
        try store { log in #expect(log.count == place(5, 0)) }
        let (warning, count) = try look()
        #expect(warning == nil)
        #expect(count == 5)
    }

    @Test(
        "a damaged -wal header makes SQLite read nothing, and a warning says so", arguments: [1, 9, 13, 17, 22, 25, 31])
    func header(_ byte: Int) throws {
        try store { $0[byte] ^= 0x10 }
        let (warning, count) = try look()
        #expect(count == 0)
        #expect(warning?.code == "walDamaged")
        #expect(
            warning?.message
                == "`in/a.store-wal` is damaged: SQLite reads nothing of it, and its committed transactions are missing"
        )
        #expect(warning?.hint?.contains("before any process writes to a.store") == true)
    }

    @Test("a damaged frame hides later transactions, and they are counted", arguments: 0..<5)
    func frame(_ number: Int) throws {
        for byte in [2, 17, 24 + 100] {
            try? folder.remove("app.store")
            try store { $0[place(number, byte)] ^= 0x10 }
            let (warning, count) = try look()
            #expect(count == Int64(number), "byte \(byte)")
            #expect(warning?.code == "walDamaged")
            let lost =
                number == 4
                ? "1 transaction committed after that is" : "\(5 - number) transactions committed after that are"
            #expect(
                warning?.message
                    == "`in/a.store-wal` is damaged: SQLite reads \(number) of its 5 pages, and \(lost) missing")
        }
    }

    @Test("a loss in a kept clone is reported each time, though its -wal file no longer exists")
    func keptClone() throws {
        try store { $0[place(2, 100)] ^= 0x10 }
        try folder.setModified(seconds: 1_600_000_000, of: "a.store")
        try folder.setModified(seconds: 1_600_000_000, of: "a.store-wal")
        let context = RunContext.sample()
        for _ in 0..<3 { #expect(try look(context).warning?.code == "walDamaged") }
    }

    @Test("frames from before the -wal file restarted are not a loss")
    func remains() throws {
        try store("PRAGMA wal_checkpoint(RESTART); INSERT INTO Note VALUES ('6', 'text')") { log in
            #expect(log.count == place(5, 0), "the log has to be written from its beginning")
        }
        let (warning, count) = try look()
        #expect(warning == nil)
        #expect(count == 6)
    }

    @Test("a header that was rewritten before a power cut, with the old first page, is not a loss")
    func onlyHeader() throws {
        var old: [UInt8] = []
        try store { old = $0 }
        try folder.remove("app.store")
        try store("PRAGMA wal_checkpoint(RESTART); INSERT INTO Note VALUES ('6', 'text')") { log in
            log = Array(log[..<32] + old[32...])
        }
        #expect(try look().warning == nil)
    }

    @Test("pages of a rolled back or unfinished transaction are not a loss")
    func unfinished() throws {
        let large = """
            BEGIN; INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 500)
            SELECT x, hex(zeroblob(300)) FROM n
            """
        for (end, count) in [("; ROLLBACK; INSERT INTO Note VALUES ('6', 'text')", 6), ("", 5)] as [(String, Int64)] {
            try? folder.remove("app.store")
            try store(large + end) { log in #expect(log.count > place(20, 0), "the transaction has to spill") }
            let look = try look()
            #expect(look.warning == nil)
            #expect(look.count == count)
        }
    }

    @Test("a -wal file without a complete page and with an invalid header has no data", arguments: [0, 32, 56, 567])
    func nothing(_ size: Int) throws {
        try store { log in
            log = Array(log[..<size])
            if size > 20 { log[20] ^= 1 }
        }
        let (warning, count) = try look()
        #expect(warning == nil)
        #expect(count == 0)
    }

    // MARK: Cut off

    @Test(
        "a -wal file that ends inside its header or a frame is truncated", arguments: [1, 31, 33, 40, 57, 600, 4000])
    func cut(_ size: Int) throws {
        for frame in 0..<5 where frame == 0 || size > 32 {
            try? folder.remove("app.store")
            try store { log in log = Array(log[..<(frame * Self.frame + size)]) }
            let (warning, count) = try look()
            #expect(warning?.code == "walTruncated", "frame \(frame)")
            #expect(warning?.message.contains("`in/a.store-wal` ends in the middle") == true)
            #expect(count == Int64(frame))
        }
    }

    @Test("a -wal file that ends with a complete frame looks complete", arguments: 0...5)
    func cutBetweenFrames(_ frames: Int) throws {
        try store { log in log = Array(log[..<self.place(frames, 0)]) }
        let (warning, count) = try look()
        #expect(warning == nil)
        #expect(count == Int64(frames))
    }

    @Test("a truncated transaction of several pages is lost, and a warning says so")
    func cutTransaction() throws {
        let large = """
            BEGIN; INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 500)
            SELECT x, hex(zeroblob(300)) FROM n; COMMIT
            """
        try store(large) { log in log.removeLast(Self.frame + 100) }
        let (warning, count) = try look()
        #expect(warning?.code == "walTruncated")
        #expect(count == 5)
    }

    @Test("old frames that SQLite truncates at any byte are not a loss", arguments: [9_000, 13_000, 4_200 + 32 + 24])
    func limited(_ limit: Int) throws {
        let more =
            "PRAGMA journal_size_limit=\(limit); PRAGMA wal_checkpoint(RESTART); INSERT INTO Note VALUES ('6', 'text')"
        try store(more) { log in
            #expect(log.count == limit && (limit - 32) % Self.frame != 0, "\(log.count)")
        }
        let (warning, count) = try look()
        #expect(warning == nil)
        #expect(count == 6)
    }

    @Test("a -wal file that is damaged and truncated is reported as damaged")
    func damagedAndCut() throws {
        try store { log in
            log[place(1, 100)] ^= 0x10
            log.removeLast(100)
        }
        #expect(try look().warning?.code == "walDamaged")
    }

    @Test("a -wal file with big-endian checksums is read and checked in the same way", arguments: [nil, 3])
    func bigEndian(_ damaged: Int?) throws {
        try store { log in
            log[3] = 0x83
            var sums = sums(log[0..<24], from: (0, 0))
            log.replaceSubrange(24..<32, with: bytes(sums))
            for frame in 0..<5 {
                sums = self.sums(log[place(frame, 0)..<place(frame, 8)], from: sums)
                sums = self.sums(log[place(frame, 24)..<place(frame + 1, 0)], from: sums)
                log.replaceSubrange(place(frame, 16)..<place(frame, 24), with: bytes(sums))
            }
            if let damaged { log[place(damaged, 500)] ^= 1 }
        }
        let (warning, count) = try look()
        #expect(count == Int64(damaged ?? 5))
        #expect(warning?.code == (damaged == nil ? nil : "walDamaged"))
    }

    private func sums(_ bytes: ArraySlice<UInt8>, from start: (UInt32, UInt32)) -> (UInt32, UInt32) {
        var sums = start
        for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
            sums.0 &+= word(bytes[place..<place + 4]) &+ sums.1
            sums.1 &+= word(bytes[place + 4..<place + 8]) &+ sums.0
        }
        return sums
    }

    private func word(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    private func bytes(_ sums: (UInt32, UInt32)) -> [UInt8] {
        [sums.0, sums.1].flatMap { sum in stride(from: 24, through: 0, by: -8).map { UInt8(sum >> $0 & 0xFF) } }
    }
}
