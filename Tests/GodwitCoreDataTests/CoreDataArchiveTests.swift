import GodwitCoreData
import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// The app's model in the store gives names, types and targets that columns only suggest.
struct CoreDataArchiveTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let model = CoreDataArchiveSample(
        entities: [("Workout", nil), ("Run", "Workout"), ("ExerciseSet", nil), ("Tag", nil)],
        attributes: [
            ("Workout", "isDone", 800), ("Workout", "startedAt", 900), ("Workout", "name", 700),
            ("Workout", "id", 1100),
            ("Workout", "cost", 400), ("Workout", "distance", 500), ("Run", "distance", 500),
            ("ExerciseSet", "reps", 300), ("ExerciseSet", "newest", 9999), ("Tag", "title", 700),
        ],
        toOne: [("ExerciseSet", "workout", "Workout")],
        toMany: [
            ("Workout", "exerciseSets", "ExerciseSet"), ("Workout", "tags", "Tag"), ("Tag", "workouts", "Workout"),
        ]
    ).pairs

    /// A stand-in for the bytes of an archive: the property list reader belongs to another target.
    private static let archives = CoreDataArchives(read: { bytes in
        switch String(decoding: bytes, as: UTF8.self) {
        case "model": model
        case "metadata":
            [
                LegacyPair(key: "NSStoreModelVersionIdentifiers", value: .array([.string("3"), .string("")])),
                LegacyPair(
                    key: "NSStoreModelVersionHashes",
                    value: .dictionary([LegacyPair(key: "Workout", value: .data([0xAB, 0x01]))])),
                LegacyPair(key: "NSPersistenceFrameworkVersion", value: .integer(1251)),
                LegacyPair(key: "NSStoreType", value: .string("SQLite")),
                LegacyPair(key: "apiToken", value: .string("invented secret")),
            ]
        default: nil
        }
    })

    /// The bytes as a stored block of DEFLATE: RFC 1951, section 3.2.4.
    private static func stored(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
        return [1, low, high, ~low, ~high] + bytes
    }

    private func read(
        _ content: [UInt8], store: String = CoreDataSample.workouts, archives: CoreDataArchives = archives
    ) throws -> CoreDataModel {
        try SampleStore.make(
            folder["a.store"],
            store + """
                CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'\(hexText(content))');
                INSERT INTO Z_METADATA VALUES (1, 'x', x'\(hexText("metadata".utf8))');
                """)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .schema, context: .sample())
        return try #require(try snapshot.connection.readCoreDataModel(archives: archives))
    }

    @Test("names, types and targets are those of the app's model")
    func names() throws {
        let model = try read(Self.stored("model"))
        #expect(model.isModelKnown)
        let workout = try #require(model.entity(named: "Workout"))
        #expect(workout.attributes.first { $0.column == "ZISDONE" }?.name == "isDone")
        #expect(workout.attributes.first { $0.column == "ZISDONE" }?.kind == .boolean)
        #expect(workout.attributes.first { $0.column == "ZID" }?.kind == .uuid)
        #expect(workout.attributes.first { $0.column == "ZCOST" }?.declaredType == "DECIMAL")
        #expect(workout.attributes.first { $0.column == "ZIMAGE" }?.kind == nil)
        #expect(model.entity(named: "Run")?.attributes.first { $0.column == "ZNAME" }?.name == "name")
        let set = try #require(model.entity(named: "ExerciseSet"))
        #expect(
            set.relations == [
                CoreDataRelation(
                    name: "workout", column: "ZWORKOUT", target: "Workout", targetNumberColumn: "Z3_WORKOUT",
                    orderColumn: "Z_FOK_WORKOUT", evidence: .model)
            ])
        #expect(model.entity(named: "Tag")?.relations.map(\.isHiddenInverse) == [true])
        #expect(model.joins.first?.ends.map(\.relation) == ["workouts", "tags"])
    }

    @Test("of the metadata only names, hashes and versions are shown, and the number of other keys")
    func metadata() throws {
        let metadata = try #require(try read(Self.stored("model")).metadata)
        #expect(metadata.modelIdentifiers == ["3"])
        #expect(metadata.versionHashes == ["Workout": "ab01"])
        #expect(metadata.frameworkVersion == 1251)
        #expect(metadata.hiddenKeys == 1)
        #expect(!"\(metadata)".contains("secret"))
    }

    @Test(
        "a model that cannot be unpacked or read is ignored, and the columns are used",
        arguments: [
            [], [0], [1, 5], [255, 255, 255], stored("nothing"), Array(stored("model").dropLast()), [0x78, 0x9C, 1],
        ])
    func damaged(_ content: [UInt8]) throws {
        let model = try read(content)
        #expect(!model.isModelKnown)
        #expect(model.entity(named: "ExerciseSet")?.relations.first?.evidence == .columns)
    }

    @Test("unknown keys of the metadata are counted")
    func hiddenKeys() {
        #expect(CoreDataMetadata([]).hiddenKeys == 0)
        #expect(CoreDataMetadata([LegacyPair(key: "token", value: .string("x"))]).hiddenKeys == 1)
    }

    @Test("a class with too many parts is rejected, because each reference would search it again")
    func largeClass() throws {
        func read(parts: Int) throws -> CoreDataModel {
            let more = (0..<parts).map { LegacyPair(key: "part\($0)", value: .bool(true)) }
            let pairs = Self.model.map { pair -> LegacyPair in
                guard pair.hasKey("$objects"), case .array(var objects) = pair.value,
                    case .dictionary(let named) = objects[1]
                else { return pair }
                objects[1] = .dictionary(more + named)
                return LegacyPair(key: pair.key, value: .array(objects))
            }
            if folder.exists("a.store") { try folder.remove("a.store") }
            return try self.read(Self.stored("model"), archives: CoreDataArchives(read: { _ in pairs }))
        }
        #expect(try read(parts: 5).isModelKnown)
        #expect(try !read(parts: 70).isModelKnown)
    }

    // MARK: Properties of one name

    /// Notes, pictures and links are in folders, in albums, or in neither; all three have a title, as folders do.
    private static let items = CoreDataArchiveSample(
        entities: [
            ("Item", nil), ("Note", "Item"), ("Picture", "Item"), ("Draft", "Note"), ("Folder", nil), ("Album", nil),
        ],
        attributes: [
            ("Item", "id", 700), ("Note", "title", 700), ("Picture", "title", 700), ("Draft", "size", 300),
            ("Picture", "size", 500), ("Folder", "title", 700),
        ],
        toOne: [("Note", "folder", "Folder"), ("Picture", "folder", "Album")], toMany: []
    ).pairs

    private static let itemStore =
        CoreDataSample.bookkeeping + """
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 4), (2, 'Note', 1, 0), (3, 'Picture', 1, 0), (4, 'Draft', 2, 0),
              (5, 'Folder', 0, 1), (6, 'Album', 0, 1);
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSIZE INTEGER, ZFOLDER INTEGER,
              ZFOLDER1 INTEGER, ZSIZE1 FLOAT, ZID VARCHAR, ZTITLE VARCHAR, ZTITLE1 VARCHAR);
            CREATE INDEX ZITEM_ZFOLDER_INDEX ON ZITEM (ZFOLDER);
            CREATE INDEX ZITEM_ZFOLDER1_INDEX ON ZITEM (ZFOLDER1);
            CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
            CREATE TABLE ZALBUM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
            INSERT INTO ZFOLDER VALUES (1, 5, 1, 'Recipes');
            INSERT INTO ZALBUM VALUES (1, 6, 1);
            """

    private func readItems(_ rows: String) throws -> CoreDataModel {
        try read(
            Self.stored("items"), store: Self.itemStore + rows, archives: CoreDataArchives(read: { _ in Self.items }))
    }

    private func columns(of entity: String, in model: CoreDataModel) throws -> [String: String] {
        let found = try #require(model.entity(named: entity))
        return Dictionary(
            found.attributes.map { ($0.column, $0.name) }
                + found.relations.map { ($0.column, "\($0.name) → \($0.target ?? "?")") },
            uniquingKeysWith: { first, _ in first })
    }

    @Test("rows show which of several columns with one name belongs to which property")
    func namesakes() throws {
        // One picture shows the columns of both titles and both folders; sizes are known by their types.
        let model = try readItems(
            "INSERT INTO ZITEM VALUES (1, 4, 1, 3, NULL, 1, NULL, 'a', NULL, 'Soup'), "
                + "(2, 3, 1, NULL, 1, NULL, 0.5, 'b', 'Sea', NULL);")
        #expect(try columns(of: "Item", in: model) == ["ZID": "id"])
        #expect(
            try columns(of: "Note", in: model) == ["ZID": "id", "ZTITLE1": "title", "ZFOLDER1": "folder → Folder"])
        #expect(
            try columns(of: "Draft", in: model)
                == ["ZID": "id", "ZTITLE1": "title", "ZFOLDER1": "folder → Folder", "ZSIZE": "size"])
        #expect(
            try columns(of: "Picture", in: model)
                == ["ZID": "id", "ZTITLE": "title", "ZFOLDER": "folder → Album", "ZSIZE1": "size"])
        #expect(model.untoldColumns.isEmpty)
    }

    @Test("a column that no row explains stays a bare column and is counted")
    func unresolved() throws {
        let model = try readItems("INSERT INTO ZITEM VALUES (1, 1, 1, NULL, NULL, NULL, NULL, 'a', NULL, NULL);")
        #expect(try columns(of: "Item", in: model) == ["ZID": "id"])
        #expect(
            try columns(of: "Note", in: model) == [
                "ZID": "id", "ZTITLE": "title", "ZTITLE1": "title1", "ZFOLDER": "folder → ?",
                "ZFOLDER1": "folder1 → ?",
            ])
        #expect(model.untoldColumns == ["ZITEM": ["ZFOLDER", "ZFOLDER1", "ZTITLE", "ZTITLE1"]])
    }
}
