package import GodwitModel
internal import CSQLiteShim

/// A foreign key that a schema declares; names are folded as SQLite compares them.
package struct ForeignReference: Sendable, Hashable {
    package let table: [UInt8]
    package let columns: [[UInt8]]
    package let parent: [UInt8]

    package init(table: String, columns: [String], parent: String) {
        self.table = table.foldedName
        self.columns = columns.map(\.foldedName)
        self.parent = parent.foldedName
    }
}

extension Set<ForeignReference> {
    /// Whether a column of a table is part of a foreign key.
    package func holds(_ table: String, _ column: String) -> Bool {
        contains { $0.table == table.foldedName && $0.columns.contains(column.foldedName) }
    }
}

/// A foreign key of several columns, as a schema declares it.
package struct CompositeReference: Sendable {
    package let table: String
    package let columns: [String]
    package let parent: String
    package let parentColumns: [String]
}

/// A foreign key of one table of a store, and the records that break it.
package struct ReferenceState: Sendable, Equatable {
    package let columns: [String]
    package let parent: String
    /// Number of orphans; 0 if SQLite cannot check it.
    package var dangling: Int64 = 0
    /// The rowids of the first orphans, up to `RunReport.Verify.Record.limit`; empty for a table WITHOUT ROWID.
    package var firstRows: [Int64] = []
    /// Whether SQLite can enforce it: the parent table exists, and its columns are unique.
    package var isUsable = true

    /// Counts an orphan.
    fileprivate mutating func note(_ rowid: Value) {
        dangling += 1
        if case .integer(let row) = rowid, firstRows.count < RunReport.Verify.Record.limit { firstRows.append(row) }
    }

    /// The foreign key as declared, without counts.
    package func reference(of table: String) -> ForeignReference {
        ForeignReference(table: table, columns: columns, parent: parent)
    }
}

extension SQLiteConnection {
    /// Whether a commit would fail because this transaction broke foreign keys.
    ///
    /// <https://sqlite.org/c3ref/c_dbstatus_options.html#sqlitedbstatusdeferredfks>
    package var hasUnresolvedReferences: Bool {
        var (current, highest): (Int32, Int32) = (0, 0)
        let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return code == SQLITE_OK && current != 0
    }

    /// The foreign keys of a table, each with the number of its orphans.
    ///
    /// `PRAGMA foreign_key_list`: id, seq, table, from, to; `foreign_key_check`: table, rowid, parent, id.
    /// <https://sqlite.org/pragma.html#pragma_foreign_key_check>
    package func referenceStates(of table: String, in shape: SchemaShape) throws(GodwitError) -> [ReferenceState] {
        var declared = try judgedReferences(of: table, in: shape)
        // Most stores have none that is broken.
        var mayBeBroken = false
        for key in declared where !mayBeBroken {
            mayBeBroken = try self.mayBeBroken(key.state, key.targets, of: table, in: shape)
        }
        guard mayBeBroken else { return declared.map(\.state) }
        guard declared.allSatisfy({ soundIndexes.has($0.state.parent) }) else {
            return try danglingRows(of: table, in: shape, declared)
        }
        do throws(GodwitError) {
            let cursor = try prepare("PRAGMA foreign_key_check(\(quoted(table)))")
            while try cursor.step() {
                guard let index = declared.firstIndex(where: { $0.id == cursor.value(3) }) else { continue }
                declared[index].state.note(cursor.value(1))
            }
        } catch {
            // One unusable foreign key makes the pragma fail for all of them.
            guard error.code == .data, declared.contains(where: { !$0.state.isUsable }) else { throw error }
            for index in declared.indices where !declared[index].state.isUsable {
                let isSet = declared[index].state.columns.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
                let count = try first("SELECT count(*) FROM \(source(table)) WHERE \(isSet)")
                if case .integer(let number)? = count { declared[index].state.dangling = number }
            }
        }
        return declared.map(\.state)
    }

