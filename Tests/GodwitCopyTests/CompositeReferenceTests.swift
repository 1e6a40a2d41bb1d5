import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// In a merge with foreign keys of several columns, no record's parent changes without a warning.
struct CompositeReferenceTests {
    private static let place = Entity(name: "Place", key: "name", modified: .init(column: "at"))
    private static let names =
        "SELECT v.id || ' ' || p.name FROM Visit v JOIN Place p ON p.number = v.placeNumber AND p.country = v.country ORDER BY v.id"

    private static func fixture(_ constraint: String, isEntity: Bool = true) throws -> CopyFixture {
        let visit = Entity(name: "Visit", key: "id", modified: .init(column: "at"))
        return try CopyFixture(
            isEntity ? [place, visit] : [place],
            schema: """
                CREATE TABLE Place(number INTEGER, country TEXT, name TEXT, at TEXT, \(constraint));
                CREATE TABLE Visit(id TEXT PRIMARY KEY, country TEXT, placeNumber INTEGER, at TEXT,
                  FOREIGN KEY(country, placeNumber) REFERENCES Place(country, number));
                """)
    }

    private static let constraints = ["PRIMARY KEY(country, number)", "UNIQUE(number, country)"]

    @Test(
        "values that name another parent in the cloud store are rejected before any change there",
        arguments: constraints)
    func otherParent(_ constraint: String) throws {
        let fixture = try Self.fixture(constraint)
        try fixture.local(
            "INSERT INTO Place VALUES (1, 'jp', 'Kyoto', '2026-01-01'); INSERT INTO Visit VALUES ('v', 'jp', 1, '2026-01-01')"
        )
        try fixture.cloud(
            """
            INSERT INTO Place VALUES (2, 'jp', 'Kyoto', '2026-01-02'), (1, 'jp', 'Nara', '2026-01-01');
            INSERT INTO Visit VALUES ('c', 'jp', 1, '2026-01-01'), ('d', 'jp', 2, '2026-01-01');
            """)
        let error = #expect(throws: GodwitError.self) { try fixture.copy() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("1 record of `Visit` would refer to another `Place`") == true)
        #expect(try fixture.cloudText(Self.names) == "c Nara d Kyoto")
    }

    @Test(
        "records of the cloud store that would lose their parent are rejected, also in tables that are not entities",
        arguments: [true, false])
    func replacedParent(isEntity: Bool) throws {
        let fixture = try Self.fixture(Self.constraints[1], isEntity: isEntity)
        try fixture.local("INSERT INTO Place VALUES (1, 'jp', 'Kyoto', '2026-03-01'), (2, 'jp', 'Nara', '2026-03-01');")
        try fixture.cloud(
            """
            INSERT INTO Place VALUES (2, 'jp', 'Kyoto', '2026-01-02'), (1, 'jp', 'Nara', '2026-01-01');
            INSERT INTO Visit VALUES ('c', 'jp', 1, '2026-01-01');
            """)
        #expect(throws: GodwitError.self) { try fixture.copy() }
        #expect(try fixture.cloudText(Self.names) == "c Nara")
    }

    @Test("a merge in which every record keeps its parent succeeds", arguments: constraints)
    func sameParents(_ constraint: String) throws {
        let fixture = try Self.fixture(constraint)
        // The only record with another parent is replaced by the cloud's.
        try fixture.local(
            """
            INSERT INTO Place VALUES (1, 'jp', 'Kyoto', '2026-01-01'), (1, 'fr', 'Nice', '2026-01-01');
            INSERT INTO Visit VALUES ('v', 'fr', 1, '2026-01-01'), ('d', 'jp', 1, '2026-01-01');
            """)
        try fixture.cloud(
            """
            INSERT INTO Place VALUES (2, 'jp', 'Kyoto', '2026-01-02'), (1, 'jp', 'Nara', '2026-01-01');
            INSERT INTO Visit VALUES ('c', 'jp', 1, '2026-01-01'), ('d', 'jp', 2, '2026-01-02');
            """)
        try fixture.copy()
        #expect(try fixture.cloudText(Self.names) == "c Nara d Kyoto v Nice")
    }
}
