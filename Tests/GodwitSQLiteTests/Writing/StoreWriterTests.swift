import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Testing

struct StoreWriterTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ sql: String = "CREATE TABLE Note(id)", journal: String? = nil) throws {
        try SampleStore.make(folder["a.store"], journal: journal, sql)
    }

    private func open(_ context: RunContext = .sample()) throws -> StoreWriter {
        try StoreWriter(existing: folder["a.store"], name: "a.store", stage: .copy, context: context)
    }

    private func count() throws -> Int64 {
        let store = try SampleStore(folder["a.store"])
        defer { try? store.close() }
        return try store.integer("SELECT count(*) FROM Note")
    }

    @Test("a committed transaction is visible to others, and its result returned")
    func commits() throws {
        try make()
        let writer = try open()
        let changed = try writer.transaction(.copy) { connection throws(GodwitError) in
            #expect(connection.isInTransaction)
            try connection.execute("INSERT INTO Note VALUES (1), (2)")
            return connection.changedRows
        }
        #expect(changed == 2)
        #expect(try count() == 2)
        try writer.close(.copy)
        #expect(folder.names() == ["a.store"])
    }

    @Test("a -wal file that SQLite created is removed without a commit, and stays after one")
    func newLog() throws {
        try make(journal: "WAL")
        #expect(folder.names() == ["a.store"])
        func insert(_ writer: borrowing StoreWriter, failing: Bool) throws(GodwitError) {
            try writer.transaction(.copy) { connection throws(GodwitError) in
                try connection.execute("INSERT INTO Note VALUES (1)")
                if failing { throw GodwitError(.copy, .data, "Stop.") }
            }
        }
        do {
            let writer = try open()
            #expect(failure { try insert(writer, failing: true) } != nil)
            #expect(folder.names().contains("a.store-wal"))
        }
        #expect(folder.names() == ["a.store"])
        do {
            let reader = try open()
            #expect(try reader.read(.copy) { store throws(GodwitError) in try store.countRecords(of: "Note") } == 0)
            try reader.close(.copy)
        }
        #expect(folder.names() == ["a.store"])
        let writer = try open()
        #expect(failure { try insert(writer, failing: true) } != nil)
        try insert(writer, failing: false)
        try writer.close(.copy)
        #expect(folder.names().contains("a.store-wal"))
        // The store exists now.
        do {
            let writer = try open()
            #expect(failure { try insert(writer, failing: true) } != nil)
        }
        #expect(folder.names().contains("a.store-wal"))
        #expect(try count() == 1)
    }

    @Test("any error rolls everything back, schema changes included, and the writer continues")
    func rollsBack() throws {
        try make()
        let writer = try open()
        let error = failure {
            try writer.transaction(.dedupe) { connection throws(GodwitError) in
                try connection.execute("CREATE TABLE More(id)")
                try connection.execute("INSERT INTO Note VALUES (1)")
                throw GodwitError(.dedupe, .data, "Stop.")
            }
        }
        #expect(error?.message == "Stop.")
        try writer.read(.copy) { connection throws(GodwitError) in
            #expect(!connection.isInTransaction)
            #expect(try !connection.hasTable("More"))
        }
        #expect(try count() == 0)
        try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.execute("INSERT INTO Note VALUES (1)")
        }
        #expect(try count() == 1)
    }

    @Test(
        "a cancelled wait for a store in use ends with the reason",
        .hangGuard, arguments: [GodwitError.Code.interrupted, .terminated])
    func cancelledWhileWaiting(code: GodwitError.Code) throws {
        try make()
        let app = try SampleStore(folder["a.store"])
        try app.execute("BEGIN EXCLUSIVE")
        let cancellation = Cancellation()
        cancellation.cancel(code)
        // An hour: a writer that ignores the cancellation exceeds the time limit.
        let context = RunContext.sample(cancellation: cancellation, lockTimeoutMilliseconds: 3_600_000)
        let written = failure {
            try open(context).transaction(.copy) { connection throws(GodwitError) in
                try connection.execute("INSERT INTO Note VALUES (1)")
            }
        }
        #expect(written?.code == code)
        let read = failure {
            _ = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .copy, context: context)
        }
        #expect(read?.code == code)
        try app.execute("ROLLBACK")
        #expect(try count() == 0)
    }

    @Test("a store in use is waited for until the timeout, then gives 75")
    func waitsForAWriter() throws {
        try make()
        let app = try SampleStore(folder["a.store"])
        try app.execute("BEGIN EXCLUSIVE")
        let start = ContinuousClock.now
        let error = failure {
            try open(.sample(lockTimeoutMilliseconds: 200)).transaction(.copy) { connection throws(GodwitError) in
                try connection.execute("INSERT INTO Note VALUES (1)")
            }
        }
        #expect(error?.code == .busy)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        try app.execute("ROLLBACK")
    }

    @Test(
        "a run cancelled at any step, even the last, commits nothing",
        arguments: [
            GodwitError.Code.interrupted, .terminated,
        ])
    func cancelled(code: GodwitError.Code) throws {
        try make()
        let cancellation = Cancellation()
        let writer = try open(.sample(cancellation: cancellation))
        let error = failure {
            try writer.transaction(.copy) { connection throws(GodwitError) in
                try connection.execute("INSERT INTO Note VALUES (1)")
                cancellation.cancel(code)
            }
        }
        #expect(error?.code == code)
        #expect(try count() == 0)
    }

    @Test("a running statement ends when the run is cancelled, with the signal's code")
    func interrupted() throws {
        try make("CREATE TABLE Note(id)")
        let cancellation = Cancellation()
        let writer = try open(.sample(cancellation: cancellation))
        let error = failure {
            try writer.transaction(.copy) { connection throws(GodwitError) in
                cancellation.cancel(.terminated)
                try connection.execute(
                    "INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n")
            }
        }
        #expect(error?.code == .terminated)
        #expect(error?.stage == .copy)
        #expect(try count() == 0)
    }

    @Test("a store that another process writes gives 75 after the timeout", arguments: ["DELETE", "WAL"])
    func busy(journal: String) throws {
        try make(journal: journal)
        let app = try SampleStore(folder["a.store"])
        let writer = try open(.sample(lockTimeoutMilliseconds: 50))
        try app.execute("BEGIN IMMEDIATE")
        let error = failure {
            try writer.transaction(.copy) { _ throws(GodwitError) in Issue.record("the body must not run") }
        }
        #expect(error?.code == .busy)
        #expect(error?.stage == .copy)
        try app.execute("ROLLBACK")
        try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.execute("INSERT INTO Note VALUES (1)")
        }
        try app.close()
        try writer.close(.copy)
    }

    @Test(
        "Dispatch's queue objects are freed with their writer, or kept if there is no thread to free them",
        arguments: [true, false])
    func queue(hasThread: Bool) {
        final class Owner {}
        weak var kept: Owner?
        do {
            let owner = Owner()
            kept = owner
            StoreWriter.letGo(of: owner) { hasThread ? WorkerThread($0) : nil }
        }
        #expect((kept == nil) == hasThread)
    }

    @Test("a writer waits for another one")
    func waits() async throws {
        try make()
        let app = try SampleStore(folder["a.store"], "BEGIN IMMEDIATE; INSERT INTO Note VALUES (1)")
        let writer = try open(.sample(lockTimeoutMilliseconds: 60_000))
        Thread.detachNewThread {
            usleep(50_000)
            try? app.execute("COMMIT")
        }
        let count = try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.countRecords(of: "Note")
        }
        #expect(count == 1)
    }

    @Test(
        "an existing store keeps its journal mode, and is flushed at least fully",
        arguments: [("WAL", "wal"), ("DELETE", "delete")])
    func keepsMode(journal: String, mode: String) throws {
        try make(journal: journal)
        let writer = try open()
        try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.execute("INSERT INTO Note VALUES (1)")
        }
        try writer.read(.copy) { connection throws(GodwitError) in
            #expect(try connection.first("PRAGMA journal_mode") == .string(mode))
            #expect(try connection.first("PRAGMA synchronous") == .integer(3))
            #expect(try connection.first("PRAGMA foreign_keys") == .integer(1))
            #expect(try connection.first("PRAGMA mmap_size") ?? .integer(0) == .integer(0))
        }
        try writer.close(.copy)
        let set = try StoreSet(folder["a.store"], name: "a", stage: .copy)
        #expect(set.header?.isWAL == (mode == "wal"))
        // A WAL store without a log would give a warning.
        #expect((set.companions.walSize != nil) == (mode == "wal"))
        #expect(set.warnings(name: "a").isEmpty)
    }

    @Test("a new store is made under its temporary name, private, in rollback mode, flushed with its folder")
    func creates() throws {
        let path = OwnFiles.temporaryPath(nextTo: folder["new.store"], identifier: "12345678")
        let writer = try StoreWriter(creatingTemporary: path, name: "new.store", stage: .schema, context: .sample())
        try writer.transaction(.schema) { connection throws(GodwitError) in
            try connection.execute("CREATE TABLE Note(id)")
            #expect(try connection.first("PRAGMA journal_mode") == .string("delete"))
            #expect(try connection.first("PRAGMA synchronous") == .integer(3))
        }
        try writer.close(.schema)
        #expect(folder.names() == [".godwit-tmp-12345678"])
        #expect(try FileStatus.of(path).map { $0.mode & 0o777 } == 0o600)
        let again = failure {
            _ = try StoreWriter(creatingTemporary: path, name: "new.store", stage: .schema, context: .sample())
        }
        #expect(again?.code == .cannotCreate)
    }

    @Test(
        "a missing store is not created: 66, and a file that is not a store is not written",
        arguments: [
            ("absent", GodwitError.Code.noInput), ("folder", .noInput), ("pipe", .noInput), ("text", .data),
            ("empty", .data),
        ])
    func refuses(name: String, code: GodwitError.Code) throws {
        try folder.makeFolder("folder")
        try folder.makeFIFO("pipe")
        try folder.write("just text", to: "text")
        try folder.write("", to: "empty")
        let before = try folder.fingerprint()
        let error = failure {
            _ = try StoreWriter(existing: folder[name], name: name, stage: .schema, context: .sample())
        }
        #expect(error?.code == code)
        #expect(error?.stage == .schema)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test(
        "a hot journal is rolled back when the store is opened for writing, and one that names another file is rejected"
    )
    func hotJournal() throws {
        try HotJournal.make(in: folder, "a.store")
        try folder.copyStore("a.store", to: "b.store")
        let writer = try open()
        let torn = try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.first("SELECT count(*) FROM Note WHERE body <> 'kept'")
        }
        #expect(torn == .integer(0))
        try folder.write("another program's only copy", to: "precious")
        try HotJournal.nameSuperJournal(folder["precious"], in: folder, "b.store-journal")
        let before = try folder.fingerprint()
        let error = failure {
            _ = try StoreWriter(existing: folder["b.store"], name: "b.store", stage: .copy, context: .sample())
        }
        #expect(error?.code == .data)
        #expect(try folder.fingerprint().differences(from: before) == [])
        // A dry run has a clone without the name, and must give the same result.
        try folder.makeFolder("clones")
        let clone = try StoreClone.make(
            of: folder["b.store"], name: "b.store", in: folder["clones"], stage: .copy, context: .sample())
        let again = failure { _ = try StoreWriter(existing: clone, name: "b.store", stage: .copy, context: .sample()) }
        #expect(again?.code == .data && again?.message == error?.message)
    }

    @Test("a foreign key that would be broken is rejected")
    func foreignKeys() throws {
        try make("CREATE TABLE Note(id PRIMARY KEY); CREATE TABLE Line(note REFERENCES Note(id))")
        let writer = try open()
        let error = failure {
            try writer.transaction(.copy) { connection throws(GodwitError) in
                try connection.execute("INSERT INTO Line VALUES ('nowhere')")
            }
        }
        #expect(error?.code == .data)
    }

    @Test(
        "the schema cannot be edited directly, and no extension is loaded",
        arguments: [
            "UPDATE sqlite_schema SET sql = ''", "SELECT load_extension('/tmp/x.so')",
        ])
    func defensive(sql: String) throws {
        try make()
        let writer = try open()
        let error = failure {
            try writer.transaction(.copy) { connection throws(GodwitError) in
                _ = try? connection.execute("PRAGMA writable_schema=ON")
                try connection.execute(sql)
            }
        }
        #expect(error?.code == .data)
    }

    @Test("a store in a read-only format gives 65, unchanged")
    func readOnlyFormat() throws {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id)")
        var bytes = try folder.bytes(of: "a.store")
        bytes[18] = 9
        try folder.write(bytes, to: "a.store")
        let before = try folder.fingerprint()
        let error = failure {
            _ = try StoreWriter(existing: folder["a.store"], name: "a.store", stage: .copy, context: .sample())
        }
        #expect(error?.code == .data)
        #expect(error?.message.hasPrefix("`a.store` has a newer file format than this SQLite (3.") == true)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test(
        "a store with a second name is not written, and neither is one with such a companion",
        arguments: ["", "-wal", "-shm", "-journal"])
    func severalNames(suffix: String) throws {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id)")
        if !suffix.isEmpty { try folder.write("", to: "a.store" + suffix) }
        try folder.makeHardLink("backup", to: "a.store" + suffix)
        let before = try folder.fingerprint()
        let error = failure {
            _ = try StoreWriter(existing: folder["a.store"], name: "a.store", stage: .copy, context: .sample())
        }
        #expect(error?.code == .data)
        #expect(
            error?.message
                == "`a.store\(suffix)` is one file with 2 names, so a write would change it under its other names")
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("a -shm file that is a link or a folder is rejected before SQLite opens it")
    func foreignIndex() throws {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id)")
        try folder.write("another program's", to: "precious")
        try folder.makeLink("a.store-shm", to: "precious")
        let open = { _ = try StoreWriter(existing: folder["a.store"], name: "a", stage: .copy, context: .sample()) }
        #expect(failure(of: open)?.code == .data)
        try folder.remove("a.store-shm")
        try folder.makeFolder("a.store-shm")
        #expect(failure(of: open)?.message == "`a-shm` is not a regular file")
        #expect(try folder.text(of: "precious") == "another program's")
    }
}
