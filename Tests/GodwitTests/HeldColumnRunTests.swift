import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Runs of an app whose children hold the row numbers of parents with natural keys: no step leaves a child without its parent,
/// and no later command takes the other numbers of the cloud store for a difference.
struct HeldColumnRunTests {
    private static let create = """
        CREATE TABLE Category(id INTEGER PRIMARY KEY, name TEXT NOT NULL, updatedAt TEXT);
        CREATE TABLE Expense(id TEXT PRIMARY KEY, categoryId INTEGER, updatedAt TEXT);
        """
    private static let plain = """
          Category: { key: name, modified: updatedAt }
          Expense: { key: id, modified: updatedAt, conflict: keepLocal }
        """
    private static let named = plain.replacingOccurrences(
        of: "conflict: keepLocal", with: "conflict: keepLocal, belongsTo: { categoryId: { entity: Category, by: id } }")
    private static let twice = """
        INSERT INTO Category VALUES (1, 'Food', '2026-01-01'), (2, 'Food', '2026-02-01'), (3, 'Rent', '2026-01-01');
        INSERT INTO Expense VALUES ('e1', 1, '2026-03-01'), ('e2', 2, '2026-03-01'), ('e3', 3, '2026-03-01');
        """
    private static let once = """
        INSERT INTO Category VALUES (1, 'Food', '2026-01-01'), (3, 'Rent', '2026-01-01'), (4, 'Fuel', '2026-01-01');
        INSERT INTO Expense VALUES ('e1', 1, '2026-03-01'), ('e3', 3, '2026-03-01'), ('e4', 4, '2026-03-01');
        """
    private static let cloud = """
        INSERT INTO Category VALUES (3, 'Food', '2026-02-01'), (1, 'Rent', '2025-02-01'), (4, 'Toys', '2026-02-01');
        INSERT INTO Expense VALUES ('c4', 4, '2026-03-01');
        """
    private static let names = """
        SELECT e.id || ' ' || coalesce(c.name, 'lost') FROM Expense e LEFT JOIN Category c ON c.id = e.categoryId ORDER BY e.id
        """
    private static let merged = ["c4 Toys", "e1 Food", "e3 Rent", "e4 Fuel"]

    private func app(
        _ entities: String, _ local: String, cloud: String? = nil, create: String = create
    ) throws -> NoteApp {
        let app = try NoteApp(entities: entities, migrations: [create])
        try app.write(NoteApp.local, create + local)
        if let cloud { try app.write(NoteApp.cloud, create + cloud) }
        return app
    }

    @Test("duplicates go, their children stay with the name, and an undo brings both back")
    func dedupe() throws {
        let app = try app(Self.named, Self.twice)
        let before = try app.column(NoteApp.local, "SELECT id || ' ' || categoryId FROM Expense ORDER BY id")
        #expect(try app.perform().warnings.map(\.code) == [])
        for store in [NoteApp.local, NoteApp.cloud] {
            #expect(try app.column(store, Self.names) == ["e1 Food", "e2 Food", "e3 Rent"])
            #expect(try app.column(store, "SELECT name FROM Category ORDER BY name") == ["Food", "Rent"])
        }
        #expect(try app.perform(.verify).outcome != .failed)
        _ = try app.migration().undoDedupe(of: "latest", dryRun: false)
        #expect(try app.column(NoteApp.local, "SELECT id || ' ' || categoryId FROM Expense ORDER BY id") == before)
    }

