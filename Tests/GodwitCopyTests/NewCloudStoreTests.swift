import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitCopy
import GodwitTestSupport
import Synchronization
import Testing

/// The copy without a cloud store.
struct NewCloudStoreTests {
    private static let rows = """
        INSERT INTO Item VALUES ('b', 'two', 2, '2026-01-02T00:00:00Z'), ('a', 'one', 1, '2026-01-01T00:00:00Z'),
        ('c', NULL, 3.5, NULL);
        """

    @Test(
        "all records arrive in a new cloud store, and the source keeps every byte",
        arguments: ["DELETE", "TRUNCATE", "WAL"])
    func copies(journal: String) throws {
        let fixture = try CopyFixture.items()
        // The app stays open, so that in WAL mode all rows are only in the log.
        let app = try fixture.local(journal: journal, Self.rows)
        let before = try fixture.localFingerprint()
        let report = try fixture.copy()
        #expect(try fixture.localFingerprint().differences(from: before).isEmpty)
        #expect(report.outcome == .done)
        #expect(report.createdStore)
        #expect(report.schema?.created == true)
        #expect(report.dedupe == nil)
        #expect(report.entities.map(\.name) == ["Item"])
        var expected = RunReport.Copy.Entity(name: "Item", local: 3)
        (expected.inserted, expected.cloudAfter) = (3, 3)
        #expect(report.entities == [expected])
        let all = "SELECT id, title, amount, updatedAt FROM Item ORDER BY id"
        #expect(try fixture.cloudRows(all) == app.rows(all))
        try app.close()
    }

    @Test("the new store is private, in rollback mode, and has no other files in its folder")
    func newStore() throws {
        let fixture = try CopyFixture.items()
        try fixture.local(Self.rows).close()
        try fixture.copy()
        let status = try #require(try FileStatus.of(fixture.cloudPath))
        #expect(status.mode & 0o777 == 0o600)
        #expect(fixture.cloudNames == ["C.store"])
        #expect(StoreHeader(Array(try fixture.folder.bytes(of: "cloud/C.store").prefix(100)))?.isWAL == false)
    }

    @Test("the new store has owner and mode of the local store", arguments: [UInt32(0o600), 0o640, 0o644])
    func ownership(mode: UInt32) throws {
        let fixture = try CopyFixture.items()
        try fixture.local(Self.rows).close()
        try fixture.folder.setMode(mode, of: "local/L.store")
        let model = try #require(try FileStatus.of(fixture.localPath))
        try fixture.copy(ownedLike: FileOwnership(fixture.localPath, model))
        let status = try #require(try FileStatus.of(fixture.cloudPath))
        #expect(status.mode == model.mode)
        #expect(status.owner == model.owner)
        #expect(status.group == model.group)
    }

    @Test("a new store is writable even if the local store is read-only", arguments: [UInt32(0o400), 0o440])
    func readOnlyModel(mode: UInt32) throws {
        let fixture = try CopyFixture.items()
        try fixture.local(Self.rows).close()
        try fixture.folder.setMode(mode, of: "local/L.store")
        try fixture.copy(ownedLike: FileOwnership(of: fixture.localPath))
        #expect(try #require(try FileStatus.of(fixture.cloudPath)).mode & 0o777 == mode | 0o600)
    }

    #if os(Linux)
        @Test(
            "the new store has the access control list of the local store, and no other attribute",
            arguments: [UInt32(0o660), 0o440])
        func accessList(mode: UInt32) throws {
            let fixture = try CopyFixture.items()
            try fixture.local(Self.rows).close()
            let path = fixture.localPath
            guard ExtendedAttributes.set("user.origin", to: Array("phone".utf8), of: path),
                ExtendedAttributes.set(ExtendedAttributes.accessList, to: ExtendedAttributes.ofAnotherUser, of: path)
            else { return print("skipped: the temporary folder is on a file system without attributes") }
            try fixture.folder.setMode(mode, of: "local/L.store")
            try fixture.copy(ownedLike: FileOwnership(of: path))
            let (made, name) = (fixture.cloudPath, ExtendedAttributes.accessList)
            #expect(try FileStatus.of(made)?.mode == 0o100_000 | mode | 0o600)
            #expect(ExtendedAttributes.value("user.origin", of: made) == nil)
            // The group still has no access. The middle of the mode does not count here: it is the maximum for the
            // entries of the list.
            let list = try #require(ExtendedAttributes.value(name, of: made))
            #expect(list.count == ExtendedAttributes.ofAnotherUser.count && list[4 + 8 * 2 + 2] == 0)
            #expect(try fixture.cloudRows("SELECT count(*) FROM Item") == [[.integer(3)]])
        }
    #endif

