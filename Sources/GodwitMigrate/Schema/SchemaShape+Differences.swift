package import GodwitModel

extension SchemaShape {
    /// How a store's shape differs from this version's, in words; empty when tables and columns equal.
    ///
    /// The order of columns does not matter: an app that added one by ALTER TABLE has it last. Nor does it that an app
    /// migrates its stores by GRDB, which notes so in them.
    package func differences(from store: SchemaShape) -> [String] {
        var found: [String] = []
        for table in tables {
            guard let other = store.table(named: table.name) else {
                found.append("table \(table.name) is missing in the store")
                continue
            }
            found += table.differences(from: other)
        }
        for other in store.tables where table(named: other.name) == nil && !other.isMigratorsOwn {
            found.append("table \(other.name) of the store is not in the schema")
        }
        found += Self.differences("trigger", triggers, store.triggers)
        found += Self.differences("view", views, store.views)
        found += Self.differences("virtual table", virtualTables, store.virtualTables)
        return found
    }

    /// Tables, columns, triggers and views of this version that a store has not, in words.
    package func missing(in store: SchemaShape) -> [String] {
        var found: [String] = []
        for table in tables {
            guard let other = store.table(named: table.name) else {
                found.append("table \(table.name) is missing in the store")
                continue
            }
            found += table.columns.filter { other.column(named: $0.name) == nil }
                .map { "column \(table.name).\($0.name) is missing in the store" }
        }
        for (kind, mine, theirs) in [
            ("trigger", triggers, store.triggers), ("view", views, store.views),
            ("virtual table", virtualTables, store.virtualTables),
        ] {
            found += mine.filter { !theirs.contains($0) }.map { "\(kind) \($0) is missing in the store" }
        }
        return found
    }

    private static func differences(_ kind: String, _ mine: [String], _ theirs: [String]) -> [String] {
        mine.filter { !theirs.contains($0) }.map { "\(kind) \($0) is missing in the store" }
            + theirs.filter { !mine.contains($0) }.map { "\(kind) \($0) of the store is not in the schema" }
    }
}

extension TableShape {
    fileprivate func differences(from store: TableShape) -> [String] {
        var found: [String] = []
        for column in columns {
            guard let other = store.column(named: column.name) else {
                found.append("column \(name).\(column.name) is missing in the store")
                continue
            }
            if !column.isSame(as: other) { found.append("column \(name).\(column.name) is declared otherwise") }
        }
        for other in store.columns where column(named: other.name) == nil {
            found.append("column \(name).\(other.name) of the store is not in the schema")
        }
        if isWithoutRowid != store.isWithoutRowid || isStrict != store.isStrict {
            found.append("table \(name) is declared otherwise (STRICT or WITHOUT ROWID)")
        }
        return found
    }
}

extension ColumnShape {
    fileprivate func isSame(as other: ColumnShape) -> Bool {
        type.lowercased() == other.type.lowercased() && isNotNull == other.isNotNull
            && defaultSQL == other.defaultSQL && primaryKeyPlace == other.primaryKeyPlace
            && isGenerated == other.isGenerated
    }
}
