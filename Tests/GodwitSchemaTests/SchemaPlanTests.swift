import GodwitLedger
import GodwitModel
import GodwitSchema
import Testing

/// The decision only, without a store.
struct SchemaPlanTests {
    private func history(_ files: SchemaFiles, upTo version: Int) -> [MigrationRecord] {
        files.files.prefix(version).map(\.record)
    }

    private func decide(
        history: [MigrationRecord]? = nil, shape: SchemaShape = SchemaShape(), indexes: Set<String> = [],
        baseline: Int? = nil, _ texts: [String] = [SchemaSamples.notes, SchemaSamples.dates, SchemaSamples.tags]
    ) throws -> SchemaPlan {
        try SchemaPlan.decide(
            files: SchemaSamples.files(texts), history: history, shape: shape, indexes: indexes, baseline: baseline,
            name: "Notes.store")
    }

    private func refusal(
        history: [MigrationRecord]? = nil, shape: SchemaShape = SchemaShape(), indexes: Set<String> = [],
        baseline: Int? = nil, _ texts: [String] = [SchemaSamples.notes, SchemaSamples.dates, SchemaSamples.tags]
    ) throws -> GodwitError {
        do {
            _ = try decide(history: history, shape: shape, indexes: indexes, baseline: baseline, texts)
        } catch {
            return try #require(error as? GodwitError)
        }
        throw Unrefused()
    }

    private struct Unrefused: Error {}

    @Test(
        "a fresh store gets every schema file, also with an empty history table",
        arguments: [nil, []] as [[MigrationRecord]?])
    func fresh(_ history: [MigrationRecord]?) throws {
        let plan = try decide(history: history)
        #expect(plan.adoptedAt == nil)
        #expect(plan.from == 0)
        #expect(plan.pending.map(\.version) == [1, 2, 3])
        #expect(plan.hasWork)
    }

    @Test("a fresh store is built from the first schema file with any baseline")
    func freshWithBaseline() throws {
        #expect(try decide(baseline: 2).pending.map(\.version) == [1, 2, 3])
    }

    @Test("a store with a history gets the pending files", arguments: [(1, [2, 3]), (2, [3]), (3, [])])
    func pending(_ version: Int, _ expected: [Int]) throws {
        let files = try SchemaSamples.files()
        let plan = try decide(history: history(files, upTo: version), shape: files.shapes[version])
        #expect(plan.adoptedAt == nil)
        #expect(plan.from == version)
        #expect(plan.pending.map(\.version) == expected)
        #expect(plan.hasWork == !expected.isEmpty)
    }

    @Test("the history decides, not the shape, because an app may have added a table")
    func historyBeforeShape() throws {
        let files = try SchemaSamples.files()
        let plan = try decide(history: history(files, upTo: 3), shape: files.shapes[1], baseline: 1)
        #expect(!plan.hasWork)
    }

    @Test("a renamed file with the same text is not an edit")
    func renamed() throws {
        let files = try SchemaSamples.files()
        let records = files.files.map { MigrationRecord(version: $0.version, name: "other", checksum: $0.checksum) }
        #expect(try !decide(history: records).hasWork)
    }

    @Test("an edited schema file is divergent, and named", arguments: [1, 2, 3])
    func divergent(_ version: Int) throws {
        let files = try SchemaSamples.files()
        var records = history(files, upTo: 3)
        records[version - 1] = MigrationRecord(version: version, name: "step", checksum: "sha256-v1:00")
        let error = try refusal(history: records)
        #expect(error.code == .data)
        #expect(error.message.contains("V000\(version)__step\(version)"))
        #expect(error.message.contains("changed after it was applied"))
        #expect(error.message.contains("Notes.store"))
        #expect(error.hint != nil)
    }

    @Test("a checksum with an unknown algorithm does not count as equal")
    func algorithm() throws {
        let files = try SchemaSamples.files()
        let bare = String(files.files[0].checksum.dropFirst("sha256-v1:".count))
        let error = try refusal(history: [MigrationRecord(version: 1, name: "step1", checksum: bare)])
        #expect(error.code == .data)
    }

    @Test("a history with a gap names the missing version", arguments: [1, 2])
    func missingRow(_ version: Int) throws {
        var records = history(try SchemaSamples.files(), upTo: 3)
        records.remove(at: version - 1)
        let error = try refusal(history: records)
        #expect(error.code == .data)
        #expect(error.message.contains("lacks schema file \(version)"))
    }

    @Test("a store newer than the schema files is rejected with both numbers")
    func newer() throws {
        let files = try SchemaSamples.files()
        let error = try refusal(
            history: history(files, upTo: 3), [SchemaSamples.notes, SchemaSamples.dates])
        #expect(error.code == .data)
        #expect(error.message.contains("version 3"))
        #expect(error.message.contains("(2)"))
        #expect(error.hint?.contains("app version") == true)
    }

    @Test(
        "a store that an app made is adopted at the version that it equals",
        arguments: [(1, [2, 3]), (2, [3]), (3, [])])
    func adopted(_ version: Int, _ pending: [Int]) throws {
        let plan = try decide(shape: SchemaSamples.files().shapes[version])
        #expect(plan.adoptedAt == version)
        #expect(plan.from == version)
        #expect(plan.pending.map(\.version) == pending)
        #expect(plan.hasWork, "the history itself has to be written")
    }

