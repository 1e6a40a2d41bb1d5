package import GodwitModel
internal import CSQLiteShim

/// A foreign key as a schema declares it; names are folded as SQLite compares them.
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
    /// Whether a foreign key stands behind a column of a table.
    package func holds(_ table: String, _ column: String) -> Bool {
        contains { $0.table == table.foldedName && $0.columns.contains(column.foldedName) }
    }
}

/// A foreign key of several columns, as a schema declares it.
package struct CompositeReference: Sendable {
    package let table: String
    package let columns: [String]
    package let parent: String
    /// In the order of `columns`.
    package let parentColumns: [String]
}

/// A foreign key of one table of a store, and how it stands.
package struct ReferenceState: Sendable, Equatable {
    package let columns: [String]
    package let parent: String
    /// Records whose reference leads nowhere; 0 where that can't be asked.
    package var dangling: Int64 = 0
    /// The rowids of the first of them, as many as a check names; none of a table WITHOUT ROWID.
    package var firstRows: [Int64] = []
    /// Whether SQLite could hold records to it at all: there is the table, and its columns tell its records apart.
    package var isUsable = true

    /// Counts a record that breaks it.
    fileprivate mutating func note(_ rowid: Value) {
        dangling += 1
        if case .integer(let row) = rowid, firstRows.count < CheckedRecord.limit { firstRows.append(row) }
    }

    /// The same without regard to how it stands.
    package func reference(of table: String) -> ForeignReference {
        ForeignReference(table: table, columns: columns, parent: parent)
    }
}

extension SQLiteConnection {
    /// Whether a commit would fail for foreign keys that were broken in this transaction.
    ///
    /// <https://sqlite.org/c3ref/c_dbstatus_options.html#sqlitedbstatusdeferredfks>
    package var hasUnresolvedReferences: Bool {
        var (current, highest): (Int32, Int32) = (0, 0)
        let code = sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return code == SQLITE_OK && current != 0
    }

    /// The foreign keys of a table, each with the number of records that break it.
    ///
    /// `PRAGMA foreign_key_list`: id, seq, table, from, to; `foreign_key_check`: table, rowid, parent, id.
    /// <https://sqlite.org/pragma.html#pragma_foreign_key_check>
    package func referenceStates(of table: String, in shape: SchemaShape) throws(GodwitError) -> [ReferenceState] {
        var declared = try judgedReferences(of: table, in: shape)
        guard !declared.isEmpty else { return [] }
        do throws(GodwitError) {
            let cursor = try prepare("PRAGMA foreign_key_check(\(quoted(table)))")
            while try cursor.step() {
                guard let index = declared.firstIndex(where: { $0.id == cursor.value(3) }) else { continue }
                declared[index].state.note(cursor.value(1))
            }
        } catch {
            // One that is not usable makes the pragma fail for all of them.
            guard error.code == .data, declared.contains(where: { !$0.state.isUsable }) else { throw error }
            for index in declared.indices where !declared[index].state.isUsable {
                let isSet = declared[index].state.columns.map { "\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
                let count = try first("SELECT count(*) FROM \(quoted(table)) WHERE \(isSet)")
                if case .integer(let number)? = count { declared[index].state.dangling = number }
            }
        }
        return declared.map(\.state)
    }

    /// The foreign keys of a table that SQLite can't hold records to; no record is looked at.
    ///
    /// One whose index sorts in another way than its column is taken for usable: only SQLite itself tells those, by failing.
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
            // SQLite lists the columns of one key in their order.
            let parts = rows.filter { $0[0] == row[0] }
            let state = ReferenceState(columns: parts.map { $0[3].readable }, parent: row[2].readable)
            found.append((row[0], parts.compactMap { $0[4] == .null ? nil : $0[4].readable }, state))
        }
        return found
    }

    /// Every foreign key that a schema declares.
    package func readReferences(_ shape: SchemaShape) throws(GodwitError) -> Set<ForeignReference> {
        var found: Set<ForeignReference> = []
        for table in shape.tables {
            for key in try declaredReferences(of: table.name) {
                found.insert(key.state.reference(of: table.name))
            }
        }
        return found
    }

    /// Every foreign key of one column whose parent's column is known, table by table.
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

    /// Every foreign key of several columns whose parent's columns are known, table by table.
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

    /// Whether columns are a table's primary key, or a unique index covers them alone.
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
