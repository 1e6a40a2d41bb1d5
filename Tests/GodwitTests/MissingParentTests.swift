import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// `belongsTo … missing:` says what a copy does with records whose parent does not exist.
struct MissingParentTests {
    private static let create = """
        CREATE TABLE Album(id TEXT PRIMARY KEY, artistId TEXT, title TEXT);
        CREATE TABLE Artist(id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE Track(id TEXT PRIMARY KEY, albumId TEXT REFERENCES Album(id) ON DELETE CASCADE, title TEXT);
        CREATE TABLE Seen(note TEXT);
        CREATE TRIGGER gone AFTER DELETE ON Album BEGIN DELETE FROM Track WHERE albumId = old.id; END;
        """
    private static let records = """
        PRAGMA foreign_keys=OFF;
        INSERT INTO Artist VALUES ('ar', 'A'); INSERT INTO Album VALUES ('al', 'ar', 'x'), ('lost', 'ghost', 'y');
        INSERT INTO Track VALUES ('t1', 'al', 'one'), ('t2', 'lost', 'two'), ('t3', 'none', 'three'), ('t4', NULL, 'four');
        """

    private func app(album: String, track: String) throws -> NoteApp {
        let app = try NoteApp(
            entities: """
                  Artist: { key: id }
                  Album: { key: id, belongsTo: { artistId: { entity: Artist, missing: \(album) } } }
                  Track: { key: id, belongsTo: { albumId: { entity: Album, missing: \(track) } } }
                """, migrations: [Self.create])
        try app.write(NoteApp.local, Self.create + Self.records)
        return app
    }

