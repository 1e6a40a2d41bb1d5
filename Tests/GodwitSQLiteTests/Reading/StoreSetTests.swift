import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

struct StoreSetTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal(_ name: String) -> GodwitError? {
        failure { _ = try StoreSet(folder[name], name: name, stage: .copy) }
    }

    @Test("a missing file, a folder and a FIFO give 66 as a store", arguments: ["absent", "folder", "pipe"])
    func noFile(name: String) throws {
        try folder.makeFolder("folder")
        try folder.makeFIFO("pipe")
        let error = refusal(name)
        #expect(error?.code == .noInput)
        #expect(error?.stage == .copy)
    }

    @Test(
        "an empty file, text, noise and a short header give 65 as a store",
        arguments: ["empty", "text", "noise", "short"])
    func noStore(name: String) throws {
        try folder.write("", to: "empty")
        try folder.write(String(repeating: "not a store\n", count: 100), to: "text")
        try folder.write((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }, to: "noise")
        try folder.write("SQLite format 3\0", to: "short")
        let error = refusal(name)
        #expect(error?.code == .data)
        #expect(error?.message == "`\(name)` is not a usable SQLite store")
        #expect(error?.hint?.contains(name == "empty" ? "so that it makes its tables" : "decrypted copy") == true)
    }

    /// A store that an app has encrypted, except for its first bytes.
    private func encrypt(_ name: String, from start: Int, pageSize: Int = 4096) throws {
        try SampleStore.make(
            folder[name],
            "PRAGMA page_size=\(pageSize); CREATE TABLE Note(id TEXT, body TEXT); INSERT INTO Note VALUES ('a', 'text')"
        )
        var bytes = try folder.bytes(of: name)
        var generator = SeededGenerator(seed: 18)
        for index in bytes.indices.dropFirst(start) { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        try folder.write(bytes, to: name)
    }

    @Test(
        "a store that is encrypted except for its first bytes is reported as encrypted",
        arguments: [24, 32, 48, 64, 100],
        [512, 4096, 65_536])
    func encrypted(_ start: Int, _ pageSize: Int) throws {
        try encrypt("a.store", from: start, pageSize: pageSize)
        let error = refusal("a.store")
        #expect(error?.code == .data)
        #expect(error?.message == "`a.store` is not a usable SQLite store")
        #expect(error?.underlying?.contains("it is encrypted") == true)
        #expect(error?.hint == "If the app encrypts this store, give Godwit a decrypted copy.")
        // A log or journal in the same folder may contain the pages, so SQLite decides.
        try folder.write([UInt8](repeating: 0x20, count: 600), to: "a.store-journal")
        #expect(refusal("a.store") == nil)
        let opened = failure {
            _ = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .copy, context: .sample())
        }
        #expect(opened?.hint == error?.hint)
    }

    @Test("a sound store with much text in its first page does not count as encrypted")
    func notEncrypted() throws {
        let columns = (0..<60).map { "\"\(String(UnicodeScalar(0x4E00 + $0 * 97) ?? "x"))\($0)\" TEXT" }
        try SampleStore.make(
            folder["a.store"],
            "CREATE TABLE \"日本語\"(\(columns.joined(separator: ", "))); CREATE TABLE t(x); INSERT INTO t VALUES (randomblob(90000))"
        )
        #expect(refusal("a.store") == nil)
        _ = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .copy, context: .sample())
    }

    @Test(
        "next to an empty file its -wal file is named, which the next opening would delete",
        arguments: ["wal", "journal"])
    func emptyWithLog(suffix: String) throws {
        try folder.write("", to: "a.store")
        try folder.write("", to: "a.store-\(suffix)")
        #expect(refusal("a.store")?.hint?.contains("Open the app once") == true)
        try folder.write("records", to: "a.store-\(suffix)")
        let error = refusal("a.store")
        #expect(error?.code == .data)
        #expect(error?.hint?.contains("Copy a.store-\(suffix) (7 bytes") == true)
        #expect(error?.hint?.contains("Open the app once") == false)
    }

    @Test("a store that is truncated in its last page gives 65, unless a journal or -wal file may restore it")
    func cutOff() throws {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id); INSERT INTO Note VALUES (zeroblob(9000))")
        let whole = try folder.bytes(of: "a.store")
        _ = try StoreSet(folder["a.store"], name: "a.store", stage: .copy)
        try folder.write(Array(whole.dropLast()), to: "a.store")
        let error = refusal("a.store")
        #expect(error?.code == .data)
        #expect(error?.underlying == "\(whole.count - 1) bytes instead of \(whole.count)")
        try folder.write([UInt8](repeating: 0x20, count: 600), to: "a.store-journal")
        #expect(refusal("a.store") == nil)
    }

    @Test("a store that an app extends during the check does not count as truncated", arguments: [1, 3])
    func growsMeanwhile(commits: Int) throws {
        let path = folder["a.store"]
        try SampleStore.make(path, "CREATE TABLE Note(id)")
        var left = commits
        let set = try StoreSet(path, name: "a.store", stage: .copy) {
            guard left > 0 else { return }
            left -= 1
            do {
                try SampleStore.make(path, "INSERT INTO Note VALUES (zeroblob(9000))")
            } catch { Issue.record(error) }
        }
        #expect(left == 0)
        #expect(try (set.header?.pageCount ?? 0) * 4096 == Int64(folder.bytes(of: "a.store").count))
    }

    @Test("a link or folder as a companion is rejected", arguments: ["-wal", "-journal"])
    func linkedCompanion(suffix: String) throws {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id)")
        try folder.write("another program's", to: "precious")
        try folder.makeLink("a.store" + suffix, to: "precious")
        #expect(refusal("a.store")?.code == .data)
        try folder.remove("a.store" + suffix)
        try folder.makeFolder("a.store" + suffix)
        #expect(refusal("a.store")?.code == .data)
        #expect(try folder.text(of: "precious") == "another program's")
    }

    @Test("header and companions are reported, and nothing changes")
    func describes() throws {
        try SampleStore.make(folder["a.store"], "PRAGMA page_size=8192; CREATE TABLE Note(id)")
        try folder.write("", to: "a.store-journal")
        let before = try folder.fingerprint()
        let set = try StoreSet(folder["a.store"], name: "a.store", stage: .copy)
        #expect(set.header?.pageSize == 8192)
        #expect(set.header?.isWAL == false)
        #expect(set.companions == StoreCompanions(journalSize: 0))
        #expect(set.warnings(name: "a.store").isEmpty)
        #expect(try folder.fingerprint().differences(from: before) == [])
    }

    @Test("the store's date is that of its -wal file if that is newer and has data")
    func date() throws {
        let app = try SampleStore(folder["a.store"], journal: "WAL", "CREATE TABLE Note(id)")
        try folder.copyStore("a.store", to: "b.store")
        try folder.setModified(seconds: 1000, of: "b.store")
        try folder.setModified(seconds: 2000, of: "b.store-wal")
        #expect(try StoreSet(folder["b.store"], name: "b", stage: .copy).modified == Instant(seconds: 2000))
        try folder.write("", to: "b.store-wal")
        try folder.setModified(seconds: 3000, of: "b.store-wal")
        #expect(try StoreSet(folder["b.store"], name: "b", stage: .copy).modified == Instant(seconds: 1000))
        try app.close()
    }

    @Test("a WAL store without its -wal file gives a warning, and other stores do not")
    func walMissing() throws {
        let app = try SampleStore(folder["a.store"], journal: "WAL", "CREATE TABLE Note(id)")
        try folder.copyStore("a.store", to: "with.store")
        try folder.copyStore("a.store", to: "without.store", companions: [])
        try app.close()
        // The main file shows the mode only after the log was checkpointed.
        try folder.copyStore("a.store", to: "without.store", companions: [])
        let warnings = try StoreSet(folder["without.store"], name: "Library/without.store", stage: .copy)
            .warnings(name: "Library/without.store")
        #expect(warnings.map(\.code) == ["walMissing"])
        #expect(warnings.first?.message.contains("without.store-wal") == true)
        #expect(try StoreSet(folder["with.store"], name: "with", stage: .copy).warnings(name: "with").isEmpty)
    }
}