    private func mayBeBroken(
        _ state: ReferenceState, _ targets: [String], of table: String, in shape: SchemaShape
    ) throws(GodwitError) -> Bool {
        guard state.isUsable, state.columns.count == 1, let parent = shape.table(named: state.parent) else {
            return true
        }
        let column = targets.first ?? parent.columns.first { $0.primaryKeyIndex > 0 }?.name ?? ""
        let search = MissingValueSearch(
            of: (table, state.columns[0]), in: (parent.name, column),
            comparedBy: try collations(of: [column], in: parent.name)[0], shape, self)
        return try search?.mayFindAny() ?? true
    }

    /// The same, without the indexes of the parents.
    private func danglingRows(
        of table: String, in shape: SchemaShape,
        _ declared: [(id: Value, targets: [String], state: ReferenceState)]
    ) throws(GodwitError) -> [ReferenceState] {
        let rowid = shape.table(named: table)?.rowidName ?? "NULL"
        var states: [ReferenceState] = []
        for key in declared {
            var state = key.state
            let isSet = state.columns.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
            let source = try source(table)
            if !state.isUsable, shape.table(named: state.parent) != nil {
                let count = try first("SELECT count(*) FROM \(source) WHERE \(isSet)")
                if case .integer(let number)? = count { state.dangling = number }
            } else {
                let hasParent = try condition(ofParent: state, key.targets, in: shape).map { " AND NOT \($0)" } ?? ""
                let rows = try prepare("SELECT \(rowid) FROM \(source) WHERE \(isSet)\(hasParent)")
                while try rows.step() { state.note(rows.value(0)) }
            }
            states.append(state)
        }
        return states
    }

    /// Whether a parent exists, as SQL; nil if its table does not.
    ///
    /// As SQLite judges it: by affinity and collation of the parent's columns. The unary plus removes the affinity of the
    /// child's: <https://sqlite.org/foreignkeys.html#fk_basics>.
    private func condition(
        ofParent state: ReferenceState, _ targets: [String], in shape: SchemaShape
    ) throws(GodwitError) -> String? {
        guard let parent = shape.table(named: state.parent) else { return nil }
        let primary = parent.columns.filter { $0.primaryKeyIndex > 0 }.sorted {
            $0.primaryKeyIndex < $1.primaryKeyIndex
        }
        let columns = targets.isEmpty ? primary.map(\.name) : targets
        let collations = try collations(of: columns, in: parent.name)
        let values = zip(state.columns, collations).map { "+\(quoted($0)) COLLATE \(quoted($1))" }
        let list = columns.map(quoted).joined(separator: ", ")
        let isSet = columns.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        return try "(\(values.joined(separator: ", "))) IN (SELECT \(list) FROM \(source(parent.name)) WHERE \(isSet))"
    }

