import GodwitCopy
import GodwitModel
import GodwitTestSupport
import Testing

/// Foreign keys that the cloud store would hold its records to, and that lead nowhere there.
struct UnresolvedReferenceTests {
    private static let tables = """
        CREATE TABLE Owner(id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE Dog(id TEXT PRIMARY KEY, owner TEXT REFERENCES Owner(id), vet TEXT, at);
        """

    /// Dogs are an entity, and their owners are none.
    private func dogs(_ schema: String = tables, belongsTo: [Reference] = []) throws -> CopyFixture {
        try CopyFixture([Entity(name: "Dog", key: "id", belongsTo: belongsTo)], schema: schema)
    }

    @Test("a table that is no entity is named, with what can be done", arguments: [true, false])
    func noEntity(isNew: Bool) throws {
        let fixture = try dogs()
        try fixture.local(
            "INSERT INTO Owner VALUES ('o', ''); INSERT INTO Dog VALUES ('a', 'o', '', 1), ('b', 'o', '', 1), ('c', NULL, '', 1);"
        ).close()
        if !isNew { try fixture.cloud().close() }
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(error?.message == "C.store: 2 records of Dog refer to Owner by owner, where there is no such record.")
        #expect(error?.hint?.hasPrefix("Owner is no entity of the manifest, so its records are not copied") == true)
        #expect(fixture.cloudNames == (isNew ? [] : ["C.store"]))
        if !isNew { #expect(try fixture.cloudRows("SELECT * FROM Dog").isEmpty) }
    }

    @Test("records that the schema files put there are referred to like any others")
    func seeded() throws {
        let fixture = try dogs(Self.tables + "INSERT INTO Owner VALUES ('o', 'shelter');")
        try fixture.local("INSERT INTO Dog VALUES ('a', 'o', '', 1);").close()
        #expect(try fixture.copy().entities.first?.inserted == 1)
        #expect(try fixture.cloudText("SELECT owner FROM Dog") == "o")
    }

    @Test("a key of several columns is named by all of them")
    func severalColumns() throws {
        let fixture = try dogs(
            """
            CREATE TABLE Owner(id TEXT, town TEXT, PRIMARY KEY(id, town));
            CREATE TABLE Dog(id TEXT PRIMARY KEY, owner TEXT, town TEXT, FOREIGN KEY(owner, town) REFERENCES owner(id, town));
            """)
        try fixture.local("PRAGMA foreign_keys=OFF; INSERT INTO Dog VALUES ('a', 'o', 't');").close()
        #expect(
            failure { try fixture.copy() }?.message
                == "C.store: 1 record of Dog refers to owner by owner, town, where there is no such record.")
    }

    @Test("what is broken in the cloud store already is none of the copy's")
    func brokenBefore() throws {
        let fixture = try dogs()
        try fixture.local("INSERT INTO Dog VALUES ('a', NULL, '', 1);").close()
        try fixture.cloud("PRAGMA foreign_keys=OFF; INSERT INTO Dog VALUES ('b', 'gone', '', 1);").close()
        #expect(try fixture.copy().entities.first?.inserted == 1)
    }
}
