import GodwitFiles
import GodwitModel
import GodwitSchema
import GodwitTestSupport
import Testing

/// The sample app's migrations were released: existing stores have their checksums.
struct TrainLogMigrationTests {
    private let directory =
        PathText.directory(of: PathText.directory(of: PathText.directory(of: #filePath)))
        + "/Migrations/trainlog"

    @Test("shipped migrations are frozen: a change to one of them is a new file")
    func frozen() throws {
        let shipped = [
            "V0001__create_store": "sha256-v1:f88e57e20e0eb05287ff54b802d405321e7d31778ac787af3104b297a47ed6b3",
            "V0002__settings_and_favorites":
                "sha256-v1:59b45aeeff6ce910146431a6061ff37b435c05df1fd05efbe377b9af3521c2d6",
        ]
        let files = try SchemaFiles.load(from: directory)
        for (title, checksum) in shipped {
            #expect(files.files.first { $0.title == title }?.checksum == checksum, "\(title) must not change")
        }
        #expect(files.latest >= shipped.count)
    }

    @Test("the sample's schema files create the tables and keys of its manifest")
    func shape() throws {
        let shape = try SchemaFiles.load(from: directory).shape
        #expect(shape.tables.map(\.name) == ["ExerciseSet", "FavoriteExercise", "UserSettings", "Workout"])
        for (table, column) in [
            ("Workout", "updatedAt"), ("ExerciseSet", "workoutId"), ("FavoriteExercise", "exerciseId"),
            ("UserSettings", "id"),
        ] {
            #expect(shape.table(named: table)?.column(named: column) != nil)
        }
    }

    @Test("a store of version 1 is adopted and brought to version 2 with its rows")
    func upgrade() throws {
        let files = try SchemaFiles.load(from: directory)
        let bench = try StoreBench(
            files.files[0].sql + """
                INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES ('W', 'Legs', 'x', 'x', 'x');
                """)
        let report = try bench.bringUpToDate(SchemaStage(files: files, context: .sample()))
        #expect(report.adoptedAt == 1)
        #expect(report.applied.map(\.name) == ["settings_and_favorites"])
        #expect(try bench.text("SELECT id, title FROM Workout") == ["W|Legs"])
    }
}
