import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// Foreign keys that the cloud store enforces, and whose parents are missing there.
struct UnresolvedReferenceTests {
    private static let tables = """
        CREATE TABLE Owner(id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE Dog(id TEXT PRIMARY KEY, owner TEXT REFERENCES Owner(id), vet TEXT, at);
        """

    /// Dogs are an entity, their owners are not.
    private func dogs(_ schema: String = tables) throws -> CopyFixture {
        try CopyFixture([Entity(name: "Dog", key: "id")], schema: schema)
    }

    private static let refusal = "`C.store` can't take the copy: "

    @Test("a table that is not an entity is named, with what can be done", arguments: [true, false])
    func noEntity(isNew: Bool) throws {
        let fixture = try dogs()
        try fixture.local(
            """
            INSERT INTO Owner VALUES ('o', '');
            INSERT INTO Dog VALUES ('a', 'o', '', 1), ('b', 'o', '', 1), ('c', NULL, '', 1);
            """
        ).close()
        if !isNew { try fixture.cloud().close() }
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(
            error?.message
                == Self.refusal
                + "2 records of `Dog` would refer to `Owner` by `owner`, but that record would not exist"
        )
        #expect(error?.hint?.contains("`Owner`, which is not an entity of the manifest") == true)
        #expect(error?.hint?.contains("make it one, or insert there what `Dog` refers to, by INSERT OR IGNORE") == true)
        #expect(fixture.cloudNames == (isNew ? [] : ["C.store"]))
        if !isNew { #expect(try fixture.cloudRows("SELECT * FROM Dog").isEmpty) }
    }

    @Test("records that the schema files insert can be referred to")
    func seeded() throws {
        let fixture = try dogs(Self.tables + "INSERT INTO Owner VALUES ('o', 'shelter');")
        try fixture.local("INSERT INTO Dog VALUES ('a', 'o', '', 1);").close()
        #expect(try fixture.copy().entities.first?.inserted == 1)
        #expect(try fixture.cloudText("SELECT owner FROM Dog") == "o")
    }

    @Test("a key of several columns is named with all of them, without advice to make its table an entity")
    func severalColumns() throws {
        let fixture = try dogs(
            """
            CREATE TABLE Owner(id TEXT, town TEXT, PRIMARY KEY(id, town));
            CREATE TABLE Dog(
              id TEXT PRIMARY KEY, owner TEXT, town TEXT, FOREIGN KEY(owner, town) REFERENCES owner(id, town));
            """)
        try fixture.local("PRAGMA foreign_keys=OFF; INSERT INTO Dog VALUES ('a', 'o', 't');").close()
        let error = failure { try fixture.copy() }
        #expect(
            error?.message
                == Self.refusal
                + "1 record of `Dog` would refer to `owner` by `owner`, `town`, but that record would not exist")
        #expect(error?.hint?.contains("make it one") == false)
        #expect(error?.hint?.contains("its key has several columns, so it can't be one") == true)
    }

    @Test("references that are already broken in the cloud store are not reported")
    func brokenBefore() throws {
        let fixture = try dogs()
        try fixture.local("INSERT INTO Dog VALUES ('a', NULL, '', 1);").close()
        try fixture.cloud("PRAGMA foreign_keys=OFF; INSERT INTO Dog VALUES ('b', 'gone', '', 1);").close()
        #expect(try fixture.copy().entities.first?.inserted == 1)
    }

    @Test("references already broken in the cloud store are not counted with those that the copy breaks")
    func brokenBeforeAndNow() throws {
        let fixture = try dogs(
            "CREATE TABLE Aaa(id TEXT PRIMARY KEY, owner TEXT REFERENCES Owner(id));" + Self.tables)
        try fixture.local("INSERT INTO Dog VALUES ('a', 'o', '', 1);").close()
        try fixture.cloud(
            """
            PRAGMA foreign_keys=OFF;
            INSERT INTO Aaa VALUES ('x', 'gone'); INSERT INTO Dog VALUES ('b', 'gone', '', 1);
            """
        ).close()
        let before = try fixture.folder.bytes(of: "cloud/C.store")
        #expect(
            failure { try fixture.copy() }?.message
                == Self.refusal + "1 record of `Dog` would refer to `Owner` by `owner`, but that record would not exist"
        )
        #expect(try fixture.folder.bytes(of: "cloud/C.store") == before)
    }

    @Test("a record that the copy replaces is named as the possible cause of a missing parent")
    func replacedParent() throws {
        let fixture = try CopyFixture(
            [Entity(name: "Tag", key: "id", modified: .init(column: "at"))],
            schema: """
                CREATE TABLE Tag(id TEXT PRIMARY KEY, slug TEXT UNIQUE, at);
                CREATE TABLE Post(id TEXT PRIMARY KEY, tag TEXT REFERENCES Tag(slug));
                """)
        try fixture.local("INSERT INTO Tag VALUES ('t', 'new', 2);").close()
        try fixture.cloud("INSERT INTO Tag VALUES ('t', 'old', 1); INSERT INTO Post VALUES ('p', 'old');").close()
        let error = failure { try fixture.copy() }
        #expect(
            error?.message
                == Self.refusal + "1 record of `Post` would refer to `Tag` by `tag`, but that record would not exist")
        #expect(error?.hint?.contains("Correct the references of `Post` in the app") == true)
        #expect(try fixture.cloudText("SELECT slug FROM Tag") == "old")
    }

    @Test("an entity without a source in a Core Data store is named as the cause")
    func entityWithoutSource() throws {
        let fixture = try CopyFixture(
            [Entity(name: "Owner", key: "id"), Entity(name: "Dog", key: "id")], schema: Self.tables, layout: .coreData)
        try fixture.local("PRAGMA foreign_keys=OFF; INSERT INTO Dog VALUES ('a', 'o', '', 1);").close()
        #expect(failure { try fixture.copy() }?.hint?.hasPrefix("Give the entity `Owner` a `source`") == true)
    }

    @Test("all unresolved references are counted, and the first three named")
    func several() throws {
        let columns = ["a", "b", "c", "d", "e"]
        let fixture = try dogs(
            "CREATE TABLE Owner(id TEXT PRIMARY KEY); CREATE TABLE Dog(id TEXT PRIMARY KEY, "
                + columns.map { "\($0) TEXT REFERENCES Owner(id)" }.joined(separator: ", ") + ");")
        try fixture.local("PRAGMA foreign_keys=OFF; INSERT INTO Dog VALUES ('x', 1, 1, 1, 1, 1), ('y', 1, 0, 0, 0, 0);")
            .close()
        let message = try #require(failure { try fixture.copy() }?.message)
        #expect(message.split(separator: ";").count == 3)
        #expect(message.contains(", and 2 foreign keys more, but that record would not exist"))
    }
}
