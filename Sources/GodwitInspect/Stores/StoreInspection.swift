package import GodwitCoreData
internal import GodwitFiles
internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// An inspected store, with facts that only a draft of a manifest needs.
package struct StoreInspection: Sendable {
    package var report: InspectedStore
    /// Its tables, triggers and views; empty if the store could not be read.
    package var shape = SchemaShape()
    /// The statements that created them, in order.
    package var statements: [SchemaStatement] = []
    /// Tables of the app's own migrator, each with whether a new cloud store gets it.
    package var migratorTables: [(name: String, isCarried: Bool)] = []
    /// Tables of a full-text index, an R-tree or the app's migrator, by folded name.
    package var tablesBehind: Set<[UInt8]> = []
    /// Its virtual tables and what is known of their contents.
    package var virtualTables: [VirtualTable] = []
    /// Ordinary tables, in the order of `report.entities`.
    package var tables: [TableInspection] = []
    /// Core Data's model; nil for ordinary tables.
    package var model: CoreDataModel?
    /// Core Data tables, by folded name, whose entities share a key column but repeat key values between entities.
    package var tablesWithRepeatedKeys: Set<[UInt8]> = []
    /// Whether it has the receipt of a copy, as a cloud store has.
    package var hasCopyReceipt = false
    /// Why it was not read; nil if it was.
    package var fault: GodwitError?

    package init(report: InspectedStore) { self.report = report }
}

/// A row of `sqlite_schema` that an SQL statement created.
package struct SchemaStatement: Sendable, Equatable {
    /// `table`, `index`, `trigger` or `view`.
    package let type: String
    package let name: String
    package let table: String
    package let sql: String
    /// Whether it is a virtual table, which has no page of its own.
    package let isVirtual: Bool

    /// The collations that it names and that neither SQLite nor GRDB has, as written.
    package var unknownCollations: [String] {
        namedCollations.reduce(into: []) { if !$0.contains($1.name) { $0.append($1.name) } }
    }

    /// Returns the statement without them; nil if a check or generated column uses one.
    package var withoutUnknownCollations: SchemaStatement? {
        guard !decidesByUnknownCollation else { return nil }
        var bytes = Array(sql.utf8)
        for collation in namedCollations.reversed() { bytes.removeSubrange(collation.range) }
        return with(sql: String(decoding: bytes, as: UTF8.self))
    }

    /// Whether a check or generated column of a table uses such a collation, so that its result depends on it.
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

    /// The names of unknown collations, with the bytes of `COLLATE` and the name.
    private var namedCollations: [(name: String, range: Range<Int>)] {
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

/// Reads a store without a manifest, through a private clone or a hardened reader in place, as other commands do.
package struct StoreInspector: Sendable {
    let context: RunContext
    let showsValues: Bool
    let archives: CoreDataArchives?
    let limits: InspectionLimits

    package init(
        context: RunContext, showsValues: Bool, archives: CoreDataArchives?, limits: InspectionLimits = .init()
    ) {
        (self.context, self.showsValues, self.archives, self.limits) = (context, showsValues, archives, limits)
    }

    /// Inspects the store at a path; throws like any read of a store (65, 66, 74, 75, 77).
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
        try readLedger(connection, &found)
        if let model = try connection.readCoreDataModel(archives: archives) {
            try inspect(model, connection, &found)
        } else {
            try inspectTables(connection, &found)
        }
        found.report.risks += StoreRisks(found, now: context.now, set: try FileStatus.of(path)).warnings
        return found
    }

    private func readLedger(_ connection: SQLiteConnection, _ found: inout StoreInspection) throws(GodwitError) {
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
            + (try connection.readLedgerTables())
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
    /// Tables with the prefix of Godwit's own.
    fileprivate func readLedgerTables() throws(GodwitError) -> [String] {
        try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND lower(substr(name, 1, 7)) = 'godwit_' ORDER BY name"
        ).map { $0[0].readable }
    }

    /// The statements that created the tables of a store and their objects, in order, without those of SQLite and
    /// Godwit.
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
