import GodwitCoreData
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// What the tables of CloudKit mirroring say, with the columns of each release of the system.
struct CoreDataMirrorTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ sql: String, bookkeeping: String = CoreDataSample.bookkeeping) throws -> CoreDataMirror? {
        try SampleStore.make(folder["a.store"], bookkeeping + sql)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .schema, context: .sample())
        return try snapshot.connection.readMirror()
    }

    private static let events = """
        CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, ZCLOUDKITEVENTTYPE INTEGER, ZERRORCODE INTEGER,
          ZSUCCEEDED INTEGER, ZENDEDAT TIMESTAMP, ZSTARTEDAT TIMESTAMP, ZERRORDOMAIN VARCHAR);
        """
    private static let records = """
        INSERT INTO Z_PRIMARYKEY VALUES (2, 'ExerciseSet', 0, 4), (3, 'Workout', 0, 4), (4, x'00', 0, 0);
        CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZNEEDSCLOUDDELETE INTEGER,
          ZNEEDSUPLOAD INTEGER);
        """

    @Test("a store without mirroring tables is not mirrored, and empty tables report nothing")
    func none() throws {
        #expect(try read("") == nil)
        try folder.remove("a.store")
        #expect(isSilent(try read("CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER)")))
        try folder.remove("a.store")
        #expect(isSilent(try read(Self.events + Self.records)))
    }

    private func isSilent(_ mirror: CoreDataMirror?) -> Bool {
        mirror.map { $0.store == "a.store" && $0.events.isEmpty && $0.pending.isEmpty } ?? false
    }

    private static func counts(_ mirror: CoreDataMirror?) -> [String: [Int64]]? {
        mirror?.pending.mapValues { [$0.uploads, $0.deletes] }
    }

    @Test("events are newest first, with dates as integers or reals, and without a date or kind they are skipped")
    func newestFirst() throws {
        let mirror = try #require(
            try read(
                Self.events + """
                    INSERT INTO ANSCKEVENT VALUES (1, 0, 0, 1, 722787770, 722787769, NULL),
                      (2, 1, 4, 0, 722787775.5, 722787772.25, 'CKErrorDomain'), (3, 2, NULL, NULL, NULL, 722787780, ''),
                      (4, 1, 0, 1, 1, NULL, NULL), (5, NULL, 0, 1, 1, 722787790, NULL), (6, 'import', 0, 1, 1, 9, NULL);
                    """))
        #expect(mirror.events.map(\.type) == [2, 1, 0])
        #expect(mirror.events.map(\.succeeded) == [false, false, true])
        #expect(mirror.events.map(\.errorDomain) == [nil, "CKErrorDomain", nil])
        #expect(mirror.events.map(\.errorCode) == [0, 4, 0])
        // 2001-01-01 plus 722787780 seconds: 1,701,094,980 in Unix time.
        #expect(
            mirror.events.map { $0.startedAt.description } == [
                "2023-11-27T14:23:00.000Z", "2023-11-27T14:22:52.250Z", "2023-11-27T14:22:49.000Z",
            ])
        #expect(
            mirror.events.map { $0.endedAt?.description } == [
                nil, "2023-11-27T14:22:55.500Z", "2023-11-27T14:22:50.000Z",
            ])
    }

    @Test("missing columns of an event give no values")
    func fewColumns() throws {
        let mirror = try #require(
            try read(
                """
                CREATE TABLE ANSCKEVENT (ZCLOUDKITEVENTTYPE INTEGER, ZSTARTEDAT TIMESTAMP);
                INSERT INTO ANSCKEVENT VALUES (1, 722787770);
                """))
        #expect(mirror.events.map(\.succeeded) == [false])
        #expect(mirror.events.first?.endedAt == nil)
        try folder.remove("a.store")
        let nothing = try read("CREATE TABLE ANSCKEVENT (ZSTARTEDAT TIMESTAMP); INSERT INTO ANSCKEVENT VALUES (1);")
        #expect(nothing?.events == [])
    }

    @Test("pending uploads are counted by entity, and a deletion is not an upload")
    func pending() throws {
        let mirror = try #require(
            try read(
                Self.records + """
                    INSERT INTO ANSCKRECORDMETADATA (ZENTITYID, ZNEEDSCLOUDDELETE, ZNEEDSUPLOAD) VALUES
                      (3, 0, 1), (3, NULL, 1), (3, 1, 1), (3, 1, 0), (3, 0, 0), (3, NULL, NULL), (2, 0, 1),
                      (77, 0, 1), (4, 1, 0), (NULL, 0, 1), ('three', 0, 1);
                    """))
        // An entity number without a name has records nevertheless.
        let expected: [String: [Int64]] = [
            "Workout": [2, 2], "ExerciseSet": [1, 0], "entity 77": [1, 0], "entity 4": [0, 1],
        ]
        #expect(Self.counts(mirror) == expected)
        #expect(mirror.uploads == 4)
        #expect(mirror.deletes == 3)
    }

    @Test(
        "in tables of older releases, the existing columns count",
        arguments: [
            ("ZENTITYID INTEGER, ZNEEDSUPLOAD INTEGER", "3, 1", 1, 0),
            ("ZENTITYID INTEGER, ZNEEDSCLOUDDELETE INTEGER", "3, 1", 0, 1), ("ZENTITYID INTEGER", "3", 0, 0),
            ("ZNEEDSUPLOAD INTEGER", "1", 0, 0), ("zentityid INTEGER, zneedsupload INTEGER", "3, 1", 1, 0),
        ] as [(String, String, Int64, Int64)])
    func olderReleases(_ columns: String, _ values: String, _ uploads: Int64, _ deletes: Int64) throws {
        let mirror = try #require(
            try read(
                "CREATE TABLE ANSCKRECORDMETADATA (\(columns)); INSERT INTO ANSCKRECORDMETADATA VALUES (\(values));"))
        #expect(mirror.uploads == uploads)
        #expect(mirror.deletes == deletes)
    }

    @Test(
        "without names of entities, their numbers are used",
        arguments: ["", "CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_MAX);"])
    func withoutNames(_ bookkeeping: String) throws {
        let mirror = try read(
            """
            CREATE TABLE ANSCKRECORDMETADATA (ZENTITYID INTEGER, ZNEEDSUPLOAD INTEGER);
            INSERT INTO ANSCKRECORDMETADATA VALUES (3, 1);
            """, bookkeeping: bookkeeping)
        let expected: [String: [Int64]] = ["entity 3": [1, 0]]
        #expect(Self.counts(mirror) == expected)
    }
}
