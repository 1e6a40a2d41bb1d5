import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// References to missing records.
struct OrphanTests {
    @Test("orphans are rejected, counted and named, and no store is made")
    func refused() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local(
            """
            INSERT INTO Trip VALUES ('t', 1);
            INSERT INTO Stop VALUES ('s1', 't', NULL, 1), ('s2', 'gone', NULL, 1), ('s3', 'lost', 's1', 1);
            """
        ).close()
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(
            error?.message
                == "2 `Stop` records refer to a record of `Trip` that does not exist "
                + "(`trip` of the records 's2', 's3')")
        #expect(error?.hint?.contains("`MigrationOptions.allowsOrphans`") == true)
        #expect(fixture.cloudNames.isEmpty)
    }

    @Test("allowed orphans are copied unchanged and counted")
    func allowed() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Stop VALUES ('s2', 'gone', NULL, 1), ('s3', NULL, 'none', 1);").close()
        let report = try fixture.copy(allowsOrphans: true)
        #expect(report.orphans == ["Stop.trip": 1, "Stop.before": 1])
        #expect(try fixture.cloudText("SELECT id FROM Stop ORDER BY id") == "s2 s3")
    }

    @Test("a parent in the cloud store, in the same copy, or of the same entity counts as a parent")
    func parents() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local(
            """
            INSERT INTO Trip VALUES ('here', 1);
            INSERT INTO Stop VALUES ('s1', 'there', NULL, 1), ('s2', 'here', 's1', 1), ('s3', 'here', 's3', 1);
            """
        ).close()
        try fixture.cloud("INSERT INTO Trip VALUES ('there', 1)").close()
        #expect(try fixture.copy().orphans.isEmpty)
    }

    @Test("a key in another case is not the parent's key")
    func byteExact() throws {
        let fixture = try CopyFixture(
            [
                Entity(name: "Trip", key: "id"),
                Entity(name: "Stop", key: "id", belongsTo: [.init(column: "trip", parent: "Trip")]),
            ],
            schema: """
                CREATE TABLE Trip(id TEXT COLLATE NOCASE); CREATE TABLE Stop(id TEXT, trip TEXT COLLATE NOCASE);
                """)
        try fixture.local("INSERT INTO Trip VALUES ('T'); INSERT INTO Stop VALUES ('s', 't');").close()
        #expect(failure { try fixture.copy() }?.code == .data)
    }

    /// With its own index, each reference is looked up once, in order.
    @Test(
        "indexes do not change the orphans that are found",
        arguments: ["TEXT", "TEXT COLLATE NOCASE", "INTEGER", ""],
        ["TEXT", "TEXT COLLATE NOCASE", "INTEGER", "BLOB", ""])
    func indexed(parent: String, child: String) throws {
        let tables = "CREATE TABLE Trip(id \(parent)); CREATE TABLE Stop(id TEXT, trip \(child));"
        let indexes = "CREATE INDEX Trip_id ON Trip(id); CREATE INDEX Stop_trip ON Stop(trip);"
        for references in ["'t', 't', NULL, 1", "'t', 'T', 1.0", "'gone', 1, '1'", "x'74', 't', 2"] {
            var found: [[String: Int]] = []
            for schema in [tables, tables + indexes] {
                let fixture = try CopyFixture(
                    [
                        Entity(name: "Trip", key: "id"),
                        Entity(name: "Stop", key: "id", belongsTo: [.init(column: "trip", parent: "Trip")]),
                    ], schema: schema)
                let stops = references.split(separator: ",").enumerated().map { "('\($0)',\($1))" }
                try fixture.local(
                    "INSERT INTO Trip VALUES ('t'), (1); INSERT INTO Stop VALUES \(stops.joined(separator: ","))"
                ).close()
                found.append(try fixture.copy(allowsOrphans: true).orphans)
            }
            #expect(found[0] == found[1], "\(references)")
        }
    }

    @Test("orphans that the cloud store already had are not reported")
    func before() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Trip VALUES ('t', 1); INSERT INTO Stop VALUES ('s1', 't', NULL, 1);").close()
        try fixture.cloud("INSERT INTO Stop VALUES ('old', 'gone', NULL, 1)").close()
        #expect(try fixture.copy().orphans.isEmpty)
    }

    @Test("only orphans of the copy are counted and named")
    func onlyNew() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Stop VALUES ('new', 'gone', NULL, 1);").close()
        try fixture.cloud("INSERT INTO Stop VALUES ('a-old', 'gone', NULL, 1), ('b-old', 'gone', NULL, 1)").close()
        #expect(
            failure { try fixture.copy() }?.message
                == "1 `Stop` record refers to a record of `Trip` that does not exist (`trip` of the record 'new')")
        #expect(try fixture.copy(allowsOrphans: true).orphans == ["Stop.trip": 1])
    }

    @Test("a new orphan is found even if the copy resolves an old one")
    func masked() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Trip VALUES ('late', 1); INSERT INTO Stop VALUES ('new', 'gone', NULL, 1);")
            .close()
        try fixture.cloud("INSERT INTO Stop VALUES ('old', 'late', NULL, 1)").close()
        #expect(
            failure { try fixture.copy() }?.message
                == "1 `Stop` record refers to a record of `Trip` that does not exist (`trip` of the record 'new')")
        #expect(try fixture.cloudText("SELECT id FROM Stop") == "old")
    }

    @Test("a record that becomes an orphan through the copy is reported")
    func updated() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Stop VALUES ('s', 'nowhere', NULL, 2);").close()
        try fixture.cloud("INSERT INTO Stop VALUES ('s', 'gone', NULL, 1)").close()
        #expect(
            failure { try fixture.copy() }?.message
                == "1 `Stop` record refers to a record of `Trip` that does not exist (`trip` of the record 's')")
    }

    @Test("a local orphan whose cloud record wins is not an orphan in the cloud store")
    func cloudKept() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Stop VALUES ('s', 'nowhere', NULL, 1);").close()
        try fixture.cloud("INSERT INTO Trip VALUES ('t', 1); INSERT INTO Stop VALUES ('s', 't', NULL, 2)").close()
        #expect(try fixture.copy().orphans.isEmpty)
    }

    private static let withForeignKeys = """
        CREATE TABLE Trip(id TEXT PRIMARY KEY, at);
        CREATE TABLE Stop(id TEXT PRIMARY KEY, trip TEXT REFERENCES Trip(id), at);
        """

    private static func declared() throws -> CopyFixture {
        try CopyFixture(
            [
                Entity(
                    name: "Stop", key: "id", modified: .init(column: "at"),
                    belongsTo: [.init(column: "trip", parent: "Trip")]),
                Entity(name: "Trip", key: "id", modified: .init(column: "at")),
            ], schema: withForeignKeys)
    }

    @Test("declared foreign keys are kept while records are replaced", arguments: [true, false])
    func foreignKeys(isNew: Bool) throws {
        let fixture = try Self.declared()
        try fixture.local(
            """
            INSERT INTO Trip VALUES ('a', 2), ('b', 2);
            INSERT INTO Stop VALUES ('s1', 'b', 2), ('s2', 'a', 2);
            """
        ).close()
        if !isNew {
            try fixture.cloud("INSERT INTO Trip VALUES ('a', 1); INSERT INTO Stop VALUES ('s1', 'a', 1);").close()
        }
        try fixture.copy()
        #expect(try fixture.cloudText("SELECT id || trip FROM Stop ORDER BY id") == "s1b s2a")
        #expect(try fixture.cloudRows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test("an orphan that a declared foreign key forbids is rejected even if allowed", arguments: [true, false])
    func forbidden(isNew: Bool) throws {
        let fixture = try Self.declared()
        try fixture.local("INSERT INTO Trip VALUES ('a', 2); INSERT INTO Stop VALUES ('s1', 'gone', 2);").close()
        if !isNew { try fixture.cloud("INSERT INTO Trip VALUES ('z', 1);").close() }
        // The hint names no option that would not help.
        let refused = failure { try fixture.copy() }
        #expect(refused?.hint?.contains("and `MigrationOptions.allowsOrphans`") == true)
        let error = failure { try fixture.copy(allowsOrphans: true) }
        #expect(error?.code == .data)
        #expect(error?.message.contains("1 record of `Stop` would refer to `Trip` by `trip`") == true)
        #expect(error?.hint?.contains("remove the foreign key in a new schema file") == true)
        #expect(fixture.cloudNames == (isNew ? [] : ["C.store"]))
        if !isNew { #expect(try fixture.cloudText("SELECT id FROM Trip") == "z") }
    }

    @Test("all references with orphans are named")
    func severalReferences() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Stop VALUES ('s1', 'gone', NULL, 1), ('s2', NULL, 'lost', 1)").close()
        #expect(
            failure { try fixture.copy() }?.message
                == "1 `Stop` record refers to a record of `Stop` that does not exist (`before` of the record 's2'); "
                + "1 `Stop` record refers to a record of `Trip` that does not exist (`trip` of the record 's1')")
    }
}
