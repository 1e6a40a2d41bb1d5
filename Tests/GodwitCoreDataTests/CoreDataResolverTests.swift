import GodwitCoreData
import GodwitFiles
import GodwitManifest
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// A manifest's names are found in a store in every spelling, or rejected with their position and a hint.
struct CoreDataResolverTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func queries(_ source: String, _ sql: String = CoreDataSample.workouts) throws -> [CoreDataQuery] {
        let text = """
            godwit: 1
            app: Old
            container: { preferences: [a.plist], local: { path: a.store, layout: coreData }, cloud: b.store }
            schema: migrations
            entities:
              Target:
                key: id
                source: \(source)
            """
        let bytes = Array(text.utf8)
        let manifest = try Manifest.decode(bytes, file: "godwit.yaml", sha256: sha256Hex(bytes))
        try SampleStore.make(folder["a.store"], sql)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .schema, context: .sample())
        let connection = snapshot.connection
        let model = try #require(try connection.readCoreDataModel())
        return try CoreDataResolver(manifest: manifest, model: model, shape: connection.readShape()).queries()
    }

    @Test(
        "a property is found by its name in any case, and by its column",
        arguments: ["isDone", "ISDONE", "ZISDONE", "zisdone", "Z_OPT", "Z_PK"])
    func names(_ name: String) throws {
        let query = try #require(try queries("{ entity: Workout, fields: { id: \(name) } }").first)
        #expect(query.origin == "Workout")
        #expect(query.tables == ["ZWORKOUT"])
    }

    @Test("an entity without a table has no records, and its fields are not looked up")
    func withoutTable() throws {
        let sql = CoreDataSample.bookkeeping + "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Gone', 0, 0);"
        let query = try #require(try queries("{ entity: Gone, fields: { id: anything } }", sql).first)
        #expect(query.tables.isEmpty)
        #expect(query.origin == "Gone")
    }

    @Test(
        "paths over relations and pairs are found",
        arguments: [
            "{ entity: ExerciseSet, fields: { id: workout.id } }",
            "{ entity: ExerciseSet, fields: { id: { from: workout.id, entity: Workout } } }",
            "{ entity: ExerciseSet, fields: { id: { from: [Z_PK, workout.Z_PK], as: uuid } } }",
            "{ entity: Tag, fields: { id: favoriteTags.id } }",
            "{ entity: Tag, fields: { id: Workout.favoriteTags.id } }",
            "{ join: Workout.tags, fields: { id: source.id, tag: target.title, at: order } }",
            "{ join: Workout.tags, fields: { id: Z_3WORKOUTS } }",
            // A run has all relations of a workout.
            "{ join: Run.tags, fields: { id: source.id } }", "{ join: Tag.workouts, fields: { id: target.id } }",
        ])
    func paths(_ source: String) throws {
        let query = try #require(try queries(source).first)
        #expect(query.tables.count == 1)
    }

    @Test(
        "an unknown name is rejected with its position and the nearest name",
        arguments: [
            ("{ entity: Workuot, fields: { id: id } }", "no entity `Workuot`", "Workout"),
            ("{ entity: Workout, fields: { id: idd } }", "no attribute `idd`", "id"),
            ("{ entity: ExerciseSet, fields: { id: workuot.id } }", "no to-one relation `workuot`", "workout"),
            ("{ entity: ExerciseSet, fields: { id: workout.nmae } }", "no attribute `nmae`", "name"),
            (
                "{ entity: ExerciseSet, fields: { id: { from: workout.id, entity: Tag } } }", "refers to `Workout`",
                "entity"
            ),
            (
                "{ entity: ExerciseSet, fields: { id: { from: workout.id, entity: Missing } } }", "no entity `Missing`",
                "Use one of"
            ),
            ("{ entity: Tag, fields: { id: Missing.favoriteTags.id } }", "no column for the relation", "to-many"),
            (
                "{ entity: ExerciseSet, fields: { id: reps.id } }", "does not state the target of the relation `reps`",
                "Name the entity"
            ),
            ("{ entity: Workout, fields: { id: distance } }", "may be any of", "Write the column itself"),
            ("{ join: Missing.tags, fields: { id: source.id } }", "no entity `Missing`", "Use one of"),
            ("{ join: Workout.tgas, fields: { id: source.id } }", "no many-to-many relation `tgas`", "Workout.tags"),
            ("{ join: Workout.tags, fields: { id: between.id } }", "can't be read from pairs", "source."),
            ("{ join: Workout.tags, fields: { id: inverseOrder } }", "stores no order", "Remove this field"),
        ])
    func refusals(_ source: String, _ message: String, _ hint: String) throws {
        let error = #expect(throws: GodwitError.self) { _ = try queries(source) }
        #expect(error?.code == .manifest)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
        #expect(error?.position?.file == "godwit.yaml")
        #expect(error?.position?.line == 8)
    }

    @Test(
        "a hint lists no names if there are none",
        arguments: [
            (
                "{ entity: Note, fields: { id: title } }",
                "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 0); CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT);",
                "Name a column of its table: the entity has no attributes."
            ),
            ("{ entity: Note, fields: { id: id } }", "", "Check that this is the app's store: it has no entities."),
        ])
    func withoutNames(_ source: String, _ sql: String, _ hint: String) throws {
        let error = #expect(throws: GodwitError.self) { _ = try queries(source, CoreDataSample.bookkeeping + sql) }
        #expect(error?.hint == hint)
    }

    @Test("a store without many-to-many relations gives an error that says so")
    func withoutPairs() throws {
        let sql =
            CoreDataSample.bookkeeping
            + "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 0); CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT);"
        let error = #expect(throws: GodwitError.self) {
            _ = try queries("{ join: Note.tags, fields: { id: source.Z_PK } }", sql)
        }
        #expect(error?.hint == "Remove it: the store has no such relations.")
    }

    @Test(
        "names with a meaning in SQL are used as names",
        arguments: ["ZSELECT", "ZA\"B", "ZA'B", "ZA;B", "ZA B", "ZÄ", "Z\u{1F425}", "Z]"])
    func oddColumns(_ column: String) throws {
        let sql =
            CoreDataSample.bookkeeping
                + """
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 1);
                CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, \(quoted(column)) VARCHAR);
                INSERT INTO ZNOTE VALUES (1, 1, 'x');
                """
        let name = column.replacing("'", with: "''")
        let query = try #require(try queries("{ entity: Note, fields: { id: { from: '\(name)' } } }", sql).first)
        #expect(query.tables == ["ZNOTE"])
    }
}
