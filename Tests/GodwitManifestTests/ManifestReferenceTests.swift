import GodwitManifest
import GodwitModel
import Testing

struct ManifestReferenceTests {
    private static func manifest(_ belongsTo: String) -> String {
        """
        godwit: 1
        app: Expenses
        container: { preferences: [p.plist], local: a.store, cloud: b.store }
        schema: schema
        entities:
          Category: { key: name }
          Expense: { key: id, belongsTo: { categoryId: \(belongsTo) } }
        """
    }

    private static let schema = SchemaShape(tables: [
        TableShape(
            name: "Category",
            columns: ["id", "name"].map { ColumnShape(name: $0, type: "TEXT") }),
        TableShape(
            name: "Expense",
            columns: ["id", "categoryId"].map { ColumnShape(name: $0, type: "TEXT") }),
    ])

    @Test("a reference uses the parent column that it names, or else the parent's key")
    func forms() throws {
        for (text, by) in [("Category", nil), ("{ entity: Category }", nil), ("{ entity: Category, by: id }", "id")] {
            let manifest = try ManifestSamples.decode(Self.manifest(text))
            let reference = try #require(manifest.entity(named: "Expense")?.belongsTo.first)
            #expect(reference == Reference(column: "categoryId", parent: "Category", by: by))
            #expect(manifest.parentColumn(of: reference) == by ?? "name")
            try manifest.validate(against: Self.schema)
        }
    }

    @Test(
        "an invalid reference is rejected with its position",
        arguments: [
            ("§{ by: id }", "missing key `entity`"), ("{ entity: §Categroy, by: id }", "Did you mean `Category`"),
            ("{ entity: Category, §of: id }", "unknown key `of`"), ("{ entity: Category, by: §[id] }", "must be text"),
            ("{ entity: Category, by: §sqlite_id }", "begins with"),
            ("{ entity: Category, by: §ID2 }", "has no column"),
        ])
    func refusals(text: String, words: String) throws {
        let (marked, place) = try ManifestSamples.unmarked(Self.manifest(text))
        let error = try #require(
            #expect(throws: GodwitError.self) { try ManifestSamples.decode(marked).validate(against: Self.schema) })
        #expect(error.code == .manifest)
        #expect(error.message.contains("godwit.yaml:\(place): "))
        #expect("\(error.message) \(error.hint ?? "")".contains(words))
    }

    @Test("a reference of a column to itself is rejected")
    func toItself() throws {
        let text = Self.manifest("{ entity: Expense, by: CategoryId }")
        let error = try #require(#expect(throws: GodwitError.self) { try ManifestSamples.decode(text) })
        #expect(error.code == .manifest && error.message.hasSuffix("`categoryId` of `Expense` refers to itself"))
    }

    @Test("a reference without a column uses the column of a foreign key, unless that is the parent's key")
    func declared() throws {
        func key(_ column: String, _ parentColumn: String) -> ReferenceColumns {
            ReferenceColumns(table: "EXPENSE", column: column, parent: "category", parentColumn: parentColumn)
        }
        let (plain, named) = (try ManifestSamples.decode(Self.manifest("Category")), "{ entity: Category, by: code }")
        func by(_ manifest: Manifest) -> String? { manifest.entities[1].belongsTo[0].by }
        #expect(by(plain.naming([key("CATEGORYID", "id")])) == "id")
        #expect(by(plain.naming([key("otherId", "id")])) == nil)
        #expect(by(plain.naming([key("categoryId", "name")])) == nil)
        #expect(by(plain.naming([key("categoryId", "id"), key("categoryId", "name")])) == nil)
        #expect(by(try ManifestSamples.decode(Self.manifest(named)).naming([key("categoryId", "id")])) == "code")
    }
}
