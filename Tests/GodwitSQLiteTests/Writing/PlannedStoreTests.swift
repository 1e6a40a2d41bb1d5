import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Synchronization
import Testing

/// A store in a plan is only written if it is unchanged.
struct PlannedStoreTests {
    /// The role of a plan: the stamp of one store, and what an app does after the last check.
    private final class Plan: PlannedStores {
        private let stamp: Mutex<StoreStamp?>
        private let onLetGo: @Sendable () -> Void

        init(_ path: String, onLetGo: @escaping @Sendable () -> Void = {}) throws {
            stamp = Mutex(try StoreStamp(of: path, stage: .copy))
            self.onLetGo = onLetGo
        }

        var isLetGo: Bool { stamp.withLock { $0 == nil } }

        func requireUnwritten(_ path: String, stage: GodwitError.Stage) throws(GodwitError) -> Bool {
            guard let planned = stamp.withLock({ $0 }) else { return false }
            guard try StoreStamp(of: path, stage: stage) == planned else {
                throw GodwitError.changedSincePlan("a.store", stage)
            }
            return true
        }

        func letGo(of path: String) {
            onLetGo()
            stamp.withLock { $0 = nil }
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ journal: String) throws {
        try SampleStore.make(folder["a.store"], journal: journal, "CREATE TABLE Note(id); INSERT INTO Note VALUES (1)")
    }

    private func write(_ plan: Plan) throws {
        var context = RunContext.sample()
        context.planned = plan
        let writer = try StoreWriter(existing: folder["a.store"], name: "a.store", stage: .copy, context: context)
        try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.execute("INSERT INTO Note VALUES (2)")
        }
        try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.execute("INSERT INTO Note VALUES (3)")
        }
        try writer.close(.copy)
    }

    private func count() throws -> Int64 {
        let store = try SampleStore(folder["a.store"])
        defer { try? store.close() }
        return try store.integer("SELECT count(*) FROM Note")
    }

    private func appWrites() throws {
        let store = try SampleStore(folder["a.store"])
        try store.execute("INSERT INTO Note VALUES ('app')")
        try store.close()
    }

    @Test("a store as planned is written, in any number of transactions", arguments: ["DELETE", "WAL", "PERSIST"])
    func unchanged(_ journal: String) throws {
        try make(journal)
        let plan = try Plan(folder["a.store"])
        try write(plan)
        #expect(plan.isLetGo)
        try write(plan)
        #expect(try count() == 5)
    }

    @Test("a commit after the plan is noticed before the store is opened", arguments: ["DELETE", "WAL", "PERSIST"])
    func changedBefore(_ journal: String) throws {
        try make(journal)
        let plan = try Plan(folder["a.store"])
        try appWrites()
        let bytes = try folder.bytes(of: "a.store")
        #expect(failure { try write(plan) }?.code == .data)
        #expect(try folder.bytes(of: "a.store") == bytes)
    }

    @Test(
        "a commit between the last check and the first write is noticed in the transaction",
        arguments: ["DELETE", "WAL"])
    func changedBetween(_ journal: String) throws {
        try make(journal)
        let path = folder["a.store"]
        let plan = try Plan(path) {
            let store = try? SampleStore(path)
            try? store?.execute("INSERT INTO Note VALUES ('app')")
            try? store?.close()
        }
        let error = failure { try write(plan) }
        #expect(error?.code == .data)
        #expect(error?.message.contains("after it was compared with the plan") == true)
        #expect(try count() == 2)
    }

    @Test("a file is hashed in pieces as it is, and a journal without the names of existing files")
    func digest() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try folder.write(bytes, to: "large")
        let digest = try FileDigest(of: folder["large"], stage: .copy, context: .sample())
        #expect(digest?.size == 3_000_000)
        #expect(digest?.sha256 == sha256Hex(bytes))
        try folder.makeFIFO("waits")
        #expect(try FileDigest(of: folder["waits"], stage: .copy, context: .sample()) == nil)
        #expect(failure { try FileDigest(of: folder["none"], stage: .copy, context: .sample()) }?.code == .noInput)
    }

    @Test("a journal that names a file is hashed like its clone")
    func journal() throws {
        try folder.write("other", to: "other.store-mj")
        let name = Array(folder["other.store-mj"].utf8)
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let length = [UInt8](repeating: 0, count: 3) + [UInt8(name.count)]
        let body = [UInt8](repeating: 7, count: 600) + name
        try folder.write(body + length + [0, 0, 0, 0] + magic, to: "a.store-journal")
        let digest = try FileDigest(of: folder["a.store-journal"], isJournal: true, stage: .copy, context: .sample())
        #expect(digest?.sha256 == sha256Hex(body + length + [0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)))
        try folder.remove("other.store-mj")
        let whole = try FileDigest(of: folder["a.store-journal"], isJournal: true, stage: .copy, context: .sample())
        #expect(whole?.sha256 == sha256Hex(body + length + [0, 0, 0, 0] + magic))
    }
}
