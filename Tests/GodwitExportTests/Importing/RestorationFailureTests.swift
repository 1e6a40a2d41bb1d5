import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// A failed restore leaves nothing, and an existing target is never replaced.
struct RestorationFailureTests {
    private func prepared(records: Int = 3) throws -> Restoration {
        let restoration = try Restoration([Entity(name: "Item", key: "id")], schema: ["CREATE TABLE Item(id, a)"])
        try restoration.make {
            try $0.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(records))
                INSERT INTO Item SELECT i, i FROM n
                """)
        }
        try restoration.export()
        return restoration
    }

    @Test(
        "a restore that fails at any point leaves nothing, and the next one succeeds",
        arguments: [FaultPoint.beforeImportCommit, .afterImportCommit, .beforeImportRename])
    func fault(at point: FaultPoint) throws {
        let restoration = try prepared()
        let before = restoration.folder.names()
        let error = failure {
            try restoration.restore(
                context: .sample(
                    faultPoint: { reached throws(GodwitError) in
                        if reached == point { throw GodwitError(.import, .io, "A fault.") }
                    }))
        }
        #expect(error?.code == .io && error?.stage == .import)
        #expect(restoration.folder.names() == before)
        try restoration.restore()
        #expect(try restoration.rows("second.store", "Item").count == 3)
    }

    @Test(
        "a cancelled restore leaves nothing, and exits with the requested code",
        arguments: [GodwitError.Code.interrupted, .terminated])
    func cancelled(code: GodwitError.Code) throws {
        let restoration = try prepared(records: 20_000)
        let before = restoration.folder.names()
        let cancellation = Cancellation()
        let error = failure {
            try restoration.restore(
                context: .sample(
                    cancellation: cancellation,
                    progress: { step in
                        #expect(step.stage == .import)
                        if step.completed >= 8192 { cancellation.cancel(code) }
                    }))
        }
        #expect(error?.code == code)
        #expect(restoration.folder.names() == before)
    }

    @Test("an existing target is never replaced", arguments: ["", "-wal", "-journal", "-shm"])
    func existing(suffix: String) throws {
        let restoration = try prepared()
        try restoration.folder.write("mine", to: "second.store" + suffix)
        let error = failure { try restoration.restore() }
        #expect(error?.code == .cannotCreate)
        #expect(error?.message.contains("second.store\(suffix)` already exists") == true)
        #expect(try restoration.folder.text(of: "second.store" + suffix) == "mine")
        #expect(restoration.leftovers.isEmpty)
    }

    @Test("a dangling link counts as an existing target")
    func danglingLink() throws {
        let restoration = try prepared()
        try restoration.folder.makeLink("second.store", to: "nowhere")
        #expect(failure { try restoration.restore() }?.code == .cannotCreate)
        #expect(!restoration.folder.exists("nowhere") && restoration.leftovers.isEmpty)
    }

    @Test("a file that takes the name during the restore stays")
    func takenMeanwhile() throws {
        let restoration = try prepared()
        let path = restoration.folder["second.store"]
        let error = failure {
            try restoration.restore(
                context: .sample(
                    faultPoint: { point throws(GodwitError) in
                        guard point == .beforeImportRename else { return }
                        try? Data("theirs".utf8).write(to: URL(filePath: path))
                    }))
        }
        #expect(error?.code == .cannotCreate)
        #expect(try restoration.folder.text(of: "second.store") == "theirs")
        #expect(restoration.leftovers.isEmpty)
    }

    @Test("a restore only reads the document")
    func source() throws {
        let restoration = try prepared()
        let before = try restoration.folder.fingerprint()
        try restoration.restore()
        try restoration.folder.remove("second.store")
        #expect(try restoration.folder.fingerprint().differences(from: before) == [])
    }

    @Test("a bad document leaves nothing, wherever the damage is")
    func badDocument() throws {
        let restoration = try prepared(records: 300)
        let before = restoration.folder.names()
        let bytes = try restoration.folder.bytes(of: "first.json")
        for count in stride(from: 0, to: bytes.count - 1, by: 997) {
            let error = failure { try restoration.restore(bytes: Array(bytes[..<count])) }
            #expect(error?.code == .data, "\(count)")
        }
        var spoiled = bytes
        let offset = try #require(bytes.indices.last { bytes[$0] == UInt8(ascii: "3") && $0 < bytes.count - 200 })
        spoiled[offset] = UInt8(ascii: "4")
        #expect(failure { try restoration.restore(bytes: spoiled) }?.message.contains("other content") == true)
        #expect(restoration.folder.names() == before)
    }

    @Test("a document that announces more records than Int64 holds is rejected")
    func endlessCounts() throws {
        let restoration = try prepared()
        let before = restoration.folder.names()
        let columns = #"[{"name": "id", "type": "TEXT"}, {"name": "a", "type": ""}]"#
        let announced = ["Item", "Other"].map { name in
            #"{"name": "\#(name)", "key": "id", "columns": \#(columns), "count": 9223372036854775807"#
        }
        let text = DocumentText { $0.description = announced.joined(separator: "}, ") }
        let error = failure { try restoration.restore(bytes: Array(text.lines.utf8)) }
        #expect(error?.code == .data)
        #expect(error?.message.contains("1 record of Item, but declares 9") == true, "\(error?.message ?? "")")
        #expect(restoration.folder.names() == before)
    }

    @Test("a new store is private, in rollback mode, sound, and without other files")
    func newStore() throws {
        let restoration = try prepared()
        try restoration.restore()
        let path = restoration.folder["second.store"]
        #expect(try FileStatus.of(path).map { $0.mode & 0o777 } == 0o600)
        #expect(restoration.folder.names().filter { $0.hasPrefix("second") } == ["second.store"])
        let store = try SampleStore(path)
        #expect(try store.text("PRAGMA journal_mode") == "delete")
        #expect(try store.text("PRAGMA integrity_check") == "ok")
    }

    @Test("leftovers of killed imports are removed unless an import is running, and other files never")
    func litter() throws {
        let folder = try TemporaryFolder()
        let names = [".godwit-import-0123ABCD", ".godwit-import-0123ABCD-journal"]
        let others = [".godwit-tmp-0123ABCD", "godwit-import-x", "import.store"]
        for name in names + others { try folder.write("x", to: name) }
        do {
            let lock = try ContainerLock(folder.path, mode: .shared, context: .sample())
            try ContainerLock.removeAbandonedRestorations(in: folder.path)
            #expect(folder.names().count == 5)
            _ = consume lock
        }
        try ContainerLock.removeAbandonedRestorations(in: folder.path)
        #expect(folder.names() == others.sorted())
    }
}
