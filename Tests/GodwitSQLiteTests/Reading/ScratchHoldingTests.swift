import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Testing

/// The check before anything is removed from a private copy.
struct ScratchHoldingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let store = try SampleStore(folder["user.store"])
        try store.execute("CREATE TABLE Bird(id TEXT)")
        try store.close()
    }

    private func code(of path: String, in scratch: ScratchDirectory) throws -> ExitCode? {
        let writer = try StoreWriter(
            existing: path, name: "user.store", stage: .copy, context: RunContext(now: .epoch, makeIdentifier: { "A" }))
        defer { try? writer.close(.copy) }
        do throws(GodwitError) {
            try writer.transaction(.copy) { connection throws(GodwitError) in
                try scratch.requireHolding(connection)
            }
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
}
