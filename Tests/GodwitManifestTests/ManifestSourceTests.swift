import GodwitManifest
import GodwitModel
import Testing

struct ManifestSourceTests {
    private static func text(_ source: String, layout: String = "coreData") -> String {
        """
        godwit: 1
        app: Notes
        container: { preferences: [p.plist], local: { path: a.store, layout: \(layout) }, cloud: b.store }
        schema: schema
        entities:
          Note: { key: id, source: \(source) }
        """
    }

    @Test("a source names a Core Data entity, and fields in manifest order")
    func entity() throws {
        let manifest = try ManifestSamples.decode(
            Self.text(
                "{ entity: Note, fields: { id: { from: id, as: uuid }, owner: { from: owner.id, entity: Person }, "
                    + "title: { from: title, default: \"\u{2013}\" }, pair: { from: [a, b.c] }, z: Z_PK } }"))
        let source = try #require(manifest.entities[0].source)
        #expect(source.origin == .entity("Note", includesSubentities: true))
        #expect(source.fields.map(\.column) == ["id", "owner", "title", "pair", "z"])
        #expect(
            source.fields.map { $0.paths.map(\.text) } == [["id"], ["owner.id"], ["title"], ["a", "b.c"], ["Z_PK"]])
        #expect(source.fields.map(\.encoding) == [.uuid, nil, nil, nil, nil])
        #expect(source.fields[1].target == "Person")
        #expect(source.fields[2].givenFallback == .string("\u{2013}"))
        #expect(source.field(for: "OWNER")?.column == "owner")
    }

    @Test("a path accepts names as long as in any model")
    func longNames() throws {
        let path = String(repeating: "\u{e9}", count: 500) + "." + String(repeating: "Z", count: 1000)
        let manifest = try ManifestSamples.decode(Self.text("{ entity: Note, fields: { id: \(path) } }"))
        #expect(manifest.entities[0].source?.fields[0].paths.map(\.text) == [path])
    }

    @Test("a source may name a many-to-many relation, or exclude sub-entities")
    func others() throws {
        let join = try ManifestSamples.decode(Self.text("{ join: Note.tags, fields: { id: order } }"))
        #expect(join.entities[0].source?.origin == .join(entity: "Note", relation: "tags"))
        let single = try ManifestSamples.decode(
            Self.text("{ entity: Note, subentities: false, fields: { id: id } }"))
        #expect(single.entities[0].source?.origin == .entity("Note", includesSubentities: false))
    }

    @Test("every source encoding is accepted", arguments: SourceEncoding.allCases)
    func encodings(_ encoding: SourceEncoding) throws {
        let manifest = try ManifestSamples.decode(
            Self.text("{ entity: Note, fields: { id: { from: id, as: \(encoding.rawValue) } } }"))
        #expect(manifest.entities[0].source?.fields[0].encoding == encoding)
    }

    @Test(
        "an invalid source is rejected with its position",
        arguments: [
            ("{ fields: §{ id: id } }", "neither `entity` nor `join`", false),
            ("{ entity: Note, fields: §{ title: title } }", "fills the key `id`", true),
            ("{ entity: Note, join: Note.tags, fields: { id: id } }", "both `entity` and `join`", false),
            ("{ join: §Note, fields: { id: id } }", "can't be `Note`", true),
            ("{ join: Note.tags, subentities: §true, fields: { id: id } }", "requires `entity`", true),
            ("{ entity: Note, subentities: §maybe, fields: { id: id } }", "`true` or `false`", true),
            ("{ entity: Note, fields: { id: §a.b.c.d } }", "can't be `a.b.c.d`", true),
            ("{ entity: Note, fields: { id: §a..b } }", "can't be `a..b`", true),
            ("{ entity: Note, fields: { id: { from: id, as: §guid } } }", "can't be `guid`", true),
            ("{ entity: Note, fields: { id: { from: §[id] } } }", "2 to 8 paths", true),
            ("{ entity: Note, fields: { id: §7 } }", "must be text", true),
            ("{ entity: Note, fields: { id: id, §ID: id } }", "given twice", true),
            ("{ entity: Note, fields: { id: { from: id, §ass: uuid } } }", "Did you mean `as`?", true),
            ("{ entity: Note, §filds: {}, fields: { id: id } }", "Did you mean `fields`?", true),
        ])
    func refusals(_ source: String, _ words: String, isPlaced: Bool) throws {
        let text = Self.text(source)
        if isPlaced { return try expectRefusal(text, [words]) }
        do {
            _ = try ManifestSamples.decode(text.replacing("§", with: ""))
            Issue.record("\(source) was taken")
        } catch {
            #expect(error.code == .manifest)
            #expect(error.message.contains(words), "\(error.message)")
            #expect(error.position?.line == 6)
        }
    }

    @Test("an entity of a store with ordinary tables has no source")
    func layout() throws {
        try expectRefusal(
            Self.text("§{ entity: Note, fields: { id: id } }", layout: "sqlite"),
            ["layout `coreData`", "remove `source`"])
    }

    @Test("a field must fill an existing column, and a column that is NOT NULL must be filled")
    func validation() throws {
        let columns = [
            ColumnShape(name: "id", type: "TEXT"), ColumnShape(name: "title", type: "TEXT", isNotNull: true),
            ColumnShape(name: "kind", type: "TEXT", isNotNull: true, defaultSQL: "'x'"),
        ]
        let schema = SchemaShape(tables: [TableShape(name: "Note", columns: columns)])
        func refusal(_ fields: String) throws -> GodwitError? {
            let manifest = try ManifestSamples.decode(Self.text("{ entity: Note, fields: \(fields) }"))
            do {
                try manifest.validate(against: schema)
                return nil
            } catch {
                return error
            }
        }
        #expect(try refusal("{ id: id, title: title }") == nil)
        #expect(try refusal("{ id: id, title: title, tilte: x }")?.message.contains("`tilte`") == true)
        #expect(try refusal("{ id: id }")?.message.contains("`title`") == true)
        #expect(try refusal("{ id: id }")?.message.contains("godwit.yaml:6:") == true)
    }

    @Test(
        "a constant default is recognized, and one that depends on the time is not",
        arguments: [
            ("'x'", true), ("0", true), ("-1.5e3", true), ("TRUE", true), ("CURRENT_TIMESTAMP", false),
            ("random()", false), ("1 + 1", false), ("'", false), ("e", false), ("", false),
        ])
    func defaults(_ sql: String, isPlain: Bool) {
        #expect((ColumnShape(name: "a", type: "", defaultSQL: sql).constantDefault != nil) == isPlain)
    }
}
