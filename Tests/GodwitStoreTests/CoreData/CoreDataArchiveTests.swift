import GodwitModel
import GodwitStore
import GodwitTestSupport
import Testing

/// The app's own model, as Core Data keeps it in the store: names, types and targets of what the columns only hint at.
struct CoreDataArchiveTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// An archive of a model: entities with their parents, attributes with types, to-one relations with targets.
    private static let model: [LegacyPair] = {
        var objects: [LegacyValue] = [.string("$null")]
        func add(_ value: LegacyValue) -> LegacyValue {
            objects.append(value)
            return .uid(UInt64(objects.count - 1))
        }
        func made(_ pairs: (String, LegacyValue)...) -> LegacyValue {
            .dictionary(pairs.map { LegacyPair(key: $0.0, value: $0.1) })
        }
        func named(_ name: String) -> LegacyValue { add(.string(name)) }
        let entity = add(made(("$classname", .string("NSEntityDescription"))))
        let attribute = add(made(("$classname", .string("NSAttributeDescription"))))
        let relation = add(made(("$classname", .string("NSRelationshipDescription"))))
        let workout = add(made(("$class", entity), ("NSEntityName", named("Workout")), ("NSSuperentity", .uid(0))))
        let run = add(made(("$class", entity), ("NSEntityName", named("Run")), ("NSSuperentity", workout)))
        let set = add(made(("$class", entity), ("NSEntityName", named("ExerciseSet"))))
        let tag = add(made(("$class", entity), ("NSEntityName", named("Tag"))))
        for (owner, name, type) in [
            (workout, "isDone", Int64(800)), (workout, "startedAt", 900), (workout, "name", 700), (workout, "id", 1100),
            (workout, "cost", 400), (workout, "distance", 500), (run, "distance", 500), (set, "reps", 300),
            (set, "newest", 9999), (tag, "title", 700),
        ] {
            _ = add(
                made(
                    ("$class", attribute), ("NSEntity", owner), ("NSPropertyName", named(name)),
                    ("NSAttributeType", .integer(type))))
        }
        for (owner, name, target, most) in [(set, "workout", workout, Int64(1)), (workout, "exerciseSets", set, 0)] {
            _ = add(
                made(
                    ("$class", relation), ("NSEntity", owner), ("NSPropertyName", named(name)),
                    ("NSDestinationEntity", target), ("NSMaxCount", .integer(most))))
        }
        for name in ["tags", "workouts"] {
            let owner = name == "tags" ? workout : tag
            _ = add(
                made(
                    ("$class", relation), ("NSEntity", owner), ("NSPropertyName", named(name)),
                    ("_NSDestinationEntityName", named(name == "tags" ? "Tag" : "Workout")), ("NSMaxCount", .integer(0))
                ))
        }
        return [
            LegacyPair(key: "$archiver", value: .string("NSKeyedArchiver")),
            LegacyPair(key: "$objects", value: .array(objects)),
        ]
    }()

    /// What stands for the bytes of an archive here: the reader of property lists is another target's.
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

    /// Bytes as a single block of DEFLATE that packs nothing: RFC 1951, section 3.2.4.
    private static func stored(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
        return [1, low, high, ~low, ~high] + bytes
    }

    private func read(_ content: [UInt8]) throws -> CoreDataModel {
        try SampleStore.make(
            folder["a.store"],
            CoreDataSample.workouts + """
                CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'\(hexText(content))');
                INSERT INTO Z_METADATA VALUES (1, 'x', x'\(hexText("metadata".utf8))');
                """)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .schema, context: .sample())
        return try #require(try snapshot.connection.readCoreDataModel(archives: Self.archives))
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

    @Test("of the metadata only names, hashes and versions are told, and that there is more")
    func metadata() throws {
        let metadata = try #require(try read(Self.stored("model")).metadata)
        #expect(metadata.modelIdentifiers == ["3"])
        #expect(metadata.versionHashes == ["Workout": "ab01"])
        #expect(metadata.frameworkVersion == 1251)
        #expect(metadata.hiddenKeys == 1)
        #expect(!"\(metadata)".contains("secret"))
    }

    @Test(
        "a model that can't be unpacked or read is no model, and the columns tell what they tell",
        arguments: [
            [], [0], [1, 5], [255, 255, 255], stored("nothing"), Array(stored("model").dropLast()), [0x78, 0x9C, 1],
        ])
    func damaged(_ content: [UInt8]) throws {
        let model = try read(content)
        #expect(!model.isModelKnown)
        #expect(model.entity(named: "ExerciseSet")?.relations.first?.evidence == .columns)
    }

    @Test("keys that are not known are counted")
    func hiddenKeys() {
        #expect(CoreDataMetadata([]).hiddenKeys == 0)
        #expect(CoreDataMetadata([LegacyPair(key: "token", value: .string("x"))]).hiddenKeys == 1)
    }
}
