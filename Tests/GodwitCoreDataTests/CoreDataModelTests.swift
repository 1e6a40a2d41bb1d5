import GodwitCoreData
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

struct CoreDataModelTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ sql: String, encoding: String? = nil) throws -> CoreDataModel? {
        try SampleStore.make(folder["a.store"], encoding: encoding, sql)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .schema, context: .sample())
        return try snapshot.connection.readCoreDataModel()
    }

    @Test(
        "entities have numbers, tables and counts, and a sub-entity shares the table", arguments: [nil, "UTF-16le"])
    func entities(_ encoding: String?) throws {
        let model = try #require(try read(CoreDataSample.workouts, encoding: encoding))
        #expect(model.entities.map(\.name) == ["ExerciseSet", "Workout", "Run", "Tag", "Nothing"])
        #expect(model.entities.map(\.number) == [2, 3, 5, 7, 9])
        #expect(model.entities.map(\.table) == ["ZEXERCISESET", "ZWORKOUT", "ZWORKOUT", "ZTAG", "ZNOTHING"])
        #expect(model.entities.map(\.count) == [4, 3, 1, 3, 0])
        #expect(model.entity(named: "Run")?.superName == "Workout")
        #expect(model.family(of: "Workout").map(\.name) == ["Workout", "Run"])
        #expect(model.family(of: "Run").map(\.name) == ["Run"])
        #expect(model.strayRecords == 0)
        #expect(!model.isMirrored)
        #expect(!model.isModelKnown)
    }

    @Test("attributes and relations are distinguished, with the columns that only relations have")
    func properties() throws {
        let model = try #require(try read(CoreDataSample.workouts))
        let set = try #require(model.entity(named: "ExerciseSet"))
        #expect(set.attributes.map(\.column) == ["ZREPS", "ZUPDATEDAT", "ZID"])
        #expect(set.attributes.map(\.declaredType) == ["INTEGER", "TIMESTAMP", "BLOB"])
        #expect(
            set.relations == [
                CoreDataRelation(
                    name: "workout", column: "ZWORKOUT", target: "Workout", targetNumberColumn: "Z3_WORKOUT",
                    orderColumn: "Z_FOK_WORKOUT", evidence: .columns)
            ])
        #expect(
            model.entity(named: "Tag")?.relations == [
                CoreDataRelation(
                    name: "favoritetags", column: "Z3FAVORITETAGS", target: "Workout",
                    orderColumn: "Z_FOK_3FAVORITETAGS", isHiddenInverse: true, evidence: .columns)
            ])
    }

    @Test("a join table has both ends and its order, by the numbers of Z_PRIMARYKEY")
    func joins() throws {
        let model = try #require(try read(CoreDataSample.workouts))
        #expect(
            model.joins == [
                CoreDataJoin(
                    table: "Z_3TAGS",
                    first: CoreDataJoinEnd(column: "Z_3WORKOUTS", entity: "Workout", relation: "workouts"),
                    second: CoreDataJoinEnd(
                        column: "Z_7TAGS1", entity: "Tag", relation: "tags1", orderColumn: "Z_FOK_7TAGS1"), count: 3)
            ])
    }

    @Test("a relation that is its own inverse has a column REFLEXIVE")
    func reflexive() throws {
        let model = try #require(
            try read(
                CoreDataSample.bookkeeping + """
                    INSERT INTO Z_PRIMARYKEY VALUES (4, 'Person', 0, 2);
                    CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                    CREATE TABLE Z_4FRIENDS (Z_4FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_4FRIENDS, REFLEXIVE));
                    INSERT INTO Z_4FRIENDS VALUES (1, 2), (2, 1);
                    """))
        let join = try #require(model.joins.first)
        #expect(join.ends.map(\.column) == ["Z_4FRIENDS", "REFLEXIVE"])
        #expect(join.ends.map(\.entity) == ["Person", "Person"])
        #expect(join.count == 2)
    }

    @Test("the order of a reflexive relation is FOK_REFLEXIVE, without the Z_ of others")
    func reflexiveOrder() throws {
        let model = try #require(
            try read(
                CoreDataSample.bookkeeping + """
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Card', 0, 2);
                    CREATE TABLE ZCARD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                    CREATE TABLE Z_1RELATEDCARDS (Z_1RELATEDCARDS INTEGER, REFLEXIVE INTEGER,
                      FOK_REFLEXIVE INTEGER DEFAULT 0, PRIMARY KEY (Z_1RELATEDCARDS, REFLEXIVE));
                    """))
        #expect(model.joins.first?.ends.map(\.orderColumn) == [nil, "FOK_REFLEXIVE"])
    }

    @Test(
        "in a shared table, a column with the bare name of several properties is assigned to none")
    func namesakes() throws {
        let model = try #require(
            try read(
                CoreDataSample.bookkeeping + """
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Album', 0, 2), (2, 'Base', 0, 4), (3, 'Folder', 0, 2),
                      (4, 'Note', 2, 0), (5, 'Photo', 2, 0), (6, 'Owner', 0, 0);
                    CREATE TABLE ZALBUM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
                    CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
                    CREATE TABLE ZOWNER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLINE INTEGER,
                      Z3_LINE INTEGER, ZLINE1 VARCHAR);
                    CREATE TABLE ZBASE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFOLDER INTEGER,
                      Z3_FOLDER INTEGER, ZFOLDER1 INTEGER, Z1_FOLDER INTEGER, Z_FOK_FOLDER INTEGER, ZSHELF INTEGER,
                      Z3_SHELF INTEGER);
                    """))
        let note = try #require(model.entity(named: "Note"))
        #expect(
            note.relations == [
                CoreDataRelation(
                    name: "shelf", column: "ZSHELF", target: "Folder", targetNumberColumn: "Z3_SHELF",
                    evidence: .columns)
            ])
        #expect(note.attributes.map(\.column) == ["ZFOLDER", "ZFOLDER1", "Z_FOK_FOLDER"])
        // In a table of one entity no columns share a name: `line1` is a separate property.
        #expect(model.entity(named: "Owner")?.relations.map(\.target) == ["Folder"])
    }

    @Test("history, mirroring and foreign tables are not entities")
    func otherTables() throws {
        let model = try #require(
            try read(
                CoreDataSample.workouts + CoreDataSample.mirroring + """
                    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
                    CREATE TABLE notes (id TEXT); CREATE TABLE ZOLD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER);
                    """))
        #expect(model.entities.count == 5)
        #expect(model.otherTables.history == ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"])
        #expect(model.otherTables.mirroring == ["ANSCKEVENT", "ANSCKRECORDMETADATA"])
        #expect(model.otherTables.bookkeeping == ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
        #expect(model.otherTables.foreign == ["ZOLD", "notes"])
        #expect(model.isMirrored)
    }

    @Test("an index that Core Data creates for relations identifies a relation without other signs")
    func index() throws {
        let model = try #require(
            try read(
                CoreDataSample.bookkeeping + """
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Set', 0, 0);
                    CREATE TABLE ZSET (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZREPS INTEGER,
                      ZWORKOUT INTEGER, ZNAME VARCHAR);
                    CREATE INDEX ZSET_ZWORKOUT_INDEX ON ZSET (ZWORKOUT); CREATE INDEX ZSET_ZNAME_INDEX ON ZSET (ZNAME);
                    """))
        let entity = try #require(model.entity(named: "Set"))
        #expect(entity.attributes.map(\.name) == ["reps", "name"])
        #expect(entity.relations == [CoreDataRelation(name: "workout", column: "ZWORKOUT", evidence: .index)])
    }

    @Test("rows without an entity are counted, and a repeated name belongs to the entity with records")
    func strays() throws {
        let model = try #require(
            try read(
                CoreDataSample.bookkeeping + """
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 0), (6, 'Note', 0, 2), (8, NULL, 0, 0), (9, x'00', 0, 0);
                    CREATE TABLE zNote (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNAME VARCHAR);
                    INSERT INTO zNote (Z_ENT) VALUES (6), (6), (44), (NULL), ('six');
                    """))
        #expect(model.entity(named: "Note")?.number == 6)
        #expect(model.entity(named: "Note")?.table == "zNote")
        #expect(model.entity(named: "Note")?.count == 2)
        #expect(model.strayRecords == 3)
    }

    @Test("a record with the number of an entity of another table counts as a stray record")
    func numberOfAnotherTable() throws {
        let model = try #require(
            try read(
                CoreDataSample.bookkeeping + """
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 2), (2, 'Tag', 0, 1);
                    CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER);
                    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER);
                    INSERT INTO ZNOTE (Z_ENT) VALUES (1), (2); INSERT INTO ZTAG (Z_ENT) VALUES (2);
                    """))
        #expect(model.entities.map(\.count) == [1, 1])
        #expect(model.strayRecords == 1)
    }

    @Test("all rows of a table without Z_ENT belong to its entity")
    func withoutNumbers() throws {
        let model = try #require(
            try read(
                CoreDataSample.bookkeeping + """
                    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 2);
                    CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR); INSERT INTO ZNOTE VALUES (1, 'a'), (2, 'b');
                    """))
        #expect(model.entity(named: "Note")?.count == 2)
        #expect(model.strayRecords == 0)
    }

    @Test("an entity that inherits from itself is rejected, and one with a missing parent is not")
    func inheritance() throws {
        let refused = failure {
            try read(
                CoreDataSample.bookkeeping + "INSERT INTO Z_PRIMARYKEY VALUES (1, 'A', 2, 0), (2, 'B', 1, 0);")
        }
        #expect(refused?.code == .data)
        #expect(refused?.underlying == "an entity inherits from itself")
        let other = try TemporaryFolder()
        try SampleStore.make(
            other["b.store"],
            CoreDataSample.bookkeeping + """
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'A', 77, 0); CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER);
                """)
        let snapshot = try StoreSnapshot(of: other["b.store"], name: "b", stage: .schema, context: .sample())
        #expect(try snapshot.connection.readCoreDataModel()?.entities.map(\.table) == ["ZA"])
    }

    @Test("a store without a Z_PRIMARYKEY table is not a Core Data store")
    func foreign() throws {
        #expect(try read("CREATE TABLE Workout(id TEXT)") == nil)
        let other = try TemporaryFolder()
        try SampleStore.make(other["b.store"], "CREATE VIEW Z_PRIMARYKEY AS SELECT 1 AS Z_ENT, 'A' AS Z_NAME")
        let snapshot = try StoreSnapshot(of: other["b.store"], name: "b", stage: .schema, context: .sample())
        #expect(try snapshot.connection.readCoreDataModel() == nil)
    }
}
