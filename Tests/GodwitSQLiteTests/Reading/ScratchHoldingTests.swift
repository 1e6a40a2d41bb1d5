import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Testing

/// The checks before anything is removed from a private copy, or from a store that is being made.
struct ScratchHoldingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let store = try SampleStore(folder["user.store"])
        try store.execute("CREATE TABLE Bird(id TEXT)")
        try store.close()
    }

    private func code(of path: String, in scratch: ScratchDirectory) throws -> GodwitError.Code? {
        try code(of: path) { connection throws(GodwitError) in try scratch.requireHolding(connection) }
    }

    private func code(
        of path: String, _ check: (SQLiteConnection) throws(GodwitError) -> Void
    ) throws -> GodwitError.Code? {
        let writer = try StoreWriter(
            existing: path, name: "user.store", stage: .copy, context: RunContext(now: .epoch, makeIdentifier: { "A" }))
        defer { try? writer.close(.copy) }
        do throws(GodwitError) {
            try writer.transaction(.copy) { connection throws(GodwitError) in try check(connection) }
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a store in the scratch folder is accepted, and a user's own or another folder's is not")
    func guards() throws {
        let scratch = try ScratchDirectory(identifier: "HOLDING1")
        let clone = scratch.path + "/clone.store"
        try FileManager.default.copyItem(atPath: folder["user.store"], toPath: clone)
        #expect(try code(of: clone, in: scratch) == nil)
        #expect(try code(of: folder["user.store"], in: scratch) == .bug)
        let other = try ScratchDirectory(identifier: "HOLDING2")
        #expect(try code(of: clone, in: other) == .bug)
    }

    @Test(
        "seeds are removed from a store with a temporary name, and from no other",
        arguments: [
            (".godwit-tmp-NEWSTORE", true), (".godwit-import-NEWSTORE", true), ("user.store", false),
            ("godwit-tmp-user.store", false),
        ])
    func seeds(_ name: String, _ isTemporary: Bool) throws {
        let path = folder[name]
        if name != "user.store" { try FileManager.default.copyItem(atPath: folder["user.store"], toPath: path) }
        try SampleStore.make(path, "INSERT INTO Bird VALUES ('godwit')")
        let code = try code(of: path) { connection throws(GodwitError) in try connection.removeSeeds(ofTable: "Bird") }
        #expect(code == (isTemporary ? nil : .bug))
        #expect(try SampleStore(path).rows("SELECT id FROM Bird").count == (isTemporary ? 0 : 1))
    }
}
