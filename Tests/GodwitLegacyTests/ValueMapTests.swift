import GodwitLegacy
import GodwitModel
import GodwitPropertyList
import Testing

/// How a value map is used, and how manifest values are stored in columns.
struct ValueMapTests {
    private static func plan(
        _ value: LegacyValue, _ values: [ValueMapping], type: String = "TEXT"
    ) -> (bucket: RunReport.Legacy.KeyOutcome?, stored: Value?) {
        let entity = Entity(name: "Settings", key: "id", modified: nil, singleton: "only")
        let rule = SettingRule(key: "theme", entity: "Settings", column: "theme", values: values)
        let manifest = Manifest(
            app: "Test", file: "godwit.yaml", sha256: "0",
            container: ContainerPaths(preferences: ["a.plist"], local: "l", cloud: "c", syncEvents: nil),
            schemaDirectory: ".", entities: [entity], legacy: LegacyRules(settings: [rule]), copy: CopyRules(),
            export: ExportRules(), historyKept: 10, positions: [:])
        let shape = SchemaShape(tables: [
            TableShape(
                name: "Settings",
                columns: [ColumnShape(name: "id", type: "TEXT"), ColumnShape(name: "theme", type: type)])
        ])
        let file = LegacyFile(
            path: "/x/a.plist", format: .binary, size: 1, modified: .epoch, sha256: "ff", bytes: [],
            root: [LegacyPair(key: "theme", value: value)])
        let plan = LegacyPlanner(manifest: manifest, now: .epoch, showsValues: false)
            .plan([.init(name: "a.plist", file: file)], targets: LegacyTargets(shape: shape, keys: [:]))
        let place = plan.records.first?.columns.firstIndex(of: "theme")
        return (plan.ledger.first?.bucket, place.flatMap { plan.records.first?.values[$0] })
    }

    @Test(
        "true, 1, 1.0 and YES are one boolean, in the map and in the file",
        arguments: [("true", "false"), ("1", "0"), ("1.0", "0.0"), ("YES", "NO"), ("yes", "no"), ("True", "False")])
    func booleans(_ yes: String, _ no: String) {
        let map = [ValueMapping(from: yes, to: .string("dark")), ValueMapping(from: no, to: .string("light"))]
        let truths: [LegacyValue] = [.bool(true), .integer(1), .real(1), .string("YES"), .string("true"), .string("1")]
        for value in truths {
            let (bucket, stored) = Self.plan(value, map)
            #expect(bucket == .coerced && stored == .string("dark"), "\(value)")
        }
        for value in [LegacyValue.bool(false), .integer(0), .real(0), .string("NO"), .string("false")] {
            #expect(Self.plan(value, map).stored == .string("light"), "\(value)")
        }
        for value in [LegacyValue.integer(2), .real(0.5), .string("maybe"), .string("")] {
            #expect(Self.plan(value, map).bucket == .conflict, "\(value)")
        }
    }

    @Test("a value in the map is used before its boolean, and one with several matches is a conflict")
    func exactFirst() {
        let map = [
            ValueMapping(from: "1", to: .string("one")), ValueMapping(from: "true", to: .string("on")),
            ValueMapping(from: "2", to: .string("two")),
        ]
        #expect(Self.plan(.integer(1), map).stored == .string("one"))
        #expect(Self.plan(.bool(true), map).stored == .string("on"))
        #expect(Self.plan(.string("YES"), map).bucket == .conflict)
        #expect(Self.plan(.real(2), map).stored == .string("two"))
        #expect(Self.plan(.string("2"), map).stored == .string("two"))
    }

    @Test("a key of the map also matches as it is written")
    func spelling() {
        let map = [ValueMapping(from: "1.1", spelling: "1.10", to: .string("new"))]
        #expect(Self.plan(.string("1.10"), map).stored == .string("new"))
        #expect(Self.plan(.real(1.1), map).stored == .string("new"))
    }

    @Test(
        "a target of the map is stored by the rules for legacy values",
        arguments: [
            ("INTEGER", ManifestValue.string("7"), Value.integer(7)), ("INTEGER", .string("seven"), nil),
            ("TEXT", ManifestValue(.real(1.1), text: "1.10"), .string("1.10")),
            ("TEXT", ManifestValue(.integer(7), text: "007"), .string("007")),
            ("TEXT", ManifestValue(.bool(true), text: "true"), .string("true")),
            ("BOOLEAN", .string("yes"), .integer(1)), ("BOOLEAN", .integer(2), nil),
            ("REAL", .integer(2), .real(2)), ("BLOB", .integer(2), nil),
        ] as [(String, ManifestValue, Value?)])
    func targets(_ type: String, _ target: ManifestValue, _ stored: Value?) {
        let map = [ValueMapping(from: "a", to: target)]
        let result = Self.plan(.string("a"), map, type: type)
        #expect(result.stored == stored)
        #expect(result.bucket == (stored == nil ? .unsupported : .coerced))
    }
}
