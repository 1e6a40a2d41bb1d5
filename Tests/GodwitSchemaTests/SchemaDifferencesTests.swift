import GodwitModel
import GodwitSchema
import Testing

struct SchemaDifferencesTests {
    private let id = ColumnShape(name: "id", type: "TEXT", isNotNull: true)
    private let body = ColumnShape(name: "body", type: "TEXT")

    private func note(_ columns: [ColumnShape], isWithoutRowid: Bool = false, isStrict: Bool = false) -> SchemaShape {
        SchemaShape(tables: [
            TableShape(name: "Note", columns: columns, isWithoutRowid: isWithoutRowid, isStrict: isStrict)
        ])
    }

    @Test("equal shapes have no differences in any column order and case")
    func equal() {
        let mine = note([id, body])
        #expect(mine.differences(from: mine).isEmpty)
        #expect(mine.differences(from: note([body, id])).isEmpty)
        let shouting = SchemaShape(tables: [
            TableShape(
                name: "NOTE",
                columns: [
                    ColumnShape(name: "ID", type: "text", isNotNull: true), ColumnShape(name: "Body", type: "Text"),
                ])
        ])
        #expect(mine.differences(from: shouting).isEmpty)
    }

    @Test("a missing or extra table or column is named")
    func missing() {
        #expect(note([id]).differences(from: SchemaShape()) == ["table Note is missing in the store"])
        #expect(SchemaShape().differences(from: note([id])) == ["table Note of the store is not in the schema"])
        #expect(note([id, body]).differences(from: note([id])) == ["column Note.body is missing in the store"])
        #expect(
            note([id]).differences(from: note([id, body])) == ["column Note.body of the store is not in the schema"])
    }

    @Test("the table of GRDB's migrator is not part of a schema, and another table with its name is")
    func migrator() {
        func store(_ columns: [ColumnShape]) -> SchemaShape {
            SchemaShape(tables: [TableShape(name: "grdb_migrations", columns: columns)] + note([id]).tables)
        }
        let own = ColumnShape(name: "identifier", type: "TEXT", isNotNull: true, primaryKeyIndex: 1)
        #expect(note([id]).differences(from: store([own])).isEmpty)
        #expect(note([id]).differences(from: store([own, body])).count == 1)
        #expect(store([own]).differences(from: note([id])).count == 1)
    }

    @Test(
        "a table of a known migrator is not part of a schema, and one without its columns is",
        arguments: [
            ("ROOM_MASTER_TABLE", ["id", "identity_hash"]), ("schema_migrations", ["version", "dirty"]),
            ("migrations", ["id", "timestamp", "name"]), ("migrations", ["id", "migration", "batch"]),
        ])
    func otherMigrators(_ name: String, _ columns: [String]) {
        func store(_ columns: [String]) -> SchemaShape {
            let columns = columns.map { ColumnShape(name: $0, type: "TEXT") }
            return SchemaShape(tables: [TableShape(name: name, columns: columns)] + note([id]).tables)
        }
        #expect(note([id]).differences(from: store(columns)).isEmpty)
        #expect(
            note([id]).differences(from: store(Array(columns.dropLast()) + ["title"])).count == 1
                || name == "schema_migrations")
        #expect(note([id]).differences(from: store(["title"])).count == 1)
    }

    @Test(
        "a column with another declaration is named",
        arguments: [
            ColumnShape(name: "body", type: "INTEGER"), ColumnShape(name: "body", type: "TEXT", isNotNull: true),
            ColumnShape(name: "body", type: "TEXT", defaultSQL: "''"),
            ColumnShape(name: "body", type: "TEXT", primaryKeyIndex: 1),
            ColumnShape(name: "body", type: "TEXT", isGenerated: true), ColumnShape(name: "body", type: ""),
        ])
    func declaration(_ other: ColumnShape) {
        #expect(note([id, body]).differences(from: note([id, other])) == ["column Note.body is declared otherwise"])
        #expect(note([id, other]).differences(from: note([id, body])) == ["column Note.body is declared otherwise"])
    }

    @Test("STRICT and WITHOUT ROWID count as differences")
    func options() {
        #expect(note([id]).differences(from: note([id], isStrict: true)).count == 1)
        #expect(note([id]).differences(from: note([id], isWithoutRowid: true)).count == 1)
    }

    @Test("triggers, views and virtual tables count as differences in both directions")
    func others() {
        let plain = SchemaShape()
        let full = SchemaShape(triggers: ["t"], views: ["v"], virtualTables: ["s"])
        #expect(
            plain.differences(from: full) == [
                "trigger t of the store is not in the schema", "view v of the store is not in the schema",
                "virtual table s of the store is not in the schema",
            ])
        #expect(
            full.differences(from: plain) == [
                "trigger t is missing in the store", "view v is missing in the store",
                "virtual table s is missing in the store",
            ])
        #expect(full.differences(from: full).isEmpty)
    }
}
