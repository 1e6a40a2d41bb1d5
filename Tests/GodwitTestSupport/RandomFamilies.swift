package import GodwitModel

/// Generated records of four levels: their references hold row numbers or other identifiers that are only valid in one
/// store, while the parents' keys are names.
///
/// Areas contain areas, categories are in areas and refer to two of them, expenses refer to two categories, and a badge
/// has its category's identifier as its own key, to which remarks refer.
package struct RandomFamilies {
    /// How the identifiers are declared.
    package enum Kind: CaseIterable, Sendable {
        case rowid, number, text, looseText
    }

    package static let entities = [
        Entity(
            name: "Area", key: "name", modified: ModifiedColumn(column: "at"),
            belongsTo: [Reference(column: "insideOf", parent: "Area", by: "id")]),
        Entity(
            name: "Category", key: "name", modified: ModifiedColumn(column: "at"),
            belongsTo: [
                Reference(column: "areaId", parent: "Area", by: "id"),
                Reference(column: "otherArea", parent: "Area", by: "id"),
            ]),
        Entity(
            name: "Expense", key: "id", modified: ModifiedColumn(column: "at"),
            belongsTo: [
                Reference(column: "categoryId", parent: "Category", by: "id"),
                Reference(column: "refundOf", parent: "Category", by: "id"),
            ]),
        Entity(
            name: "Badge", key: "categoryId", modified: ModifiedColumn(column: "at"),
            belongsTo: [Reference(column: "categoryId", parent: "Category", by: "id")]),
        Entity(
            name: "Remark", key: "id", modified: ModifiedColumn(column: "at"),
            belongsTo: [Reference(column: "badge", parent: "Badge")]),
    ]

    package let schema: String
    private let kind: Kind
    private var dice: SeededGenerator

    package init(seed: UInt64) {
        dice = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 42)
        kind = Kind.allCases[Int(seed % UInt64(Kind.allCases.count))]
        let (id, held, end) =
            switch kind {
            case .rowid: ("INTEGER PRIMARY KEY", "INTEGER", "")
            case .number: ("INTEGER NOT NULL PRIMARY KEY", "INTEGER", " WITHOUT ROWID")
            case .text: ("TEXT NOT NULL PRIMARY KEY", "TEXT", "")
            case .looseText: ("TEXT", "TEXT", "")
            }
        schema = """
            CREATE TABLE Area(id \(id), name TEXT, insideOf \(held), at TEXT)\(end);
            CREATE TABLE Category(id \(id), name TEXT, areaId \(held), otherArea \(held), at TEXT)\(end);
            CREATE TABLE Expense(id TEXT PRIMARY KEY, categoryId \(held), refundOf \(held), amount REAL, at TEXT);
            CREATE TABLE Badge(categoryId \(held), color TEXT, at TEXT);
            CREATE TABLE Remark(id TEXT PRIMARY KEY, badge \(held), at TEXT);

            """
    }

    /// Statements that fill one store.
    ///
    /// - Parameter copies: how many records may have the same name.
    package mutating func rows(copies: Int) -> String {
        var sql = ""
        let areas = parents(["Home", "Work", "Garden", "Trips"], copies, "a", number: 1...9)
        for (name, id) in areas {
            sql += "INSERT INTO Area VALUES (\(id), '\(name)', \(reference(to: areas)), \(date));\n"
        }
        let categories = parents(["Food", "Rent", "Tools", "Seeds", "Fuel"], copies, "c", number: 1...12)
        for (name, id) in categories {
            let (area, other) = (reference(to: areas), reference(to: areas))
            sql += "INSERT INTO Category VALUES (\(id), '\(name)', \(area), \(other), \(date));\n"
        }
        for number in 1...12 where roll(4) > 0 {
            let (one, other) = (reference(to: categories), reference(to: categories))
            sql += "INSERT INTO Expense VALUES ('e\(number)', \(one), \(other), \(number).5, \(date));\n"
        }
        // A category has at most one badge, and only if its name occurs once: two badges of one category would be one
        // record.
        var badges: [(String, String)] = []
        for category in categories where roll(2) > 0 {
            guard !badges.contains(where: { $0.0 == category.0 }) else { continue }
            badges.append(category)
            sql += "INSERT INTO Badge VALUES (\(category.1), 'red', \(date));\n"
        }
        for number in 1...6 where roll(3) > 0 && !badges.isEmpty {
            sql += "INSERT INTO Remark VALUES ('r\(number)', \(reference(to: badges)), \(date));\n"
        }
        return sql
    }

    private mutating func parents(
        _ names: [String], _ copies: Int, _ letter: String, number: ClosedRange<Int>
    ) -> [(String, String)] {
        var ids = Array(number).shuffled(using: &dice)
        var found: [(String, String)] = []
        for name in names {
            for _ in 0..<(roll(copies + 1)) { if let id = ids.popLast() { found.append((name, written(letter, id))) } }
        }
        return found
    }

    private func written(_ letter: String, _ id: Int) -> String {
        switch kind {
        case .rowid, .number: "\(id)"
        case .text, .looseText: "'\(letter)\(id)'"
        }
    }

    private mutating func reference(to parents: [(String, String)]) -> String {
        if roll(5) == 0 { return "NULL" }
        if roll(9) == 0 { return kind == .rowid || kind == .number ? "7\(roll(9))" : "'lost \(roll(9))'" }
        return parents.randomElement(using: &dice)?.1 ?? "NULL"
    }

    private var date: String {
        mutating get { "'2026-01-0\(1 + roll(8))T00:00:00Z'" }
    }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &dice) }

    /// A query for each entity: the record's name, its date, and the names of its parents.
    ///
    /// `lost` is a reference to a record that does not exist.
    package static let views = [
        "Area": "SELECT c.name, c.at, \(name("insideOf", "Area")) FROM Area c",
        "Category": "SELECT c.name, c.at, \(name("areaId", "Area")), \(name("otherArea", "Area")) FROM Category c",
        "Expense":
            "SELECT c.id, c.at, \(name("categoryId", "Category")), \(name("refundOf", "Category")) FROM Expense c",
        "Badge": "SELECT \(name("categoryId", "Category")), c.at FROM Badge c",
        "Remark": """
        SELECT c.id, c.at, CASE WHEN badge IS NULL THEN 'none' ELSE coalesce((SELECT \(name("categoryId", "Category"))
        FROM Badge c WHERE c.categoryId = badge), 'lost') END FROM (SELECT id, badge, at FROM Remark) c
        """,
    ]

    private static func name(_ column: String, _ parent: String) -> String {
        "CASE WHEN c.\(column) IS NULL THEN 'none' ELSE coalesce((SELECT p.name FROM \(parent) p WHERE p.id = c.\(column)), 'lost') END"
    }
}
