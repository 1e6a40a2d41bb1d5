import GodwitManifest
import GodwitModel
import Testing

struct ManifestValidationTests {
    static func column(_ name: String, generated: Bool = false) -> ColumnShape {
        ColumnShape(name: name, type: "TEXT", isGenerated: generated)
    }

    static func table(_ name: String, _ columns: String...) -> TableShape {
        TableShape(name: name, columns: columns.map { column($0) })
    }

    static let tables = [
        table("Workout", "id", "title", "updatedAt"), table("ExerciseSet", "id", "workoutId", "updatedAt"),
        table("FavoriteExercise", "exerciseId", "createdAt"), table("UserSettings", "id", "weightUnitRaw", "updatedAt"),
    ]

    private func refusal(
        _ schema: SchemaShape, of text: String = ManifestSamples.trainLog
    ) throws -> GodwitError {
        let manifest = try ManifestSamples.decode(text)
        let error = try #require(throws: GodwitError.self) { try manifest.validate(against: schema) }
        #expect(error.code == .manifest && error.stage == .manifest)
        return error
    }

    private func replacing(_ name: String, with table: TableShape?) -> SchemaShape {
        SchemaShape(tables: Self.tables.compactMap { $0.name == name ? table : $0 })
    }

    @Test("the sample manifest matches its schema, ignoring ASCII case")
    func fits() throws {
        let manifest = try ManifestSamples.decode(ManifestSamples.trainLog)
        try manifest.validate(against: SchemaShape(tables: Self.tables, views: ["Recent"], virtualTables: ["Search"]))
        let upper = Self.tables.map { table in
            TableShape(name: table.name.uppercased(), columns: table.columns.map { Self.column($0.name.uppercased()) })
        }
        try manifest.validate(against: SchemaShape(tables: upper))
    }

    @Test("an unknown table is rejected at its position, with the nearest name")
    func unknownTable() throws {
        let error = try refusal(replacing("ExerciseSet", with: Self.table("ExerciseSets", "id")))
        #expect(error.message == "godwit.yaml:12:3: the schema has no table `ExerciseSet`")
        #expect(error.hint == "Did you mean `ExerciseSets`?")
        let none = try refusal(replacing("Workout", with: nil))
        #expect(none.hint == "Use one of its tables: `ExerciseSet`, `FavoriteExercise`, `UserSettings`.")
        #expect(try refusal(SchemaShape()).hint?.hasPrefix("Correct this position") == true)
    }

    @Test("a view and a virtual table are rejected as entities")
    func noTables() throws {
        var schema = replacing("Workout", with: nil)
        schema.views = ["workout"]
        #expect(try refusal(schema).message == "godwit.yaml:11:3: `Workout` is a view")
        schema.views = []
        schema.virtualTables = ["Workout"]
        #expect(try refusal(schema).message == "godwit.yaml:11:3: `Workout` is a virtual table")
    }

    @Test(
        "an unknown column is rejected at its position",
        arguments: [
            ("Workout", ["ident", "updatedAt"], "11:28", "`id`", "Use one of its columns: `ident`, `updatedAt`."),
            ("Workout", ["id", "updatedOn"], "11:42", "`updatedAt`", "Did you mean `updatedOn`?"),
            ("ExerciseSet", ["id", "updatedAt", "workoutID_"], "12:66", "`workoutId`", "Did you mean `workoutID_`?"),
            ("FavoriteExercise", ["exercise", "createdAt"], "13:28", "`exerciseId`", "Did you mean `exercise`?"),
            (
                "UserSettings", ["id", "updatedAt", "weightUnit"], "18:13", "`weightUnitRaw`",
                "Did you mean `weightUnit`?"
            ),
        ])
    func unknownColumn(name: String, columns: [String], place: String, column: String, hint: String) throws {
        let table = TableShape(name: name, columns: columns.map { Self.column($0) })
        let error = try refusal(replacing(name, with: table))
        #expect(error.message == "godwit.yaml:\(place): the table `\(name)` has no column \(column)")
        #expect(error.hint == hint)
    }

    @Test("a generated column is rejected and not suggested", arguments: ["id", "updatedAt"])
    func generated(name: String) throws {
        let columns = ["id", "updatedAt"].map { Self.column($0, generated: $0 == name) }
        let error = try refusal(replacing("Workout", with: TableShape(name: "Workout", columns: columns)))
        #expect(error.message.hasSuffix("the column `\(name)` of `Workout` is generated"))
        let near = [Self.column("id"), Self.column("updatedOn", generated: true)]
        let unknown = try refusal(replacing("Workout", with: TableShape(name: "Workout", columns: near)))
        #expect(unknown.hint == "Use one of its columns: `id`.")
    }

    @Test("an unknown column in the long form of modified is rejected at its position")
    func longModified() throws {
        let text = try ManifestSamples.trainLog(
            "modified: createdAt", "modified: { as: iso8601, column: addedAt }")
        let error = try refusal(SchemaShape(tables: Self.tables), of: text)
        #expect(error.message.hasPrefix("godwit.yaml:13:73: "))
        #expect(error.message.contains("`addedAt`"))
    }

    @Test("a long list of columns is truncated in a hint")
    func longList() throws {
        let columns = (1...12).map { Self.column("column\($0)") }
        let error = try refusal(replacing("Workout", with: TableShape(name: "Workout", columns: columns)))
        #expect(error.hint?.hasSuffix("`column10` ….") == true)
    }

    @Test(
        "a singleton's fixed key is rejected only if its column cannot hold it",
        arguments: [
            ("INTEGER", 1, false, true), ("integer", 1, false, true), ("INTEGER", 0, true, true),
            ("INTEGER", 0, false, false), ("TEXT", 1, false, false), ("INT", 1, false, false),
        ])
    func fixedKey(type: String, place: Int, isStrict: Bool, isRefused: Bool) throws {
        let columns = ["id", "updatedAt", "weightUnitRaw", "theme", "restTimerSeconds", "soundEnabled"].map { name in
            ColumnShape(name: name, type: name == "id" ? type : "TEXT", primaryKeyIndex: name == "id" ? place : 0)
        }
        let shape = replacing(
            "UserSettings", with: TableShape(name: "UserSettings", columns: columns, isStrict: isStrict))
        guard isRefused else { return try ManifestSamples.decode(ManifestSamples.trainLog).validate(against: shape) }
        let error = try refusal(shape)
        #expect(error.message.contains("`singleton` can't be the key of `UserSettings`"))
        #expect(error.hint?.contains("whole number") == true)
    }
}
