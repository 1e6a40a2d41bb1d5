import GodwitModel
import GodwitSQLite
import Foundation
import GRDB
import Testing

/// Writing to a store in WAL mode keeps its log file: an emptied log is not a missing one.
struct PersistentLogTests {
    @Test("a WAL store keeps its -wal file if Godwit closed the last connection")
    func logIsKept() throws {
        let folder = NSTemporaryDirectory() + "godwit-log-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/app.store"
        var configuration = Configuration()
        configuration.journalMode = .wal
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
            try queue.close()
        }
        let context = RunContext(now: .epoch, makeIdentifier: { UUID().uuidString })
        let writer = try StoreWriter(existing: path, name: "app.store", stage: .schema, context: context)
        try writer.transaction(.schema) { store throws(GodwitError) in
            try store.execute("INSERT INTO t VALUES (2)")
        }
        try writer.close(.schema)

        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        let snapshot = try StoreSnapshot(of: path, name: "app.store", stage: .verify, context: context)
        #expect(snapshot.warnings.isEmpty)
        #expect(try snapshot.connection.countRecords(of: "t") == 2)
    }
}
