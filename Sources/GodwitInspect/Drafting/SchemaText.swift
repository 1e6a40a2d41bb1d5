internal import GodwitModel
internal import GodwitSQLite

/// The schema files that adopt a store of ordinary tables: the statements that created it, each tried on an empty
/// in-memory store.
///
/// They also create a new cloud store, which must accept every record of the local store. So constraints that the local
/// store's own records break are left out: foreign keys to missing records, and checks. Keys and columns stay, because
/// adoption compares them.
struct SchemaText {
    private let local: StoreInspection
    private let cloud: StoreInspection?
    /// Tables that no schema file can create, by folded name, with the statement that prevents it.
    private var impossible: [[UInt8]: SchemaStatement] = [:]

    init(_ local: StoreInspection, cloud: StoreInspection?) throws(GodwitError) {
        self.local = local
        self.cloud = cloud.flatMap { $0.shape.tables.count > local.shape.tables.count ? $0 : nil }
        let memory = try MemoryStore(stage: .inspect)
        for (statement, _, _) in statements where statement.decidesByUnknownCollation || !memory.takes(statement) {
            guard ["table", "index"].contains(statement.type), !statement.isVirtual else { continue }
            impossible[statement.table.foldedName] = statement
        }
    }

    /// All statements, those of the local store first, each with the number of its file and the collations that are
    /// left out.
    private var statements: [(SchemaStatement, file: Int, lost: [String])] {
        let made = Set(local.statements.map(\.name.foldedName))
        let first = local.statements.filter { !local.tablesBehind.contains($0.table.foldedName) }
        let later = cloud?.statements.filter { statement in
            !made.contains(statement.name.foldedName)
                && cloud?.tablesBehind.contains(statement.table.foldedName) == false
        }
        return first.map { Self.known($0, file: 1) } + (later ?? []).map { Self.known($0, file: 2) }
    }

    /// A statement that works in a store without the app's collations.
    private static func known(
        _ statement: SchemaStatement, file: Int
    ) -> (SchemaStatement, file: Int, lost: [String]) {
        let lost = ["table", "index"].contains(statement.type) ? statement.unknownCollations : []
        guard !lost.isEmpty, let known = statement.withoutUnknownCollations else { return (statement, file, []) }
        return (known, file, lost)
    }

    /// Why a table cannot be an entity because of its own declaration; nil if it can.
    func reasonAgainst(_ table: TableInspection, _ shape: TableShape?) -> String? {
        if let statement = impossible[table.entity.name.foldedName] { return Self.reason(against: statement) }
        if let shape, !shape.isWithoutRowid, shape.rowidName == nil {
            return "it has columns named rowid, oid and _rowid_, which leaves no way to tell its rows apart"
        }
        // Adoption compares a check that calls a function, so it cannot be left out.
        if let words = table.brokenChecks.checks.first(where: { !SQLTokens.functions(in: $0).isEmpty }) {
            let records = table.brokenChecks.records
            return
                "\(records.counted("record")) \(records == 1 ? "breaks" : "break") its own CHECK "
                + "(\(words.joined(separator: " "))), which calls a function and so can't be left out"
        }
        return nil
    }

    /// The files, and warnings about what is left out of them.
    ///
    /// - Parameter entities: The tables whose records are copied.
    func files(
        entities: [String], tables: [TableInspection]
    ) throws(GodwitError) -> (files: [(name: String, text: String)], leftOut: [Warning]) {
        var texts = [Self.head, Self.head]
        if !local.report.triggers.isEmpty { texts[0].append("-- Read the triggers: they run on what is written.") }
        var leftOut: [Warning] = []
        let memory = try MemoryStore(stage: .inspect)
        for (statement, file, lost) in statements {
            guard impossible[statement.table.foldedName] == nil || statement.type == "trigger" else {
                if statement.type == "table" { leftOut.append(unusable(statement)) }
                continue
            }
            let table = tables.first { $0.entity.name.isSameName(as: statement.name) && statement.type == "table" }
            let (loosened, words) = loosened(statement, table, entities)
            guard memory.takes(loosened) else {
                leftOut.append(unusable(statement))
                continue
            }
            leftOut += words.map {
                Warning("constraintLeftOut", "\(statement.name): the schema file leaves out \($0)", hint: Self.hint)
            }
            leftOut += lost.map {
                Warning(
                    "constraintLeftOut",
                    "\(statement.name): the schema file leaves out COLLATE \($0), which only the app has",
                    hint: "Sort by it in the app's queries: a new cloud store orders these texts by their bytes.")
            }
            let notes = words + lost.map { "COLLATE \($0)" }
            texts[file - 1] += [""] + notes.flatMap { YAMLText.wrapped("Left out: \($0).", after: "-- ") }
            texts[file - 1].append(loosened.inFile)
        }
        let made = try memory.connection.readShape()
        for (index, store) in [local, cloud].enumerated() {
            guard let store else { continue }
            let names = Self.unmade(of: store, besides: made).compactMap(LeftOutNames.line)
            guard !names.isEmpty else { continue }
            let title = "-- The app made these as well. Godwit overlooks them when it adopts a store:"
            texts[index].insert(contentsOf: [title] + names, at: Self.head.count)
        }
        let names = ["V0001__adopt_store.sql", "V0002__bring_up_to_cloud_store.sql"].prefix(cloud == nil ? 1 : 2)
        return (zip(names, texts).map { ($0, $1.joined(separator: "\n") + "\n") }, leftOut)
    }