    /// The collations of columns in the unique index that has exactly these; BINARY for a key that is the rowid.
    private func collations(of columns: [String], in table: String) throws(GodwitError) -> [String] {
        let wanted = Set(columns.map(\.foldedName))
        for index in try rows("PRAGMA index_list(\(quoted(table)))") where index[2] == .integer(1) {
            let parts = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))").filter { $0[5] == .integer(1) }
            guard Set(parts.map { $0[2].readable.foldedName }) == wanted else { continue }
            return columns.map { name in
                parts.first { $0[2].readable.isSameName(as: name) }?[4].readable ?? "BINARY"
            }
        }
        return columns.map { _ in "BINARY" }
    }

    /// The foreign keys of a table that SQLite cannot enforce; reads no records.
    ///
    /// A foreign key whose index has another collation than its column counts as usable: only SQLite detects it, by
    /// failing.
    package func unusableReferences(
        of table: String, in shape: SchemaShape
    ) throws(GodwitError) -> [ReferenceState] {
        try judgedReferences(of: table, in: shape).map(\.state).filter { !$0.isUsable }
    }

    private func judgedReferences(
        of table: String, in shape: SchemaShape
    ) throws(GodwitError) -> [(id: Value, targets: [String], state: ReferenceState)] {
        var declared = try declaredReferences(of: table)
        for index in declared.indices {
            let key = declared[index]
            declared[index].state.isUsable = try canBeReferredTo(
                key.state.parent, key.targets, key.state.columns, shape)
        }
        return declared
    }

    private func declaredReferences(
        of table: String
    ) throws(GodwitError) -> [(id: Value, targets: [String], state: ReferenceState)] {
        var found: [(id: Value, targets: [String], state: ReferenceState)] = []
        let rows = try rows("PRAGMA foreign_key_list(\(quoted(table)))")
        for row in rows where !found.contains(where: { $0.id == row[0] }) {
            // SQLite lists the columns of one foreign key in order.
            let parts = rows.filter { $0[0] == row[0] }
            let state = ReferenceState(columns: parts.map { $0[3].readable }, parent: row[2].readable)
            found.append((row[0], parts.compactMap { $0[4] == .null ? nil : $0[4].readable }, state))
        }
        return found
    }

    package func readReferences(_ shape: SchemaShape) throws(GodwitError) -> Set<ForeignReference> {
        var found: Set<ForeignReference> = []
        for table in shape.tables {
            for key in try declaredReferences(of: table.name) {
                found.insert(key.state.reference(of: table.name))
            }
        }
        return found
    }

    /// Every foreign key of one column whose parent column is known, table by table.
    package func readReferenceColumns(_ shape: SchemaShape) throws(GodwitError) -> [ReferenceColumns] {
        var found: [ReferenceColumns] = []
        for table in shape.tables {
            for key in try declaredReferences(of: table.name) where key.state.columns.count == 1 {
                guard let parent = shape.table(named: key.state.parent) else { continue }
                let primary = parent.columns.filter { $0.primaryKeyIndex > 0 }.map(\.name)
                guard let target = key.targets.first ?? (primary.count == 1 ? primary[0] : nil),
                    let column = parent.column(named: target)?.name
                else { continue }
                found.append(
                    ReferenceColumns(
                        table: table.name, column: key.state.columns[0], parent: parent.name, parentColumn: column))
            }
        }
        return found
    }

    /// Every foreign key of several columns whose parent columns are known, table by table.
    package func readCompositeReferences(_ shape: SchemaShape) throws(GodwitError) -> [CompositeReference] {
        var found: [CompositeReference] = []
        for table in shape.tables {
            for key in try declaredReferences(of: table.name) where key.state.columns.count > 1 {
                guard let parent = shape.table(named: key.state.parent) else { continue }
                let primary = parent.columns.filter { $0.primaryKeyIndex > 0 }
                    .sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }.map(\.name)
                let targets = key.targets.isEmpty ? primary : key.targets
                guard targets.count == key.state.columns.count else { continue }
                found.append(
                    CompositeReference(
                        table: table.name, columns: key.state.columns, parent: parent.name, parentColumns: targets))
            }
        }
        return found
    }

    /// Whether columns are a table's primary key, or all columns of a unique index.
    private func canBeReferredTo(
        _ parent: String, _ targets: [String], _ columns: [String], _ shape: SchemaShape
    ) throws(GodwitError) -> Bool {
        guard let table = shape.table(named: parent) else { return false }
        let primary = table.columns.filter { $0.primaryKeyIndex > 0 }.map(\.name.foldedName)
        let wanted = Set(targets.map(\.foldedName))
        if targets.isEmpty { return primary.count == columns.count }
        if Set(primary) == wanted { return true }
        for index in try rows("PRAGMA index_list(\(quoted(table.name)))")
        where index[2] == .integer(1) && index[4] == .integer(0) {
            let columns = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
                .filter { $0[5] == .integer(1) }.map { $0[2].readable.foldedName }
            if Set(columns) == wanted { return true }
        }
        return false
    }
}
