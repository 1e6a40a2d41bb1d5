import GodwitCoreData
import Testing

struct CoreDataNameTests {
    @Test(
        "a column's name shows what it holds",
        arguments: [
            ("Z_PK", CoreDataColumn.recordKey), ("z_ent", .entityNumber), ("Z_OPT", .changeCount),
            ("ZTITLE", .property("TITLE")), ("ztitle", .property("title")), ("ZX", .property("X")),
            ("ZTITLE1", .property("TITLE1")), ("Z_FOK_PARENT", .order(of: "PARENT")),
            ("Z_FOK_3TAGS", .order(of: "3TAGS")), ("Z7_OWNER", .targetNumber(of: "OWNER", entity: 7)),
            ("Z12_1SETS", .targetNumber(of: "1SETS", entity: 12)), ("Z1SETS", .hiddenInverse(of: "SETS", entity: 1)),
            ("Z_HIDDEN", .property("_HIDDEN")), ("Z", .foreign), ("Z7", .foreign), ("name", .foreign), ("", .foreign),
            ("Z_FOK_", .property("_FOK_")), ("Z99999999999999999999_A", .property("99999999999999999999_A")),
            ("ZÜBUNG", .property("ÜBUNG")),
        ])
    func columns(_ name: String, _ expected: CoreDataColumn) {
        #expect(CoreDataColumn(name) == expected)
    }

    @Test("tables and columns have the name in upper case after Z")
    func tables() {
        #expect("ExerciseSet".coreDataName == "ZEXERCISESET")
        #expect("isDone".coreDataName == "ZISDONE")
        #expect("x".coreDataName == "ZX")
        #expect("übung".coreDataName == "ZÜBUNG")
    }
}
