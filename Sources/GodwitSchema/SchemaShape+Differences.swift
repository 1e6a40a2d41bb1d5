package import GodwitModel

extension SchemaShape {
    /// The differences between a store's shape and this version's, in words; empty if tables and columns are equal.
    ///
    /// Ignores the order of columns, because ALTER TABLE adds a column at the end. Also ignores tables of GRDB's
    /// migrator, tables of an extension that Godwit cannot run, and objects that schema files list as left out.
    package func differences(from store: SchemaShape) -> [String] { found(in: store).map(\.text) }

    /// The tables, columns, triggers and views that the store lacks.
    package func missing(in store: SchemaShape) -> [String] { found(in: store).filter(\.isMissing).map(\.text) }

    private func found(in store: SchemaShape) -> [Difference] {
        var found: [Difference] = []
        for table in tables {
            guard let other = store.table(named: table.name) else {
                found.append(.missing("table \(table.name)"))
                continue
            }
            found += table.differences(from: other)
        }
        for other in store.tables
        where table(named: other.name) == nil && !other.isMigratorsOwn && !store.isOfExtension(other.name)
            && !leavesOut(other.name)
        {
            found.append(.unknown("table \(other.name)"))
        }
        let overlooked = Set(store.code.filter { $0.kind == .trigger && leavesOut($0, of: store) }.map(\.name))
        found += Self.differences("trigger", triggers, store.triggers.filter { !overlooked.contains($0) })
        found += Self.differences("view", views, store.views.filter { !leavesOut($0) })
        found += Self.differences(
            "virtual table", virtualTables, store.virtualTables.filter { !store.isOfExtension($0) && !leavesOut($0) })
        return found
    }

    private static func differences(_ kind: String, _ mine: [String], _ theirs: [String]) -> [Difference] {
        mine.filter { !theirs.contains($0) }.map { .missing("\(kind) \($0)") }
            + theirs.filter { !mine.contains($0) }.map { .unknown("\(kind) \($0)") }
    }
}

/// One difference between a store and a version of the schema.
private struct Difference {
    let text: String
    /// Whether the version has it and the store lacks it.
    var isMissing = false

    static func missing(_ what: String) -> Difference {
        Difference(text: "\(what) is missing in the store", isMissing: true)
    }

    static func unknown(_ what: String) -> Difference { Difference(text: "\(what) of the store is not in the schema") }

    static func otherwise(_ what: String) -> Difference { Difference(text: what) }
}

extension TableShape {
    fileprivate func differences(from store: TableShape) -> [Difference] {
        var found: [Difference] = []
        for column in columns {
            guard let other = store.column(named: column.name) else {
                found.append(.missing("column \(name).\(column.name)"))
                continue
            }
            if !column.isSame(as: other) {
                found.append(.otherwise("column \(name).\(column.name) is declared otherwise"))
            }
        }
        for other in store.columns where column(named: other.name) == nil {
            found.append(.unknown("column \(name).\(other.name)"))
        }
        if isWithoutRowid != store.isWithoutRowid || isStrict != store.isStrict {
            found.append(.otherwise("table \(name) is declared otherwise (STRICT or WITHOUT ROWID)"))
        }
        return found
    }
}

extension ColumnShape {
    fileprivate func isSame(as other: ColumnShape) -> Bool {
        type.lowercased() == other.type.lowercased() && isNotNull == other.isNotNull
            && defaultSQL == other.defaultSQL && primaryKeyIndex == other.primaryKeyIndex
            && isGenerated == other.isGenerated
    }
}