    /// Names in a store that no schema file creates and that do not belong to a migrator or an extension.
    private static func unmade(of store: StoreInspection, besides made: SchemaShape) -> [String] {
        let shape = store.shape
        let tables = shape.tables.filter { !$0.isMigratorsOwn && made.table(named: $0.name) == nil }.map(\.name)
        let others =
            shape.views.filter { !made.views.contains($0) }
            + shape.virtualTables.filter { !made.virtualTables.contains($0) }
        return (tables + others).filter { !shape.isOfExtension($0) }
    }

    private static let head = [
        "-- The store as the app made it: its tables, indexes, views and triggers. What is left out is named in godwit.yaml.",
        "-- A store that equals this is adopted at this version; a new cloud store is made from it.",
        "-- Once shipped it is never edited: a change is a new file with the next number.",
    ]

    private static let hint =
        "Correct the records in the app first if a new cloud store needs it; the local store keeps it."

    private func unusable(_ statement: SchemaStatement) -> Warning {
        let reason =
            impossible[statement.table.foldedName].map(Self.reason(against:)) ?? Self.reason(against: statement)
        return Warning(
            "notInSchema", "\(statement.type) \(statement.name): \(reason)",
            hint: statement.type == "table"
                ? "Let the app make the table in the cloud store: its records stay in the local store."
                : "Let the app make it in the cloud store.")
    }

    /// Why a statement cannot be run, as the end of a sentence.
    private static func reason(against statement: SchemaStatement) -> String {
        let what =
            ["table", "view"].contains(statement.type)
            ? "its SQL" : "the SQL of its \(statement.type) \(statement.name)"
        let lost = statement.unknownCollations
        guard !statement.decidesByUnknownCollation else {
            return
                "a check or generated column of it goes by COLLATE \(lost.joined(separator: ", ")), which only the app knows"
        }
        if let version = SyntaxVersion.needed(for: statement.sql) {
            return "\(what) needs SQLite \(version) or newer, and this one is \(SyntaxVersion.current)"
        }
        return "\(what) can't be run on an empty store here, as where it calls a function of the app's own"
    }

    /// The table without the constraints that its own records break, with a reason for each.
    private func loosened(
        _ statement: SchemaStatement, _ table: TableInspection?, _ entities: [String]
    ) -> (SchemaStatement, reasons: [String]) {
        guard let table else { return (statement, []) }
        let text = TableText(statement.sql)
        var (removed, reasons): ([TableText.Constraint], [String]) = ([], [])
        for constraint in text.constraints {
            guard let reason = reason(against: constraint, of: table, entities) else { continue }
            removed.append(constraint)
            reasons.append(reason)
        }
        return removed.isEmpty ? (statement, []) : (statement.with(sql: text.without(removed)), reasons)
    }

    private func reason(
        against constraint: TableText.Constraint, of table: TableInspection, _ entities: [String]
    ) -> String? {
        switch constraint.kind {
        case .check(let words):
            // A check that calls a function must stay: a store with code that no schema file has is not adopted.
            guard table.brokenChecks.checks.contains(words), SQLTokens.functions(in: words).isEmpty else { return nil }
            return "CHECK (\(words.joined(separator: " "))), which records that were there before it break"
        case .reference(let columns, let parent):
            let state = table.references.first { state in
                state.parent.isSameName(as: parent)
                    && state.columns.map(\.foldedName) == columns.map(\.foldedName)
            }
            guard let state else { return nil }
            let what = "the reference \(state.columns.joined(separator: ", ")) to \(state.parent)"
            if !state.isUsable { return "\(what), which SQLite can't hold any record to" }
            if state.dangling > 0 {
                return "\(what), which refers to a record that does not exist in \(state.dangling.counted("record"))"
            }
            let isCarried = entities.contains { $0.isSameName(as: state.parent) }
            let isChild = entities.contains { $0.isSameName(as: table.entity.name) }
            return isChild && !isCarried ? "\(what), whose records are not carried over" : nil
        }
    }
}
