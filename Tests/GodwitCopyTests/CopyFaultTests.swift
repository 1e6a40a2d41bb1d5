import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Synchronization
import Testing

/// A copy that fails between any two of its steps, and is run again.
struct CopyFaultTests {
    static let points: [FaultPoint] = [
        .beforeCopyCommit, .afterCopyCommit, .beforeRenameIntoPlace, .beforeFlag, .afterFlag,
    ]

    private static func prepare(hasCloud: Bool) throws -> CopyFixture {
        let fixture = try CopyFixture.items()
        try fixture.local(
            """
            INSERT INTO Item VALUES ('a', 'local', 1, 2), ('b', 'local', 1, 1), ('c', 'same', 1, 1), ('d', 'local', 1, 1)
            """
        ).close()
        if hasCloud {
            try fixture.cloud(
                """
                INSERT INTO Item VALUES ('a', 'cloud', 1, 1), ('b', 'cloud', 1, 2), ('c', 'same', 1, 1),
                ('z', 'cloud', 1, 1)
                """
            ).close()
        }
        try fixture.folder.write(#"{"units":"kg"}"#, to: "prefs.txt")
        return fixture
    }

    /// The steps of a run from the copy on: copies and sets the flag, unless the flag is true.
    private static func run(_ fixture: CopyFixture, _ fault: Fault?, run: String) throws(GodwitError) {
        let context = RunContext.sample(
            faultPoint: { point throws(GodwitError) in try fault?.meet(point) })
        let flag: CompletionFlag
        do { flag = try fixture.flag() } catch { throw GodwitError(.copy, .bug, "\(error)") }
        guard try !flag.isSet() else { return }
        try fixture.copy(context, run: run)
        try flag.set(context: context)
    }

    private static let items = "SELECT * FROM Item ORDER BY id"
    private static let removed = "SELECT entity, key, record, reason, winnerKey FROM godwit_removed ORDER BY id"

    @Test(
        "after a fault, the second run gives the same result as an undisturbed run", arguments: points, [true, false])
    func recovers(point: FaultPoint, hasCloud: Bool) throws {
        guard !(hasCloud && point == .beforeRenameIntoPlace) else { return }
        let undisturbed = try Self.prepare(hasCloud: hasCloud)
        try Self.run(undisturbed, nil, run: "RUN-1")
        let fixture = try Self.prepare(hasCloud: hasCloud)
        let local = try fixture.localFingerprint()
        let cloud = try FolderFingerprint(fixture.folder["cloud"])

        let fault = Fault(at: point)
        let error = failure { try Self.run(fixture, fault, run: "RUN-1") }
        #expect(error?.code == .io)
        #expect(fault.wasMet)
        try Self.expectNothingHalfDone(fixture, cloud, hasCloud, point)

        try Self.run(fixture, fault, run: "RUN-2")
        #expect(try fixture.cloudRows(Self.items) == undisturbed.cloudRows(Self.items))
        #expect(try fixture.cloudRows(Self.removed) == undisturbed.cloudRows(Self.removed))
        #expect(try fixture.cloudRows("SELECT count(*) FROM godwit_receipt") == [[.integer(1)]])
        #expect(try fixture.folder.text(of: "prefs.txt") == #"{"units":"kg","copied":true}"#)
        #expect(try fixture.localFingerprint().differences(from: local).isEmpty)
        #expect(fixture.folder.names() == ["cloud", "local", "prefs.txt"])
        #expect(fixture.cloudNames == ["C.store"])
    }

    /// Between the two runs: no temporary file; a cloud store that is missing, unchanged or complete; and no flag too
    /// early.
    private static func expectNothingHalfDone(
        _ fixture: CopyFixture, _ before: FolderFingerprint, _ hasCloud: Bool, _ point: FaultPoint
    ) throws {
        #expect(fixture.folder.names() == ["cloud", "local", "prefs.txt"])
        #expect(try fixture.flag().isSet() == (point == .afterFlag))
        switch point {
        case .beforeCopyCommit:
            #expect(fixture.cloudNames == before.names)
            guard hasCloud else { return }
            #expect(try fixture.cloudText("SELECT title FROM Item ORDER BY id") == "cloud cloud same cloud")
            #expect(try fixture.cloudRows("SELECT name FROM sqlite_schema WHERE name LIKE 'godwit%'").isEmpty)
        case .afterCopyCommit, .beforeRenameIntoPlace:
            #expect(fixture.cloudNames == before.names)
            if hasCloud { #expect(try fixture.prove().allSatisfy(\.holds)) }
        default:
            #expect(fixture.cloudNames == ["C.store"])
            #expect(try fixture.prove().allSatisfy(\.holds))
            #expect(try fixture.cloudText("SELECT stage FROM godwit_receipt") == "copy")
        }
    }

    @Test(
        "a cancelled copy leaves nothing, and exits with the requested code",
        arguments: [GodwitError.Code.interrupted, .terminated])
    func cancelledBefore(code: GodwitError.Code) throws {
        for hasCloud in [true, false] {
            let fixture = try Self.prepare(hasCloud: hasCloud)
            let cancellation = Cancellation()
            let error = failure {
                try fixture.copy(
                    .sample(
                        cancellation: cancellation,
                        faultPoint: { point throws(GodwitError) in
                            if point == .beforeCopyCommit { cancellation.cancel(code) }
                        }))
            }
            #expect(error?.code == code)
            #expect(fixture.cloudNames == (hasCloud ? ["C.store"] : []))
            guard hasCloud else { continue }
            #expect(try fixture.cloudText("SELECT title FROM Item ORDER BY id") == "cloud cloud same cloud")
        }
    }

    @Test("a copy cancelled among many records is rolled back", arguments: [true, false])
    func cancelledMidway(hasCloud: Bool) throws {
        let fixture = try CopyFixture.items()
        try fixture.local(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
            INSERT INTO Item SELECT printf('k%05d', i), i, NULL, i FROM n;
            """
        ).close()
        if hasCloud { try fixture.cloud("INSERT INTO Item VALUES ('z', 'cloud', 1, 1)").close() }
        let cancellation = Cancellation()
        let error = failure {
            try fixture.copy(.sample(cancellation: cancellation, progress: { _ in cancellation.cancel() }))
        }
        #expect(error?.code == .interrupted)
        #expect(fixture.cloudNames == (hasCloud ? ["C.store"] : []))
        if hasCloud { #expect(try fixture.cloudText("SELECT id FROM Item") == "z") }
    }

    @Test("records of another device between commit and check do not fail the check")
    func arrivalAfterCommit() throws {
        let fixture = try Self.prepare(hasCloud: true)
        let path = fixture.cloudPath
        let report = try fixture.copy(
            .sample(faultPoint: { point throws(GodwitError) in
                guard point == .afterCopyCommit else { return }
                let sql = """
                    INSERT INTO Item VALUES ('y', 'arrived', 1, 9);
                    UPDATE Item SET title = 'newer', updatedAt = 9 WHERE id = 'd'
                    """
                do { try SampleStore.make(path, sql) } catch { throw GodwitError(.copy, .bug, "\(error)") }
            }))
        #expect(report.outcome == .done)
    }

    @Test("a record lost between commit and check is found, and the message says that the copy was committed")
    func lossAfterCommit() throws {
        let fixture = try Self.prepare(hasCloud: true)
        let path = fixture.cloudPath
        let error = failure {
            try fixture.copy(
                .sample(faultPoint: { point throws(GodwitError) in
                    guard point == .afterCopyCommit else { return }
                    do { try SampleStore.make(path, "DELETE FROM Item WHERE id = 'd'") } catch {
                        throw GodwitError(.copy, .bug, "\(error)")
                    }
                }))
        }
        #expect(error?.code == .data)
        #expect(error?.message.hasSuffix("was committed, but now lacks records of `Item`") == true)
        #expect(error?.message.contains("nothing was committed") == false)
        #expect(error?.message.contains("flag was not set") == true)
    }
}
