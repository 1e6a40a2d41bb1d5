import GodwitFiles
import GodwitModel
import GodwitSQLite
import Libc
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// Records sorted outside of SQLite have the same order and bytes as with SQLite.
struct SortedExportTests {
    /// Chunks of a few records, so that a small table makes many runs in a spool.
    private static let tiny = SortMemory(chunk: 600, windows: 1, unremarkable: .max)
    /// Chunks of a few blocks, each of which is freed as soon as it was read.
    private static let givingBack = SortMemory(chunk: 9000, windows: 1, unremarkable: .max, givenBack: 1)
    private static let bySQLite = SortMemory(chunk: 0)

    /// The document of each method; records the seed if they differ.
    private func compare(_ fixture: ExportFixture, _ note: Comment) throws {
        var hashes: [String] = []
        for (index, memory) in [Self.bySQLite, SortMemory(), Self.tiny, Self.givingBack].enumerated() {
            hashes.append(try fixture.export(to: "\(index).json", memory: memory).sha256)
        }
        for memory in [SortMemory(), Self.tiny] {
            let name = "\(hashes.count).json"
            hashes.append(try fixture.export(to: name, memory: memory, threads: ReadingThreads.sharing).sha256)
        }
        let expected = try fixture.text("0.json")
        for index in 1..<hashes.count {
            #expect(hashes[index] == hashes[0], note)
            #expect(try fixture.text("\(index).json") == expected, note)
        }
    }

    @Test("tables with keys of all kinds, also repeated, have one order for every sorter", arguments: 1...UInt64(40))
    func property(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let fixture = try ExportFixture.items(columns: "id, a, b TEXT COLLATE NOCASE, c REAL", "")
        try fixture.fill { store in
            for _ in 0..<Int.random(in: 0...300, using: &dice) {
                let row = [
                    Self.key(&dice, withReals: seed % 4 == 0), GeneratedTable.value(&dice), GeneratedTable.value(&dice),
                    .real(Double(Int.random(in: -3...3, using: &dice)) / 2),
                ]
                try store.execute("INSERT INTO Item VALUES (?, ?, ?, ?)", row)
            }
        }
        try compare(fixture, "seed \(seed)")
    }

    /// One of a few keys, so that some occur several times.
    private static func key(_ dice: inout SeededGenerator, withReals: Bool) -> Value {
        let number = Int64.random(in: -40...40, using: &dice)
        switch Int.random(in: 0..<(withReals ? 8 : 7), using: &dice) {
        case 0: return .null
        case 1: return .integer(number)
        case 2: return .integer([.min, .max, 0, -1][Int(number & 3)])
        case 3: return .blob([UInt8](repeating: UInt8(number & 3), count: Int(number & 15)))
        case 4: return .text(Array("\(number)\u{0}\(number)".utf8))
        case 5: return .text([0xFF, UInt8(number & 7)])
        case 6: return .text(Array("key-\(number * number)".utf8))
        default: return .real(Double(number) / 2)
        }
    }

    @Test(
        "keys after long texts, and keys that JSON escapes, have one order for every sorter", arguments: 1...UInt64(12))
    func keysInText(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let fixture = try ExportFixture.items(columns: "a, id", "")
        let signs = ["", "\"", "\\", "\n", "é", "\u{1F426}", "!", "#", "~", "\u{7F}"]
        try fixture.fill { store in
            for _ in 0..<300 {
                let number = Int.random(in: 0...40, using: &dice)
                let parts = (0..<3).map { _ in signs[Int.random(in: signs.indices, using: &dice)] }
                let text = String(repeating: parts[0], count: number) + "k\(number)" + parts[1] + parts[2]
                let long = [0, 30, 990, 1010, 1030, 3000, 5000][Int.random(in: 0..<7, using: &dice)]
                let key: Value = number % 7 == 0 ? .blob(Array(text.utf8)) : .string(text)
                try store.execute(
                    "INSERT INTO Item VALUES (?, ?)", [.text([UInt8](repeating: 0x78, count: long)), key])
            }
        }
        try compare(fixture, "seed \(seed)")
    }

