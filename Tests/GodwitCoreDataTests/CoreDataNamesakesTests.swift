import GodwitCoreData
import Testing

/// The owner of a column when several properties have its name.
struct CoreDataNamesakesTests {
    private typealias Property = CoreDataNamesakes.Property
    private typealias Column = CoreDataNamesakes.Column

    /// Notes (2, with drafts, 4), pictures (3) and links (5) have a title each.
    private static let titles = CoreDataNamesakes(
        name: "TITLE",
        properties: [
            Property(owner: "Note", family: [2, 4]), Property(owner: "Picture", family: [3]),
            Property(owner: "Link", family: [5]),
        ],
        columns: ["ZTITLE", "ZTITLE1", "ZTITLE2"].map { Column(name: $0, declaredType: "VARCHAR") })

    private func owners(_ namesakes: CoreDataNamesakes, _ users: [String: Set<Int64>]) -> [String: String] {
        namesakes.owners(users: users).mapValues { namesakes.properties[$0].owner }
    }

    /// The entities with values in each column, and the resulting owners.
    static let cases: [([String: Set<Int64>], [String: String])] = [
        (
            ["ZTITLE": [3], "ZTITLE1": [5], "ZTITLE2": [2, 4]],
            ["ZTITLE": "Picture", "ZTITLE1": "Link", "ZTITLE2": "Note"]
        ),
        // A sub-entity's record also proves an inherited property.
        (["ZTITLE": [4], "ZTITLE1": [3]], ["ZTITLE": "Note", "ZTITLE1": "Picture", "ZTITLE2": "Link"]),
        (["ZTITLE2": [5]], ["ZTITLE2": "Link"]),
        ([:], [:]),
        // Records of two unrelated entities: no property of the model has such a column, so the other column is not
        // trusted either.
        (["ZTITLE": [2, 3], "ZTITLE1": [5]], [:]),
        (["ZTITLE": [99]], [:]),
        // Two columns that only one property may have.
        (["ZTITLE": [3], "ZTITLE1": [3]], [:]),
    ]

    @Test("columns are assigned by rows, then by elimination, and an ambiguous column to no property", arguments: cases)
    func rows(_ users: [String: Set<Int64>], _ expected: [String: String]) {
        #expect(owners(Self.titles, users) == expected)
    }

    @Test("types and targets assign columns that no row does")
    func types() {
        let namesakes = CoreDataNamesakes(
            name: "PLACE",
            properties: [
                Property(owner: "Note", family: [2], declaredType: "INTEGER", target: "Folder"),
                Property(owner: "Picture", family: [3], declaredType: "INTEGER", target: "Album"),
                Property(owner: "Link", family: [5], declaredType: "VARCHAR"),
            ],
            columns: [
                Column(name: "ZPLACE", declaredType: "varchar"),
                Column(name: "ZPLACE1", declaredType: "INTEGER", target: "Album"),
                Column(name: "ZPLACE2", declaredType: "INTEGER"),
            ])
        #expect(owners(namesakes, [:]) == ["ZPLACE": "Link", "ZPLACE1": "Picture", "ZPLACE2": "Note"])
    }

    @Test("a property without a column leaves the last column unassigned, and extra columns are not assigned")
    func counts() {
        let two = CoreDataNamesakes(
            name: "TITLE", properties: Self.titles.properties, columns: Array(Self.titles.columns.prefix(2)))
        #expect(owners(two, ["ZTITLE": [3]]) == ["ZTITLE": "Picture"])
        let more = CoreDataNamesakes(
            name: "TITLE", properties: Array(Self.titles.properties.prefix(2)), columns: Self.titles.columns)
        #expect(owners(more, ["ZTITLE": [3], "ZTITLE1": [2]]) == [:])
    }
}