    @Test("before the new store gets its name, the check of its source is complete")
    func watched() throws {
        for isSound in [true, false] {
            let fixture = try CopyFixture.items()
            try fixture.local(Self.rows).close()
            let watch = Watch { () throws(GodwitError) in
                #expect(!fixture.folder.exists("cloud/C.store"))
                let made = fixture.folder.names(in: "cloud")
                #expect(made.count == 1)
                let rows = try? SampleStore(fixture.folder["cloud/" + made.joined()]).rows("SELECT id FROM Item")
                #expect(rows?.count == 3)
                if !isSound { throw GodwitError(.copy, .data, "`L.store` is not a usable SQLite store") }
            }
            var context = RunContext.sample()
            context.watched = watch
            let error = failure { try fixture.copy(context) }
            #expect(watch.count == 1)
            #expect(error?.message == (isSound ? nil : "`L.store` is not a usable SQLite store"))
            #expect(fixture.folder.names(in: "cloud") == (isSound ? ["C.store"] : []))
        }
    }

    /// The check of a source.
    private final class Watch: WatchedStores {
        private let asked = Atomic(0)
        private let body: @Sendable () throws(GodwitError) -> Void

        init(_ body: @escaping @Sendable () throws(GodwitError) -> Void) { self.body = body }

        var count: Int { asked.load(ordering: .relaxed) }

        func requireSound() throws(GodwitError) {
            asked.add(1, ordering: .relaxed)
            try body()
        }
    }

    @Test("folders of its path are created")
    func folders() throws {
        let fixture = try CopyFixture.items()
        try fixture.local(Self.rows).close()
        try fixture.folder.remove("cloud")
        try fixture.copy()
        #expect(try fixture.cloudText("SELECT id FROM Item ORDER BY id") == "a b c")
    }

    @Test("values of every storage class are copied bit by bit")
    func storageClasses() throws {
        let fixture = try CopyFixture.items()
        let app = try fixture.local(
            """
            INSERT INTO Item VALUES ('int', 9223372036854775807, -9223372036854775808, NULL),
            ('real', 9e999, 5e-324, -9e999), ('tenth', 0.1, 1.0, 1), ('blob', x'', x'00ff', NULL),
            ('nul', 'a' || char(0) || 'b', CAST(x'fffe' AS TEXT), ''), ('emoji', '🏋️‍♀️', 'e' || char(769), 'é');
            """)
        try app.execute("INSERT INTO Item VALUES ('zero', ?, ?, NULL)", [.real(-0.0), .real(0.0)])
        try app.close()
        try fixture.copy()
        let all = "SELECT id, title, amount, updatedAt FROM Item ORDER BY id"
        #expect(try fixture.cloudRows(all) == fixture.localRows(all))
        #expect(
            try fixture.cloudText("SELECT typeof(title) || typeof(amount) || typeof(updatedAt) FROM Item ORDER BY id")
                == "blobblobnull texttexttext integerintegernull texttexttext realrealreal realrealinteger realrealnull"
        )
    }

    @Test("a source without records gives a store without records, and a receipt")
    func empty() throws {
        let fixture = try CopyFixture.items()
        try fixture.local().close()
        let report = try fixture.copy()
        #expect(report.entities == [RunReport.Copy.Entity(name: "Item")])
        #expect(try fixture.cloudText("SELECT runId FROM godwit_receipt WHERE stage = 'copy'") == "RUN-1")
    }

    @Test("entities are copied parents first, in any manifest order")
    func order() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Trip VALUES ('t', 1); INSERT INTO Stop VALUES ('s', 't', NULL, 1);").close()
        #expect(try fixture.copy().entities.map(\.name) == ["Trip", "Stop"])
    }

    @Test("tables of the local store outside of the manifest, and Godwit's own, are not copied")
    func otherTables() throws {
        let fixture = try CopyFixture.items()
        try fixture.local(
            Self.rows + "CREATE TABLE Cache(x); CREATE TABLE godwit_run(id TEXT); CREATE VIEW V AS SELECT 1;"
        ).close()
        try fixture.copy()
        #expect(
            try fixture.cloudText("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
                == "Item godwit_changed godwit_receipt godwit_removed")
    }

    @Test("progress is reported while thousands of records are copied")
    func progress() throws {
        let fixture = try CopyFixture.items()
        try fixture.local(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO Item SELECT printf('k%05d', i), i, NULL, i FROM n;
            """
        ).close()
        let reported = Mutex<[RunProgress]>([])
        let report = try fixture.copy(.sample(progress: { step in reported.withLock { $0.append(step) } }))
        #expect(report.entities[0].inserted == 10_000)
        // First the records are written, then each is proven.
        let steps = reported.withLock { $0 }
        #expect(steps.map(\.stage) == [.copy, .copy, .verify, .verify])
        #expect(steps.map(\.completed) == [4096, 8192, 4096, 8192])
        #expect(steps.map(\.total) == Array(repeating: 10_000, count: 4))
    }

    @Test("a store that appears during the copy is not replaced")
    func appearsMeanwhile() throws {
        let fixture = try CopyFixture.items()
        try fixture.local(Self.rows).close()
        let folder = fixture.folder
        let error = failure {
            try fixture.copy(
                .sample(faultPoint: { point throws(GodwitError) in
                    if point == .beforeRenameIntoPlace { _ = try? folder.write("theirs", to: "cloud/C.store") }
                }))
        }
        #expect(error?.code == .busy, "the next run merges into it")
        #expect(try folder.text(of: "cloud/C.store") == "theirs")
        #expect(folder.names(in: "cloud") == ["C.store"])
    }
}