    @Test("a shape that equals no version is reported with the nearest version and the first difference")
    func different() throws {
        var shape = try SchemaSamples.files().shapes[2]
        shape.tables.append(TableShape(name: "Draft", columns: []))
        let error = try refusal(shape: shape)
        #expect(error.code == .data)
        #expect(error.message.contains("`Notes.store` has tables but no history"))
        #expect(error.message.contains("nearest is version 2: table Draft of the store is not in the schema"))
        #expect(error.hint?.contains("`MigrationOptions.baseline`") == true)
    }

    @Test("--baseline overrides the shape", arguments: [(0, [1, 2, 3]), (1, [2, 3]), (3, [])])
    func baseline(_ version: Int, _ pending: [Int]) throws {
        let shape = SchemaShape(tables: [TableShape(name: "Draft", columns: [])])
        let plan = try decide(shape: shape, baseline: version)
        #expect(plan.adoptedAt == version)
        #expect(plan.pending.map(\.version) == pending)
    }

    @Test("parts of a version that a store lacks are reported, and extra ones are not")
    func missing() throws {
        let shape = try SchemaSamples.files().shapes[3]
        #expect(shape.missing(in: shape) == [])
        var more = shape
        more.tables.append(TableShape(name: "Draft", columns: []))
        more.triggers.append("mine")
        #expect(shape.missing(in: more) == [])
        let table = try #require(shape.tables.first)
        var less = shape
        less.tables[0] = TableShape(name: table.name.uppercased(), columns: Array(table.columns.dropLast()))
        let column = try #require(table.columns.last)
        #expect(shape.missing(in: less) == ["column \(table.name).\(column.name) is missing in the store"])
        less.tables = []
        #expect(shape.missing(in: less).first == "table \(table.name) is missing in the store")
    }

    @Test("a baseline beyond the files is a usage error", arguments: [-1, 4])
    func wrongBaseline(_ version: Int) throws {
        let error = try refusal(shape: SchemaSamples.files().shapes[1], baseline: version)
        #expect(error.code == .usage)
        #expect(error.message.contains("\(version)"))
    }

    private static let indexOnly = [
        SchemaSamples.notes, "CREATE INDEX Note_id ON Note(id);", "CREATE INDEX Note_body ON Note(body);",
    ]

    @Test(
        "versions with one shape are distinguished by their indexes, without those of the app",
        arguments: [
            ([], 1), (["Note_id"], 2), (["Note_id", "Note_body"], 3), (["Mine", "Note_id"], 2),
        ] as [(Set<String>, Int)])
    func indexes(_ indexes: Set<String>, _ version: Int) throws {
        let shape = try SchemaSamples.files(Self.indexOnly).shape
        #expect(try decide(shape: shape, indexes: indexes, Self.indexOnly).adoptedAt == version)
    }

    @Test("indexes that no version has decide nothing")
    func strangeIndexes() throws {
        let shape = try SchemaSamples.files(Self.indexOnly).shape
        let error = try refusal(shape: shape, indexes: ["Note_body"], Self.indexOnly)
        #expect(error.message.contains("versions 1, 2, 3"))
    }

    @Test("versions that differ only in data are not guessed, and need a baseline")
    func dataOnly() throws {
        let texts = [SchemaSamples.notes, "UPDATE Note SET body = body || '!';", SchemaSamples.tags]
        let files = try SchemaSamples.files(texts)
        let error = try refusal(shape: files.shapes[1], texts)
        #expect(error.code == .data)
        #expect(error.message.contains("equals versions 1, 2 of the schema alike"))
        #expect(error.hint?.contains("`MigrationOptions.baseline`") == true)
        #expect(try decide(shape: files.shapes[1], baseline: 1, texts).pending.map(\.version) == [2, 3])
        #expect(try decide(shape: files.shapes[3], indexes: ["Tag_noteId"], texts).adoptedAt == 3)
    }

    @Test(
        "code that no schema file made is rejected: with a history, without, and with a baseline",
        arguments: [SchemaCode.Kind.trigger, .index, .table])
    func foreignCode(_ kind: SchemaCode.Kind) throws {
        let files = try SchemaSamples.files()
        var shape = files.shapes[3]
        let table = try #require(shape.tables.first).name
        shape.code.insert(SchemaCode(kind, name: "Evil", table: table, text: "check ( evil ( ) )"))
        for (history, baseline) in [(history(files, upTo: 3), nil), (nil, nil), (nil, 3)] {
            let error = try refusal(history: history, shape: shape, baseline: baseline)
            #expect(error.code == .data)
            #expect(error.message.contains("'Evil'"))
            #expect(error.message.contains("no schema file made"))
        }
    }

    @Test("code of a table outside the schema files, and code of a schema file, is accepted")
    func knownCode() throws {
        let texts = [
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY, a CHECK (abs(a) > 1));
            CREATE INDEX I ON Note(abs(a)) WHERE a > 2
            """
        ]
        var shape = try SchemaSamples.files(texts).shapes[1]
        #expect(shape.code.count == 2)
        #expect(try decide(shape: shape, texts).adoptedAt == 1)
        shape.code.insert(SchemaCode(.index, name: "Other", table: "Theirs", text: "other on theirs ( a ) where a"))
        #expect(try decide(shape: shape, texts).adoptedAt == 1)
        shape.code.insert(SchemaCode(.trigger, name: "Theirs", table: "Theirs", text: "create trigger theirs"))
        #expect(try refusal(shape: shape, texts).code == .data)
    }
}