    @Test("a merge keeps the cloud's numbers, its plan says the same, and verify and status find nothing amiss")
    func merge() throws {
        for declared in [false, true] {
            let create =
                declared
                ? Self.create.replacingOccurrences(
                    of: "categoryId INTEGER", with: "categoryId INTEGER REFERENCES Category(id)")
                : Self.create
            let entities =
                declared
                ? Self.plain.replacingOccurrences(
                    of: "keepLocal", with: "keepLocal, belongsTo: { categoryId: Category }")
                : Self.named
            let app = try app(entities, Self.once, cloud: Self.cloud, create: create)
            let plan = try app.perform(dryRun: true)
            let report = try app.perform { $0.isStrict = true }
            #expect(plan.copy?.entities == report.copy?.entities)
            #expect(report.outcome == .done && report.failedChecks == [] && report.warnings.map(\.code) == [])
            #expect(try app.column(NoteApp.cloud, Self.names) == Self.merged)
            #expect(
                try app.column(NoteApp.cloud, "SELECT name || id FROM Category ORDER BY name")
                    == ["Food3", "Fuel5", "Rent1", "Toys4"])
            #expect(try app.column(NoteApp.local, Self.names) == ["e1 Food", "e3 Rent", "e4 Fuel"])
            #expect(try app.perform(.verify).failedChecks == [])
            #expect(try app.migration().status().pendingChanges == [:])
            let cloud = try app.folder.bytes(of: NoteApp.cloud)
            #expect(try app.perform().copy?.outcome == .alreadyDone)
            #expect(try app.folder.bytes(of: NoteApp.cloud) == cloud)
        }
    }

    @Test("the number of a duplicate that was set aside is given to no other record, so that the run can be undone")
    func numberSetAside() throws {
        let app = try app(
            Self.named,
            "INSERT INTO Category VALUES (1, 'Own', '2026-01-01'); INSERT INTO Expense VALUES ('l', 1, '2026-01-01');",
            cloud: """
                INSERT INTO Category VALUES (1, 'Food', '2026-01-01'), (2, 'Food', '2026-02-01');
                INSERT INTO Expense VALUES ('c', 1, '2026-01-01');
                """)
        let numbers = "SELECT name || id FROM Category ORDER BY 1"
        #expect(try app.perform(dryRun: true).copy?.entities == app.perform().copy?.entities)
        #expect(try app.column(NoteApp.cloud, numbers) == ["Food2", "Own3"])
        #expect(try app.column(NoteApp.local, numbers) == ["Own1"])
        #expect(try app.perform(.verify).failedChecks == [])
        _ = try app.migration().undoDedupe(of: "latest", dryRun: false)
        #expect(try app.column(NoteApp.cloud, numbers) == ["Food1", "Food2", "Own3"])
        #expect(try app.column(NoteApp.cloud, Self.names) == ["c Food", "l Own"])
        #expect(try app.column(NoteApp.cloud, "SELECT categoryId FROM Expense WHERE id = 'c'") == ["1"])
    }

    @Test(
        "children in a REAL column with a foreign key to row numbers are deduped, copied and merged",
        arguments: [false, true])
    func realForeignKey(isMerge: Bool) throws {
        let create = Self.create.replacingOccurrences(
            of: "categoryId INTEGER", with: "categoryId REAL REFERENCES Category(id)")
        let app = try app(Self.named, Self.twice, cloud: isMerge ? Self.cloud : nil, create: create)
        #expect(try app.perform().outcome == .done)
        let expected = (isMerge ? ["c4 Toys"] : []) + ["e1 Food", "e2 Food", "e3 Rent"]
        #expect(try app.column(NoteApp.cloud, Self.names) == expected)
        #expect(try app.perform(.verify).failedChecks == [])
    }

    @Test("a copy that lost its flag is found to be complete, by the cloud's numbers")
    func healed() throws {
        let app = try app(Self.named, Self.once, cloud: Self.cloud)
        let preferences = try app.folder.bytes(of: NoteApp.preferences)
        try app.perform()
        try app.folder.write(preferences, to: NoteApp.preferences)
        #expect(try app.perform().copy?.outcome == .healed)
        #expect(try app.column(NoteApp.cloud, Self.names) == Self.merged)
    }

    @Test(
        "without belongsTo a warning names column and parent, and a strict run ends before it writes",
        arguments: [Command.run, .dedupe, .copy])
    func unnamed(command: Command) throws {
        let app =
            try command == .copy
            ? app(Self.plain, Self.once, cloud: "INSERT INTO Category VALUES (9, 'Food', '2026-02-01')")
            : app(Self.plain, Self.twice)
        for dryRun in [true, false] {
            let report = try app.perform(command, dryRun: dryRun) { $0.isStrict = true }
            #expect(report.run.dryRun && report.stoppedBy == (dryRun ? nil : .strict))
            let warning = report.warnings.first { $0.code == "unnamedReference" }
            #expect(warning?.message.contains("Expense.categoryId") == true)
            #expect(warning?.hint?.contains("belongsTo: { categoryId: { entity: Category, by: id } }") == true)
        }
        if command != .copy { #expect(try app.column(NoteApp.local, "SELECT count(*) FROM Category") == ["3"]) }
        if command == .copy { #expect(try app.column(NoteApp.cloud, "SELECT count(*) FROM Expense") == ["0"]) }
        let plan = try app.perform(command, dryRun: true)
        #expect(plan.warnings.filter { $0.code == "unnamedReference" }.count == 1)
        #expect(plan.warnings.contains { $0.message.contains("Expense.categoryId") && $0.message.contains("Category") })
        let report = try app.perform(command)
        #expect(report.warnings.map(\.code).contains("unnamedReference"))
    }

    @Test("a row number that another parent has in the cloud store is refused with the reference that nothing names")
    func refused() throws {
        let app = try app(
            Self.plain, Self.once, cloud: "INSERT INTO Category VALUES (9, 'Food', '2026-02-01'), (4, 'Toys', NULL)")
        let error = try #require(failure { try app.perform(dryRun: true) })
        #expect(error.code == .data)
        #expect(error.hint?.contains("belongsTo: { categoryId: { entity: Category, by: id } }") == true)
    }

    @Test("without duplicates and merges, an unnamed reference gives no warning, also in a strict run")
    func control() throws {
        let report = try app(Self.plain, Self.once).perform { $0.isStrict = true }
        #expect(report.outcome == .done && report.warnings.map(\.code) == [])
    }

    @Test("what is entered while sync is off comes to the parents that the cloud store has")
    func later() throws {
        var app = try app(Self.named, Self.once, cloud: Self.cloud)
        app.settings = "sync: { enabledKey: syncOn }"
        let list = try PropertyListSerialization.data(fromPropertyList: ["syncOn": true], format: .binary, options: 0)
        try app.folder.write(Array(list), to: NoteApp.preferences)
        try app.perform()
        try app.write(
            NoteApp.local,
            """
            INSERT INTO Category VALUES (5, 'Pets', '2027-01-01');
            INSERT INTO Expense VALUES ('n1', 1, '2027-01-01'), ('n4', 4, '2027-01-01'), ('n5', 5, '2027-01-01');
            """)
        let report = try app.perform { $0.now = Instant(iso8601: "2027-02-01T00:00:00Z") }
        #expect(report.copy?.since != nil)
        #expect(
            try app.column(NoteApp.cloud, Self.names)
                == ["c4 Toys", "e1 Food", "e3 Rent", "e4 Fuel", "n1 Food", "n4 Fuel", "n5 Pets"])
        let again = try app.perform { $0.now = Instant(iso8601: "2027-03-01T00:00:00Z") }
        #expect(again.copy?.outcome == .alreadyDone)
    }

    @Test("an export, and what changed since by a dedupe, come back with every child at its parent")
    func restored() throws {
        let app = try app(Self.named, Self.once)
        let (whole, changes) = (app.folder["whole.json"], app.folder["changes.json"])
        _ = try app.migration().exportAndKeep(to: whole, options: .init())
        try app.write(
            NoteApp.local,
            "INSERT INTO Category VALUES (9, 'Food', '2026-05-01'); INSERT INTO Expense VALUES ('e9', 9, '2026-05-01')")
        #expect(try app.perform(.dedupe).dedupe?.repointed == 1)
        var options = ExportOptions()
        options.sincePath = whole
        _ = try app.migration().exportAndKeep(to: changes, options: options)
        _ = try app.migration().restore(from: whole, increment: changes, to: app.folder["new.store"])
        #expect(try app.column("new.store", Self.names) == ["e1 Food", "e3 Rent", "e4 Fuel", "e9 Food"])
        #expect(try app.column("new.store", "SELECT id FROM Category WHERE name = 'Food'") == ["9"])
    }

    @Test(
        "next to triggers a foreign key that carries a parent's value on is refused with its table, and works once that is named"
    )
    func carriedOn() throws {
        let create =
            Self.create.replacing(
                "categoryId INTEGER", with: "categoryId INTEGER REFERENCES Category(id) ON UPDATE CASCADE")
            + "CREATE TABLE Log(what TEXT); CREATE TRIGGER t AFTER UPDATE ON Category BEGIN INSERT INTO Log VALUES (new.name); END;"
        let parent = "  Category: { key: name, modified: updatedAt }\n"
        let later = Self.once.replacing("2026-01-01", with: "2026-05-01")
        var app = try app(parent, later, cloud: Self.cloud, create: create)
        let error = try #require(failure { try app.perform() })
        #expect(error.code == .data && error.message.contains("which a foreign key of `Expense` in"))
        #expect(error.hint?.contains("Name `Expense` under `entities:`, with `belongsTo`") == true)
        app.entities = Self.named
        #expect(try app.perform().outcome == .done)
        #expect(try app.column(NoteApp.cloud, Self.names) == Self.merged)
    }
}
