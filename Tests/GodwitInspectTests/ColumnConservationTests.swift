import GodwitCoreData
import GodwitManifest
import GodwitModel
import GodwitSQLite
import GodwitInspect
import GodwitTestSupport
import Testing

/// On generated Core Data stores with model caches of other versions, no column with data is lost.
struct ColumnConservationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The contents of a column, read by SQLite only.
    private struct ColumnContent {
        let table: String
        let column: String
        /// The number of records that have a value, and of those with a value other than 0.
        let count: Int64
        let nonZero: Int64
    }

    private func inspected(_ made: AgedCoreDataStore) throws -> StoreInspection {
        // One letter as a stored block of DEFLATE; a closure decodes it to the model.
        let cache = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'010100FEFF4D');"
        try SampleStore.make(folder["a.store"], made.sql + (made.cache == nil ? "" : cache))
        let archives = CoreDataArchives(read: { _ in made.cache })
        return try StoreInspector(context: .sample(), showsValues: false, archives: archives)
            .inspect(folder["a.store"], name: "a.store")
    }

    private func contents(_ kind: AgedCoreDataStore.Kind, _ made: AgedCoreDataStore) throws -> [ColumnContent] {
        let table = made.table(of: kind)
        let store = try SampleStore(folder["a.store"])
        let columns = try store.rows("SELECT name FROM pragma_table_info('\(table)')").map(\.[0].readable)
        return try columns.filter { !["Z_PK", "Z_ENT", "Z_OPT"].contains($0) }.compactMap { column in
            let counts = try store.rows(
                "SELECT count(\(column)), count(nullif(\(column), 0)) FROM \(table) WHERE Z_ENT = \(kind.number)")[0]
            guard case .integer(let count) = counts[0], case .integer(let nonZero) = counts[1], count > 0 else {
                return nil
            }
            return ColumnContent(table: table, column: column, count: count, nonZero: nonZero)
        }
    }

    private func manifest(_ text: String) throws -> Manifest {
        try Manifest.decode(Array(text.utf8), file: "godwit.yaml", sha256: "")
    }

    @Test(
        "every column with data of an entity is one of its properties, and a draft reads it",
        arguments: GeneratedCases.numbers(0..<200, few: 40))
    func generated(_ seed: Int) throws {
        let made = AgedCoreDataStore(seed: UInt64(seed))
        let inspection = try inspected(made)
        let model = try #require(inspection.model)
        var subject = DraftSubject(
            app: "Garage", source: "a.store", preferences: ["a.plist"], inspected: [], localPath: "a.store",
            cloudPath: "aCloud.store", schemaFolder: "Migrations")
        subject.local = inspection
        let drafted = try manifest(subject.draft().manifest)
        let queries = try CoreDataResolver(manifest: drafted, model: model, shape: inspection.shape).queries()
        let unread = try unread(of: model, shape: inspection.shape)
        for kind in made.kinds {
            let entity = try #require(model.entity(numbered: Int64(kind.number)))
            let columns = entity.attributes.map(\.column) + entity.relations.flatMap { [$0.column, $0.orderColumn] }
            let names = entity.attributes.map(\.name.foldedName)
            #expect(Set(names).count == names.count, "\(entity.name): \(entity.attributes.map(\.name))")
            let reading = queries.filter { $0.origin == entity.name }
            for content in try contents(kind, made) {
                let comment: Comment = "seed \(seed): \(entity.name), \(content.table).\(content.column)"
                #expect(columns.count { $0 == content.column } == 1, comment)
                #expect(reading.contains { $0.read.contains(content.column) }, comment)
                guard content.nonZero > 0 else { continue }
                let named = unread.first { $0.entity == entity.name }?.properties.map(\.count) ?? []
                #expect(named.contains(content.nonZero), comment)
            }
        }
    }

    @Test(
        "most generated model caches name entities of their stores, and most stores have columns that the caches misname"
    )
    func variety() throws {
        var (known, strange) = (0, 0)
        for seed in 0..<40 {
            if folder.exists("a.store") { try folder.remove("a.store") }
            let model = try #require(try inspected(AgedCoreDataStore(seed: UInt64(seed))).model)
            known += model.isModelKnown ? 1 : 0
            strange += model.entities.contains { $0.attributes.contains { $0.kind == nil } } ? 1 : 0
        }
        #expect(known > 20 && strange > 20)
    }

    /// The properties that a manifest omits if it only reads the number of each record.
    private func unread(of model: CoreDataModel, shape: SchemaShape) throws -> [UnreadProperties] {
        let entities = model.entities.filter { $0.table != nil }.map { entity in
            "  \(entity.name): { key: id, source: { entity: \(entity.name), subentities: false, fields: { id: Z_PK } } }\n"
        }
        let bare = try manifest(
            """
            godwit: 1
            app: Garage
            container:
              preferences: [a.plist]
              local: { path: a.store, layout: coreData }
              cloud: aCloud.store
            schema: Migrations
            entities:
            \(entities.joined())
            copy: { flag: moved }

            """)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .schema, context: .sample())
        let queries = try CoreDataResolver(manifest: bare, model: model, shape: shape).queries()
        return try snapshot.connection.readUnreadProperties(of: model, in: shape, besides: queries)
    }

    @Test("a column with an empty name keeps its values under a name that no property has")
    func withoutName() throws {
        try SampleStore.make(
            folder["a.store"],
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Car', 0, 1);
            CREATE TABLE ZCAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "" INTEGER, ZTITLE VARCHAR);
            INSERT INTO ZCAR VALUES (1, 1, 1, 7, 'Red');
            """)
        let inspector = StoreInspector(context: .sample(), showsValues: false, archives: .init(read: { _ in nil }))
        let model = try #require(try inspector.inspect(folder["a.store"], name: "a.store").model)
        #expect(model.entities.flatMap(\.attributes).map(\.name).sorted() == ["(no name)", "title"])
    }
}
