package import GodwitCoreData
internal import GodwitFiles
internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// A store as it was found, with what only a draft of a manifest needs to know.
package struct StoreInspection: Sendable {
    package var report: InspectedStore
    /// Its tables, triggers, views; empty for a store that could not be read.
    package var shape = SchemaShape()
    /// What made them, in the order in which it was done.
    package var statements: [SchemaStatement] = []
    /// Tables of the app's own migrator, each with whether a new cloud store is given it.
    package var migratorTables: [(name: String, isCarried: Bool)] = []
    /// Tables that a full-text index, an R-tree or the app's migrator makes for itself, by folded name.
    package var tablesBehind: Set<[UInt8]> = []
    /// Its virtual tables and what is known of what they hold.
    package var virtualTables: [VirtualTable] = []
    /// Plain tables, in the order of `report.entities`.
    package var tables: [TableInspection] = []
    /// Core Data's model; nil for plain tables.
    package var model: CoreDataModel?
    /// Tables of Core Data's, by folded name, of which kinds have the same column for a key, and the same keys in it.
    package var tablesWithRepeatedKeys: Set<[UInt8]> = []
    /// Whether Godwit's copy has its receipt here: a cloud store.
    package var hasCopyReceipt = false
    /// Why it was not read, where it was not.
    package var fault: GodwitError?

    package init(report: InspectedStore) { self.report = report }
}

/// One row of `sqlite_schema` that somebody's SQL made.
package struct SchemaStatement: Sendable, Equatable {
    /// `table`, `index`, `trigger` or `view`.
    package let type: String
    package let name: String
    package let table: String
    package let sql: String
    /// Whether it is a virtual table: it has no page of its own.
    package let isVirtual: Bool

    /// The collations that it names and that neither SQLite nor GRDB brings along, as they are written.
    package var unknownCollations: [String] {
        namedCollations.reduce(into: []) { if !$0.contains($1.name) { $0.append($1.name) } }
    }

    /// The same without them; nil where a check or a generated column goes by one.
    package var withoutUnknownCollations: SchemaStatement? {
        guard !decidesByUnknownCollation else { return nil }
        var bytes = Array(sql.utf8)
        for collation in namedCollations.reversed() { bytes.removeSubrange(collation.place) }
        return with(sql: String(decoding: bytes, as: UTF8.self))
    }

    /// Whether a check or a generated column of a table goes by such a collation: without it they are others.
    package var decidesByUnknownCollation: Bool {
        guard type == "table" else { return false }
        let checks = TableText(sql).constraints.compactMap {
            if case .check(let words) = $0.kind { words } else { nil }
        }
        let generated = SQLTokens(sql).tableCode.filter { $0.hasPrefix("as ") }.map {
            $0.split(separator: " ").map(String.init)
        }
        return (checks + generated).contains { words in
            zip(words, words.dropFirst()).contains { $0 == "collate" && !AppCollations.isKnown($1) }
        }
    }

    /// Each such name with the bytes of `COLLATE` and the name.
    private var namedCollations: [(name: String, place: Range<Int>)] {
        let tokens = SQLTokens(sql)
        let bytes = Array(sql.utf8)
        return tokens.words.indices.dropLast().compactMap { index in
            guard tokens.words[index] == "collate" else { return nil }
            let written = String(decoding: bytes[tokens.places[index + 1]], as: UTF8.self)
            let name = String(written.drop { "\"`['".contains($0) }.prefix { !"\"`]'".contains($0) })
            return AppCollations.isKnown(name)
                ? nil : (name, tokens.places[index].lowerBound..<tokens.places[index + 1].upperBound)
        }
    }
}