    private func expect(_ app: NoteApp, albums: [String], tracks: [String]) throws {
        let before = try FolderFingerprint(app.folder["container"])
        let plan = try app.perform(dryRun: true)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        let run = try app.perform()
        #expect(run.outcome == .done && run.notes.map(\.message) == plan.notes.map(\.message))
        let all = "SELECT id || ' ' || coalesce(%, '-') FROM "
        #expect(
            try app.column(NoteApp.cloud, all.replacingOccurrences(of: "%", with: "artistId") + "Album ORDER BY 1")
                == albums)
        #expect(
            try app.column(NoteApp.cloud, all.replacingOccurrences(of: "%", with: "albumId") + "Track ORDER BY 1")
                == tracks)
        #expect(try app.column(NoteApp.local, "SELECT count(*) FROM Track") == ["4"])
        #expect(try app.perform(.verify).outcome != .failed)
        #expect(try app.perform().outcome == .alreadyDone)
        #expect(try app.perform { $0.isStrict = true }.stoppedBy == nil)
    }

    @Test("where no reference fits, setting all of the records aside is a warning", arguments: ["setAside", "setNull"])
    func noneFits(missing: String) throws {
        let app = try NoteApp(
            entities: "  Artist: { key: id }\n  Album: { key: id, belongsTo: { artistId: { entity: Artist, by: name, "
                + "missing: \(missing) } } }",
            migrations: ["CREATE TABLE Artist(id, name); CREATE TABLE Album(id, artistId);"])
        try app.write(
            NoteApp.local,
            """
            CREATE TABLE Artist(id, name); CREATE TABLE Album(id, artistId); INSERT INTO Artist VALUES ('a', 'A');
            INSERT INTO Album VALUES ('x', 'a'), ('y', 'a'), ('z', NULL);
            """)
        let report = try app.perform { $0.isStrict = true }
        #expect(report.stoppedBy == .strict && report.warnings.map(\.code) == ["noReferenceFits"])
        #expect(report.warnings.first?.message.hasPrefix("none of the 2 records of `Album`") == true)
    }

    @Test("a wrong key in the manifest is named if no reference fits, and a right key is not")
    func wrongKey() throws {
        func hint(key: String) throws -> String? {
            let app = try NoteApp(
                entities: "  Artist: { key: \(key) }\n  Album: { key: id, belongsTo: { artistId: Artist } }",
                migrations: ["CREATE TABLE Artist(id, name); CREATE TABLE Album(id, artistId);"])
            try app.write(
                NoteApp.local,
                """
                CREATE TABLE Artist(id, name); CREATE TABLE Album(id, artistId); INSERT INTO Artist VALUES ('a', 'A');
                INSERT INTO Album VALUES ('x', 'a'), ('y', 'a'), ('z', 'gone');
                """)
            return #expect(throws: GodwitError.self) { try app.perform() }?.hint
        }
        let start = "None of the references in `Album.artistId` fits: check that `key:` of `Artist`"
        #expect(try hint(key: "name")?.hasPrefix(start) == true)
        #expect(try hint(key: "id")?.hasPrefix("Set `missing:`") == true)
    }

    @Test("records that are set aside take those along that lose their parent by it; each is kept whole")
    func setAside() throws {
        let app = try app(album: "setAside", track: "setAside")
        try expect(app, albums: ["al ar"], tracks: ["t1 al", "t4 -"])
        let kept = "SELECT entity || ' ' || key || ' ' || reason FROM godwit_removed ORDER BY key"
        #expect(try app.column(NoteApp.cloud, kept) == ["Album lost orphan", "Track t2 orphan", "Track t3 orphan"])
        #expect(
            try app.column(NoteApp.cloud, "SELECT record FROM godwit_removed WHERE key = 't3'") == [
                #"{"id":"t3","albumId":"none","title":"three"}"#
            ])
    }

    @Test("a reference that is set to NULL keeps its old value in the ledger")
    func setNull() throws {
        let app = try app(album: "setAside", track: "setNull")
        try expect(app, albums: ["al ar"], tracks: ["t1 al", "t2 -", "t3 -", "t4 -"])
        let kept = "SELECT key || ' ' || oldValue || ' ' || reason FROM godwit_changed ORDER BY key"
        #expect(try app.column(NoteApp.cloud, kept) == ["t2 lost orphan", "t3 none orphan"])
    }

    @Test("an orphan with missing: keep is copied unchanged, except if a foreign key rejects it")
    func keep() throws {
        try expect(
            app(album: "keep", track: "setNull"), albums: ["al ar", "lost ghost"],
            tracks: ["t1 al", "t2 lost", "t3 -", "t4 -"])
        try expect(
            app(album: "setNull", track: "setAside"), albums: ["al ar", "lost -"], tracks: ["t1 al", "t2 lost", "t4 -"])
        #expect(failure { try app(album: "keep", track: "keep").perform() }?.code == .data)
    }

    @Test("a record whose parent is in the cloud store is not an orphan")
    func parentInCloud() throws {
        let app = try app(album: "setAside", track: "setAside")
        try app.write(
            NoteApp.cloud,
            Self.create + "INSERT INTO Artist VALUES ('ghost', 'G'); INSERT INTO Album VALUES ('none', 'ghost', 'z')")
        #expect(try app.perform().outcome == .done)
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Track ORDER BY 1") == ["t1", "t2", "t3", "t4"])
        #expect(try app.perform(.verify).outcome != .failed)
    }

    @Test(
        "without a rule, and with `refuse`, the run ends ahead of its first write",
        arguments: [("refuse", "setAside"), ("setAside", "refuse")])
    func refuse(album: String, track: String) throws {
        let app = try app(album: album, track: track)
        let before = try FolderFingerprint(app.folder["container"])
        #expect(failure { try app.perform() }?.code == .data)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
    }

    @Test("NULL is refused for a key and for a column that can't hold it, with file, line and column")
    func notNull() throws {
        let create = "CREATE TABLE A(id TEXT PRIMARY KEY); CREATE TABLE B(id TEXT PRIMARY KEY, a TEXT NOT NULL)"
        for column in ["id", "a"] {
            let app = try NoteApp(
                entities:
                    "  A: { key: id }\n  B: { key: id, belongsTo: { \(column): { entity: A, missing: setNull } } }",
                migrations: [create])
            let error = failure { try app.perform() }
            #expect(error?.code == .manifest && error?.message.contains("can't be set to NULL") == true)
            #expect(error?.message.contains("godwit.yaml:10:") == true, "\(error?.message ?? "")")
        }
    }

    @Test("orphans that may stay, but that a foreign key refuses, are named before the first write")
    func heldByForeignKey() throws {
        let app = try app(album: "keep", track: "keep")
        let before = try FolderFingerprint(app.folder["container"])
        for allowsOrphans in [false, true] {
            let error = try #require(failure { try app.perform { $0.allowsOrphans = allowsOrphans } })
            #expect(error.code == .data && error.message.contains("Track") && !error.message.contains("Album.artistId"))
            #expect(error.hint?.contains("missing: setAside") == true)
        }
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
    }

    @Test("orphans that a foreign key of several columns with NULL does not refuse are copied as the manifest says")
    func partOfForeignKey() throws {
        let create = """
            CREATE TABLE Hall(id TEXT PRIMARY KEY, wing TEXT, UNIQUE(id, wing));
            CREATE TABLE Seat(id TEXT PRIMARY KEY, hall TEXT, wing TEXT, FOREIGN KEY (hall, wing) REFERENCES Hall(id, wing));
            """
        let app = try NoteApp(
            entities: "  Hall: { key: id }\n  Seat: { key: id, belongsTo: { hall: { entity: Hall, missing: keep } } }",
            migrations: [create])
        try app.write(NoteApp.local, create + "INSERT INTO Seat VALUES ('s', 'gone', NULL);")
        #expect(try app.perform().outcome == .done)
        #expect(try app.column(NoteApp.cloud, "SELECT hall FROM Seat") == ["gone"])
    }
}
