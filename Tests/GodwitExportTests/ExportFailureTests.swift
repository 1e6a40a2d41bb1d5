import GodwitFiles
import GodwitModel
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// Exports that fail, and targets that already exist.
struct ExportFailureTests {
    private static let many = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO Item SELECT i, i, i FROM n
        """

    @Test(
        "a cancelled export leaves no file, and exits with the requested code",
        arguments: [GodwitError.Code.interrupted, .terminated])
    func cancelled(code: GodwitError.Code) throws {
        let fixture = try ExportFixture.items(Self.many)
        let cancellation = Cancellation()
        let error = failure {
            try fixture.export(
                context: .sample(
                    cancellation: cancellation,
                    progress: { step in
                        #expect(step.stage == .export)
                        #expect(step.total == 20_000)
                        if step.completed >= 8192 { cancellation.cancel(code) }
                    }))
        }
        #expect(error?.code == code)
        #expect(error?.stage == .export)
        #expect(fixture.folder.names(in: "exports").isEmpty)
    }

    @Test("a small export can be cancelled too")
    func cancelledSmall() throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES (1, 2, 3)")
        let cancellation = Cancellation()
        cancellation.cancel()
        // Opening and scanning happen without the cancellation, so that only the writing is tested.
        #expect(failure { try fixture.export(context: .sample(cancellation: cancellation)) }?.code == .interrupted)
        #expect(fixture.folder.names(in: "exports").isEmpty)
    }

    @Test("a document that is not renamed leaves nothing, and has all its bytes until then")
    func abandoned() throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES (1, 2, 3)")
        do {
            let finished = try fixture.write()
            let name = PathText.lastPart(of: finished.file.temporaryPath)
            #expect(fixture.folder.names(in: "exports") == [name])
            #expect(name.hasPrefix(OwnFiles.temporaryPrefix))
            #expect(try finished.file.size() == finished.written.bytes)
        }
        #expect(fixture.folder.names(in: "exports").isEmpty)
    }

    /// Overwrites a byte of the only file in a folder after the writer's thread has written that byte.
    private static func damage(_ folder: TemporaryFolder, at offset: Int) {
        guard let name = folder.names(in: "exports").first else { return }
        let path = folder["exports/" + name]
        let patience = Date().addingTimeInterval(60)
        while let status = try? FileStatus.of(path), status.size <= offset, Date() < patience { usleep(1000) }
        guard let handle = FileHandle(forUpdatingAtPath: path) else { return }
        try? handle.seek(toOffset: UInt64(offset))
        try? handle.write(contentsOf: [0x21])
        try? handle.close()
    }

    @Test("a document that differs when it is read back is rejected and leaves no file")
    func damaged() throws {
        let fixture = try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
            INSERT INTO Item SELECT i, printf('%0500d', i), i FROM n
            """)
        let folder = fixture.folder
        let error = failure {
            try fixture.export(
                context: .sample(progress: { step in
                    if step.completed >= 8192 { Self.damage(folder, at: 500_000) }
                }))
        }
        #expect(error?.code == .io)
        #expect(error?.message.contains("does not read back") == true)
        #expect(folder.names(in: "exports").isEmpty)
    }

    @Test("a truncated document is rejected and leaves no file")
    func truncated() throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES (1, 2, 3)")
        let finished = try fixture.write()
        let path = finished.file.temporaryPath
        try FileHandle(forUpdating: URL(filePath: path)).truncate(atOffset: 100)
        let error = failure { try finished.proof.require(finished.file, .sample()) }
        #expect(error?.code == .io)
        #expect(error?.message.contains("does not read back") == true)
    }

    @Test("an existing file is rejected and unchanged")
    func exists() throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES (1, 2, 3)")
        try fixture.folder.write("theirs", to: "exports/e.json")
        let before = try fixture.folder.fingerprint()
        let error = failure { try fixture.export() }
        #expect(error?.code == .cannotCreate)
        #expect(error?.stage == .export)
        let after = try fixture.folder.fingerprint()
        #expect(after.files["exports/e.json"] == before.files["exports/e.json"])
        #expect(fixture.folder.names(in: "exports") == ["e.json"])
    }

    @Test("a dangling link counts as existing")
    func danglingLink() throws {
        let fixture = try ExportFixture.items("")
        try fixture.folder.makeLink("exports/e.json", to: "nowhere")
        #expect(failure { try fixture.export() }?.code == .cannotCreate)
        #expect(fixture.folder.names(in: "exports") == ["e.json"])
    }

    @Test("an existing file is replaced on request")
    func replaces() throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES (1, 2, 3)")
        let later = "11111111-AAAA-4AAA-8AAA-AAAAAAAAAAAA"
        try fixture.export()
        try fixture.export(identifier: later, replacing: true)
        #expect(try fixture.document()["exportId"] as? String == later)
        #expect(fixture.folder.names(in: "exports") == ["e.json"])
        #expect(try FileStatus.of(fixture.folder["exports/e.json"])?.mode == 0o100_644)
    }

    @Test("a missing folder is rejected")
    func missingFolder() throws {
        let fixture = try ExportFixture.items("")
        #expect(failure { try fixture.export(to: "none/e.json") }?.code == .cannotCreate)
    }

    @Test("an export keeps every byte of the store", arguments: ["DELETE", "WAL"])
    func readOnly(journal: String) throws {
        let fixture = try ExportFixture.items("")
        let app = try SampleStore(fixture.folder["C.store"], journal: journal, "INSERT INTO Item VALUES (1, 2, 3)")
        let before = try fixture.folder.fingerprint()
        try fixture.export()
        let after = try fixture.folder.fingerprint()
        for name in before.names where name.hasPrefix("C.store") { #expect(after.files[name] == before.files[name]) }
        #expect(after.names.filter { $0.hasPrefix("C.store") } == before.names.filter { $0.hasPrefix("C.store") })
        #expect(try fixture.records() == [#"{"id":"1","a":2,"b":3}"#])
        try app.close()
    }

    @Test("only a file that begins like an export is recognized as one")
    func recognition() throws {
        let fixture = try ExportFixture.items("")
        try fixture.export()
        #expect(try ExportStage.appOfExport(at: fixture.folder["exports/e.json"]) != nil)
        for text in ["", "{", "{\"$schema\": \"urn:other\"}", " {\"$schema\": \"urn:godwit:schema:export:1\"}"] {
            try fixture.folder.write(text, to: "exports/other.json")
            #expect(try ExportStage.appOfExport(at: fixture.folder["exports/other.json"]) == nil)
        }
        #expect(failure { try ExportStage.appOfExport(at: fixture.folder["none"]) }?.code == .noInput)
    }
}