/// Looks into a store without a manifest: a private clone or a hardened reader in place, as any command reads.
package struct StoreInspector: Sendable {
    let context: RunContext
    let showsValues: Bool
    let archives: CoreDataArchives?
    let limits: InspectionLimits

    package init(
        context: RunContext, showsValues: Bool, archives: CoreDataArchives?, limits: InspectionLimits = .init()
    ) {
        self.context = context
        self.showsValues = showsValues
        self.archives = archives
        self.limits = limits
    }

    /// Inspects the store at a path; throws as any reading of a store does (65, 66, 74, 75, 77).
    package func inspect(_ path: String, name: String) throws(GodwitError) -> StoreInspection {
        let set = try StoreSet(path, name: name, stage: .inspect)
        let snapshot = try StoreSnapshot(of: path, name: name, stage: .inspect, context: context)
        let connection = snapshot.connection
        var found = StoreInspection(report: InspectedStore(file: name))
        found.report.size = set.size
        found.report.journal = set.header?.isWAL == true ? "wal" : "rollback"
        found.report.modifiedAt = snapshot.modified
        found.report.risks = snapshot.warnings
        let marks = try connection.readMarks()
        found.report.userVersion = Int(marks.userVersion)
        found.report.applicationID = Int(marks.applicationID)
        found.shape = try connection.readShape()
        found.virtualTables = try connection.readVirtualTables(found.shape)
        found.statements = try connection.readStatements()
        found.report.views = found.shape.views
        found.report.triggers = found.shape.triggers
        try readBooks(connection, &found)
        if let model = try connection.readCoreDataModel(archives: archives) {
            try inspect(model, connection, &found)
        } else {
            try inspectTables(connection, &found)
        }
        found.report.risks += StoreRisks(found, now: context.now, set: try FileStatus.of(path)).warnings
        return found
    }

    private func readBooks(_ connection: SQLiteConnection, _ found: inout StoreInspection) throws(GodwitError) {
        do throws(GodwitError) {
            try connection.requireOwnBooks()
            found.report.schemaVersion = try connection.readHistory()?.last?.version
            found.hasCopyReceipt = try connection.readReceipt(.copy) != nil
        } catch {
            guard error.code == .data else { throw error }
            found.report.risks.append(Warning("foreignBooks", error.message, hint: error.hint))
        }
    }

    // MARK: Plain tables

    private func inspectTables(_ connection: SQLiteConnection, _ found: inout StoreInspection) throws(GodwitError) {
        let shadows = try ShadowTables(of: connection)
        let behind = Set(
            found.shape.tables.filter { table in
                table.isMigratorsOwn || shadows.contains(table.name)
            }.map(\.name))
        for table in found.shape.tables where table.isMigratorsOwn {
            found.migratorTables.append((table.name, try connection.statements(toMake: table) != nil))
        }
        let tables = found.shape.tables.filter { !behind.contains($0.name) }
        let mirrored = found.shape.tables.contains { $0.name.foldedName.starts(with: "ansck".utf8) }
        found.report.isMirrored = mirrored
        found.report.layout = found.shape.tables.isEmpty && found.shape.virtualTables.isEmpty ? .empty : .tables
        found.report.otherTables =
            behind.sorted() + found.shape.virtualTables
            + (try connection.readBookNames())
        let inspector = TableInspector(
            connection: connection, now: context.now, showsValues: showsValues, limits: limits)
        for (index, table) in tables.prefix(limits.tables).enumerated() {
            context.progress(RunProgress(stage: .inspect, completed: Int64(index), total: Int64(tables.count)))
            try context.cancellation.check(.inspect)
            var inspected = try inspector.inspect(table)
            inspected.references = try connection.referenceStates(of: table.name, in: found.shape)
            let made = found.statements.first { $0.type == "table" && $0.name.isSameName(as: table.name) }
            if inspected.fault == nil, let known = made?.withoutUnknownCollations {
                inspected.brokenChecks = try CheckTrial(
                    connection: connection, table: table, made: known, limits: limits
                )
                .brokenChecks()
            }
            found.tables.append(inspected)
        }
        found.tablesBehind = Set((behind + found.shape.extensions.map(\.name)).map(\.foldedName))
        found.report.otherTables += tables.dropFirst(limits.tables).map(\.name)
        let search = RelationSearch(
            connection: connection, tables: found.shape.tables, entities: found.tables.map(\.entity))
        for index in found.tables.indices {
            found.tables[index].entity.relations = try search.relations(of: found.tables[index].entity)
        }
        found.report.entities = found.tables.map(\.entity)
    }
}

extension SQLiteConnection {
    /// Godwit's own tables, and what else is called like them.
    fileprivate func readBookNames() throws(GodwitError) -> [String] {
        try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND lower(substr(name, 1, 7)) = 'godwit_' ORDER BY name"
        ).map { $0[0].readable }
    }

    /// What made the tables of a store, and what belongs to them, in the order in which it was done; without SQLite's own
    /// and Godwit's.
    fileprivate func readStatements() throws(GodwitError) -> [SchemaStatement] {
        let sql =
            "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_schema WHERE sql IS NOT NULL "
            + "AND lower(substr(tbl_name, 1, 7)) <> 'godwit_' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid LIMIT 20000"
        return try rows(sql).map { row in
            SchemaStatement(
                type: row[0].readable, name: row[1].readable, table: row[2].readable, sql: row[3].readable,
                isVirtual: row[0] == .string("table") && row[4] == .integer(0))
        }
    }
}
