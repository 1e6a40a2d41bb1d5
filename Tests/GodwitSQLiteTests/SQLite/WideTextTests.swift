import GodwitJSON
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// Text in UTF-16 stores; only SQLite's `hex` decides what is stored.
struct WideTextTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func writer(_ encoding: String, _ name: String = "wide.store") throws -> StoreWriter {
        try SampleStore.make(folder[name], encoding: encoding, "CREATE TABLE V(n INTEGER PRIMARY KEY, value)")
        return try StoreWriter(existing: folder[name], name: name, stage: .copy, context: .sample())
    }

    private func stored(_ writer: StoreWriter) throws -> [String] {
        try writer.read(.copy) { store throws(GodwitError) in
            try store.rows("SELECT hex(CAST(value AS BLOB)) FROM V ORDER BY n").map { $0[0].readable }
        }
    }

    private func values(_ writer: StoreWriter) throws -> [Value] {
        try writer.read(.copy) { store throws(GodwitError) in
            try store.rows("SELECT value FROM V ORDER BY n").map { $0[0] }
        }
    }

    @Test("text is stored as the intended units, and read back unchanged", arguments: WideSample.encodings)
    func bound(encoding: String) throws {
        let writer = try writer(encoding)
        try writer.transaction(.copy) { store throws(GodwitError) in
            let insert = try store.prepare("INSERT INTO V(value) VALUES (?)")
            for sample in WideSample.all {
                try insert.bind(.text(sample.bytes), at: 1)
                try insert.run()
                try sample.bytes.withUnsafeBufferPointer { bytes throws(GodwitError) in
                    try insert.bind(text: UnsafeRawBufferPointer(bytes), at: 1)
                    try insert.run()
                }
            }
        }
        #expect(try stored(writer) == WideSample.all.flatMap { [$0.stored(in: encoding), $0.stored(in: encoding)] })
        #expect(try values(writer) == WideSample.all.flatMap { [Value.text($0.bytes), .text($0.bytes)] })
    }

    @Test(
        "text that SQLite made is read as its units: copied, in place and as JSON", arguments: WideSample.encodings)
    func read(encoding: String) throws {
        let rows = WideSample.all.map { "(\($0.sql(in: encoding)))" }.joined(separator: ", ")
        try SampleStore.make(
            folder["a.store"], encoding: encoding,
            "CREATE TABLE V(n INTEGER PRIMARY KEY, value); INSERT INTO V(value) VALUES \(rows)")
        let reader = try SQLiteReader(
            path: folder["a.store"], name: "a", stage: .copy, busyMilliseconds: 0, cancellation: Cancellation())
        let cursor = try reader.connection.prepare("SELECT value FROM V ORDER BY n")
        for sample in WideSample.all {
            #expect(try cursor.step())
            let (value, place) = (cursor.value(0), cursor.withBytes(0) { Array($0) })
            #expect(value == .text(sample.bytes), "\(sample)")
            #expect(place == sample.bytes, "\(sample)")
            var direct = JSONBuffer(capacity: 64)
            var expected = JSONBuffer(capacity: 64)
            cursor.write(column: 0, to: &direct)
            expected.append(.text(sample.bytes))
            #expect(direct.bytes == expected.bytes, "\(sample)")
        }
    }

    @Test(
        "columns bound from another row arrive unchanged, between any two stores",
        arguments: WideSample.encodings, WideSample.encodings)
    func carried(from: String, to: String) throws {
        let (source, target) = (try writer(from, "source.store"), try writer(to, "target.store"))
        try source.transaction(.copy) { from throws(GodwitError) in
            for sample in WideSample.all { try from.execute("INSERT INTO V(value) VALUES (?)", [.text(sample.bytes)]) }
            try target.transaction(.copy) { to throws(GodwitError) in
                let rows = try from.prepare("SELECT n, value FROM V ORDER BY n")
                let insert = try to.prepare("INSERT INTO V VALUES (?, ?)")
                while try rows.step() {
                    for place in 0..<2 { try insert.bind(column: place, of: rows, at: place + 1) }
                    try insert.run()
                }
                let mine = try from.prepare("SELECT value FROM V ORDER BY n")
                let theirs = try to.prepare("SELECT value FROM V ORDER BY n")
                while try mine.step(), try theirs.step() {
                    let (isEqual, order) = (mine.column(0, equals: 0, of: theirs), mine.compare(0, with: 0, of: theirs))
                    #expect(isEqual && order == 0)
                }
            }
        }
        #expect(try stored(target) == WideSample.all.map { $0.stored(in: to) })
    }

    @Test("two texts of one row are kept at the same time", arguments: WideSample.wideEncodings)
    func sideBySide(encoding: String) throws {
        let writer = try writer(encoding)
        try writer.read(.copy) { store throws(GodwitError) in
            let long = String(repeating: "é", count: 5000)
            let row = try store.prepare("SELECT ?1, ?2, ?1")
            try row.bind([.string(long), .string("x" + long)])
            #expect(try row.step())
            let (same, other) = (row.column(0, equals: 2, of: row), row.column(0, equals: 1, of: row))
            #expect(same && !other)
            let order = row.compare(0, with: 1, of: row)
            #expect(order > 0)
        }
    }

    @Test(
        "bytes that are not UTF-16 are rejected by a store in UTF-16, and kept by any other",
        arguments: [[0xFF], [0xC0, 0x80], [0x41, 0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80]] as [[UInt8]])
    func refused(_ bytes: [UInt8]) throws {
        for encoding in WideSample.wideEncodings {
            let writer = try writer(encoding, encoding)
            let error = failure {
                try writer.transaction(.copy) { store throws(GodwitError) in
                    try store.execute("INSERT INTO V(value) VALUES (?)", [.text(bytes)])
                }
            }
            #expect(error?.code == .data && error?.message.contains("UTF-16") == true)
            #expect(try values(writer) == [])
        }
        let writer = try writer("UTF-8")
        try writer.transaction(.copy) { store throws(GodwitError) in
            try store.execute("INSERT INTO V(value) VALUES (?)", [.text(bytes)])
        }
        #expect(try values(writer) == [.text(bytes)])
    }

    @Test("a text with an odd number of bytes is rejected wherever it is read", arguments: WideSample.wideEncodings)
    func odd(encoding: String) throws {
        try SampleStore.make(
            folder["made.store"], encoding: encoding, "CREATE TABLE V(value); INSERT INTO V VALUES (x'5A5A5A5A5A')")
        let made = try #require(try WideSample.makingOddText(of: folder.bytes(of: "made.store")))
        try folder.write(made, to: "odd.store")
        let reader = try SQLiteReader(
            path: folder["odd.store"], name: "odd", stage: .export, busyMilliseconds: 0, cancellation: Cancellation())
        // The text exists, and SQLite itself accepts it.
        try reader.checkIntegrity()
        #expect(try reader.connection.first("SELECT typeof(value) FROM V") == .string("text"))
        #expect(try reader.connection.first("SELECT CAST(value AS BLOB) FROM V") == .blob(Array("ZZZZZ".utf8)))
        let error = failure { try reader.connection.rows("SELECT value FROM V") }
        #expect(error?.code == .data && error?.stage == .export)
        #expect(error?.message.contains("odd number of bytes") == true)
    }

    @Test("a schema file sets the text encoding of an empty store that was already read")
    func schemaFile() throws {
        let writer = try StoreWriter(
            creatingTemporary: folder["new.store"], name: "new", stage: .import, context: .sample())
        try writer.transaction(.import) { store throws(GodwitError) in
            #expect(try store.first("SELECT 'x'") == .string("x"))
            try store.execute(schemaFile: "PRAGMA encoding='UTF-16be'; CREATE TABLE V(n INTEGER PRIMARY KEY, value);")
            for sample in WideSample.all { try store.execute("INSERT INTO V(value) VALUES (?)", [.text(sample.bytes)]) }
        }
        #expect(try stored(writer) == WideSample.all.map { $0.stored(in: "UTF-16be") })
        try writer.close(.import)
    }

    @Test(
        "records are sorted by their texts' bytes, equally in every encoding", arguments: WideSample.encodings)
    func order(encoding: String) throws {
        let samples = (WideSample.all + WideSample.all).shuffled()
        let rows = samples.map { "(\($0.sql(in: encoding)), NULL)" }.joined(separator: ", ")
        try SampleStore.make(
            folder["a.store"], encoding: encoding, "CREATE TABLE Note(id, at); INSERT INTO Note VALUES \(rows)")
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a", stage: .copy, context: .sample())
        let table = try snapshot.connection.table(
            for: Entity(name: "Note", key: "id"), in: snapshot.connection.readShape())
        let keys = try snapshot.connection.rows(table.selectInKeyOrder).map { $0[0] }
        #expect(keys == samples.map { Value.text($0.bytes) }.sorted())
    }
}
