package import GodwitModel

/// A virtual table by the statement that made it: its module is never run, since it is code that a foreign store names.
package struct VirtualTable: Sendable, Equatable {
    /// The content of the table.
    package enum Holding: Sendable, Equatable {
        /// No content of its own: its content is in another table, or does not exist.
        case nothing
        /// Records that are nowhere else.
        case records(Int64)
        case notKnown
    }

    package let name: String
    package var module: String { kindOfModule.name }
    private let kindOfModule: VirtualModule
    /// The ordinary tables that its module made, where this SQLite has not that module.
    package fileprivate(set) var ownTables: [String] = []
    /// The value of `content=` of a full-text table: a table's name, or empty; nil without one.
    package let content: String?
    package private(set) var holding = Holding.notKnown
    /// Rows that a full-text index covers, its own or another table's; nil if it keeps no number of them.
    package private(set) var indexed: Int64?

    /// Reads `CREATE VIRTUAL TABLE name USING module(…)`: <https://sqlite.org/lang_createvtab.html>.
    init(name: String, sql: String) {
        self.name = name
        let words = SQLTokens(sql).words
        let using = words.firstIndex(of: "using").map { words[$0...].dropFirst() } ?? []
        kindOfModule = VirtualModule(of: sql)
        var found: String?
        for (index, word) in using.enumerated() where word == "content" {
            let rest = using.dropFirst(index + 1)
            // A module may be called so, too, and then nothing is before it.
            let before = index > 0 ? using.dropFirst(index - 1).first : nil
            // A column may be called so as well.
            guard rest.first == "=", before == "(" || before == "," else { continue }
            let value = rest.dropFirst().first ?? ""
            found = value.first == "'" ? String(value.dropFirst().dropLast()) : value
        }
        content = found
    }

    /// The type of the table in messages.
    package var kind: String {
        if kindOfModule.isFullText { return "a full-text table" }
        return kindOfModule.isTree ? "an R-tree" : "a virtual table of the module \(module.debugDescription)"
    }

    /// Counts its records, and the records that it indexes, in its ordinary tables.
    fileprivate mutating func count(_ connection: SQLiteConnection, among tables: [TableShape]) throws(GodwitError) {
        func rows(of ending: String) throws(GodwitError) -> Int64? {
            let name = "\(name)_\(ending)"
            guard let table = tables.first(where: { $0.name.isSameName(as: name) }) else { return nil }
            do throws(GodwitError) {
                return try connection.countRecords(of: table.name)
            } catch {
                guard error.code == .data else { throw error }
                return nil
            }
        }
        if kindOfModule.isView { return holding = .nothing }
        guard kindOfModule.isFullText || kindOfModule.isTree else { return }
        if kindOfModule.isFullText { indexed = try rows(of: "docsize") }
        if let content, !content.isSameName(as: "\(name)_content") { return holding = .nothing }
        if let count = try rows(of: kindOfModule.isTree ? "rowid" : "content") { holding = .records(count) }
    }

    /// The possible loss, as the end of a sentence; nil if no records can be lost.
    package var loss: String? {
        switch holding {
        case .nothing: nil
        case .records(let count):
            "\(kind) with records of its own; \(count.counted("record")) \(count == 1 ? "is" : "are") not read"
        case .notKnown:
            "\(kind); its contents are not known, and are not read"
                + (ownTables.isEmpty ? "" : ", nor are its tables \(ownTables.joined(separator: ", "))")
        }
    }

    /// A table without records loses nothing.
    package var mayLoseRecords: Bool { holding != .nothing && holding != .records(0) }
}

extension SQLiteConnection {
    /// The virtual tables of a store by name, with their content; their modules do not run.
    package func readVirtualTables(_ shape: SchemaShape) throws(GodwitError) -> [VirtualTable] {
        guard !shape.virtualTables.isEmpty else { return [] }
        let made = try rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage = 0 ORDER BY name")
        var found: [VirtualTable] = []
        for row in made {
            let name = row[0].readable
            var table = VirtualTable(name: name, sql: row[1].readable)
            try table.count(self, among: shape.tables)
            table.ownTables = shape.extensions.first { $0.name.isSameName(as: name) }?.tables ?? []
            found.append(table)
        }
        return found
    }

    /// Records of a full-text table whose texts another store's table of that name lacks under every row number; nil
    /// for a table of another kind, or where either store keeps no texts.
    package func textsMissing(
        of table: VirtualTable, _ shape: SchemaShape, in other: SQLiteConnection, _ otherShape: SchemaShape,
        _ cancellation: Cancellation
    ) throws(GodwitError) -> Int64? {
        let name = table.name + "_content"
        guard case .records = table.holding, let mine = shape.table(named: name),
            let theirs = otherShape.table(named: name)
        else { return nil }
        let columns = mine.columnsInFile.filter { $0.primaryKeyIndex == 0 }.map(\.name)
        guard !columns.isEmpty, columns.allSatisfy({ theirs.column(named: $0) != nil }) else { return nil }
        let sql = "SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(quoted(name)) NOT INDEXED"
        let found = SpillableRowMap(stage: stage, cancellation: cancellation)
        let others = try other.prepare(sql)
        while try others.step() { try found.note(of: RowIdentifier(table: name, identity: others.row())) }
        let own = try prepare(sql)
        var missing: Int64 = 0
        while try own.step() {
            if try !found.has(RowIdentifier(table: name, identity: own.row())) { missing += 1 }
        }
        return missing
    }
}