    @Test("generated tables with unusual names and types have one order for every sorter", arguments: 1...UInt64(20))
    func generated(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let tables = (0..<4).map { GeneratedTable(number: $0, using: &dice) }
        let fixture = try ExportFixture(tables.map(\.entity), sql: "PRAGMA user_version = 1")
        try fixture.fill { store in
            for table in tables { try table.make(in: store) }
        }
        try compare(fixture, "seed \(seed)")
    }

    @Test("many tables wait to be written, some in memory and some in one private file")
    func manyTables() throws {
        let names = (0..<12).map { "T\($0)" }
        let tables = names.enumerated().map { number, name in
            """
            CREATE TABLE \(name)(id, a);
            INSERT INTO \(name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(number * 7))
            SELECT i * 7919 % 10007, printf('%0*d', i % 40, i) FROM n;
            """
        }
        let fixture = try ExportFixture(names.map { Entity(name: $0, key: "id") }, sql: tables.joined())
        try compare(fixture, "twelve tables")
    }

    @Test("sorted records can be written repeatedly")
    func twice() throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES (3, 1, 1), (1, 2, 2), (1, 1, 1), (2, 0, 0)")
        let store = try fixture.open()
        for memory in [SortMemory(), Self.tiny, Self.bySQLite] {
            let reading = try ExportReading(
                store.connection, manifest: fixture.manifest, context: .sample(), memory: memory)
            let hashes = try (0..<2).map { _ in
                let file = try AtomicFile(
                    target: fixture.folder["exports/twice.json"], identifier: UUID().uuidString, mode: 0o644,
                    stage: .export)
                let header = ExportHeader(
                    app: "A", schemaVersion: 1, exportedAt: .sampleNow, identifier: nil, store: .cloud,
                    file: "C.store", schemaMigration: 3, freshness: .sample)
                return try ExportStage(context: .sample()).write(reading, header: header, into: file).written.sha256
            }
            #expect(hashes[0] == hashes[1])
        }
    }

    @Test("texts longer than a window or a piece are read back")
    func longTexts() throws {
        let fixture = try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
            INSERT INTO Item SELECT printf('%03d', i * 37 % 61), printf('%0*d', (i * 7919) % 20011, i),
                CASE WHEN i % 9 = 0 THEN zeroblob(1500000 + i) END FROM n
            """)
        try compare(fixture, "long")
    }

    @Test("keys too long to be compared in memory are left to SQLite")
    func longKeys() throws {
        let fixture = try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
            INSERT INTO Item SELECT printf('%01100d', i * 37 % 41), i, i FROM n
            """)
        try compare(fixture, "long keys")
    }

    @Test("a table in which nearly all records share a key is left to SQLite, in its order")
    func oneKey() throws {
        let fixture = try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO Item SELECT 'the same', i * 7919 % 5003, NULL FROM n
            """)
        let started = try fixture.export(to: "a.json")
        let expected = try fixture.export(to: "b.json", memory: Self.bySQLite)
        #expect(started.sha256 == expected.sha256)
    }

    @Test("two exports of the same records are equal, in any stored order")
    func arrivalOrder() throws {
        let rows = (0..<400).map { "('\($0 * 37 % 401)', \($0 % 7), '\($0 % 3)')" }
        let one = try ExportFixture.items("INSERT INTO Item VALUES \(rows.joined(separator: ","))")
        let other = try ExportFixture.items("INSERT INTO Item VALUES \(rows.reversed().joined(separator: ","))")
        #expect(try one.export(memory: Self.tiny).sha256 == other.export(memory: Self.tiny).sha256)
    }

    @Test("nothing is left in TMPDIR after a complete or cancelled export")
    func leavesNothing() throws {
        let fixture = try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO Item SELECT i * 7919 % 20011, i, i FROM n
            """)
        let memory = SortMemory(chunk: 1 << 16, windows: 1 << 16)
        let name = "sorted-\(UUID().uuidString)"
        try fixture.export(context: .sample(makeIdentifier: { name }), memory: memory)
        let cancellation = Cancellation()
        let seen = Seen()
        let context = RunContext.sample(
            makeIdentifier: { name }, cancellation: cancellation,
            progress: { step in
                guard step.completed > 6000 else { return }
                seen.add(Self.scratchFolders(name).count)
                cancellation.cancel()
            })
        #expect(failure { try fixture.export(to: "f.json", context: context, memory: memory) }?.code == .interrupted)
        #expect(seen.largest == 1)
        #expect(Self.scratchFolders(name).isEmpty)
    }

    @Test(
        "memory of sorted records is returned to the system while they are written",
        .enabled("the file system of TMPDIR can't take back parts of a file") { try Self.canGiveBack() })
    func givesBack() throws {
        let fixture = try Self.numbers(60_000)
        let name = "sorted-\(UUID().uuidString)"
        let (whole, rest) = (Seen(), Seen())
        let context = RunContext.sample(
            makeIdentifier: { name },
            progress: { step in
                // In the first half everything is read; near the end most of it is written.
                let seen = step.completed > 57_000 ? rest : whole
                if step.completed > 30_000 { seen.add(Self.scratchBytes(name)) }
            })
        try fixture.export(context: context, memory: SortMemory(chunk: 1 << 18, windows: 1 << 16, givenBack: 1 << 14))
        #expect(whole.largest > 3_000_000)
        #expect(rest.largest < whole.largest / 3)
    }

    @Test("returned memory is not written again")
    func onceOnly() throws {
        let fixture = try Self.numbers(2000)
        let store = try fixture.open()
        for (memory, isKept) in [(SortMemory(), true), (SortMemory(chunk: 9000), false)] {
            let reading = try ExportReading(
                store.connection, manifest: fixture.manifest, context: .sample(), memory: memory)
            let header = ExportHeader(
                app: "App", schemaVersion: 1, exportedAt: .sampleNow, identifier: nil, store: .cloud, file: "C.store",
                schemaMigration: nil, freshness: .empty)
            let stage = ExportStage(context: .sample())
            _ = try stage.write(reading, header: header, into: fixture.folder.makeFile("first"))
            let error = failure {
                _ = try stage.write(reading, header: header, into: fixture.folder.makeFile("second"))
            }
            #expect(error?.code == (isKept ? nil : .bug))
        }
    }

    /// Keys in random order.
    private static func numbers(_ count: Int) throws -> ExportFixture {
        try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO Item SELECT i * 7919 % 200003, printf('%050d', i), i FROM n
            """)
    }

    /// Whether the file system of `TMPDIR` can free part of a file; not all can.
    private static func canGiveBack() throws -> Bool {
        let scratch = try ScratchDirectory(identifier: UUID().uuidString)
        let file = try OpenFile(creating: scratch.path + "/f", stage: .export)
        try file.write([UInt8](repeating: 1, count: 1 << 16))
        return file.giveBack(0..<1 << 15)
    }

    /// The disk space of files in the scratch folders of a run.
    private static func scratchBytes(_ identifier: String) -> Int {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        return scratchFolders(identifier).reduce(0) { sum, folder in
            sum
                + PathText.names(in: parent + "/" + folder, beginningWith: OwnFiles.temporaryPrefix).reduce(0) {
                    var status = stat()
                    return $0 + (stat(parent + "/" + folder + "/" + $1, &status) == 0 ? Int(status.st_blocks) * 512 : 0)
                }
        }
    }

    private static func scratchFolders(_ identifier: String) -> [String] {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        return PathText.names(in: parent, beginningWith: OwnFiles.scratchPrefix).filter { $0.hasSuffix(identifier) }
    }

    /// The largest number that a closure has seen.
    private final class Seen: @unchecked Sendable {
        private let lock = NSLock()
        private var number = 0

        func add(_ next: Int) { lock.withLock { number = max(number, next) } }
        var largest: Int { lock.withLock { number } }
    }
}

extension ExportFixture {
    /// Writes to the store, including bytes that are not UTF-8.
    fileprivate func fill(_ body: (SQLiteConnection) throws -> Void) throws {
        let writer = try StoreWriter(existing: folder["C.store"], name: "C.store", stage: .export, context: .sample())
        try writer.transaction(.export) { store throws(GodwitError) in
            do { try body(store) } catch { throw error as? GodwitError ?? GodwitError(.export, .bug, "\(error)") }
        }
        try writer.close(.export)
    }
}
