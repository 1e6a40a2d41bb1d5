/// The tables of a store or of a schema version, as far as they decide whether two are the same.
package struct SchemaShape: Sendable, Equatable {
    /// Ordinary tables, without SQLite's own and without Godwit's, by name.
    package var tables: [TableShape]
    /// Names of triggers, views and virtual tables: things that run code or are no table.
    package var triggers: [String]
    package var views: [String]
    package var virtualTables: [String]
    /// The virtual tables whose modules this SQLite has not, with the tables that such a module made: an extension's own, not
    /// the app's.
    ///
    /// They are among the tables and virtual tables as well.
    package var extensions: [ExtensionTable]
    /// Of a schema version: tables and views that a store of the app may have and that the files don't make, as they name them.
    package var leftOut: [String] = []
    /// What SQLite computes or carries out when records of these tables are written.
    package var code: Set<SchemaCode>

    package init(
        tables: [TableShape] = [], triggers: [String] = [], views: [String] = [], virtualTables: [String] = [],
        code: Set<SchemaCode> = [], extensions: [ExtensionTable] = []
    ) {
        self.tables = tables
        self.triggers = triggers
        self.views = views
        self.virtualTables = virtualTables
        self.code = code
        self.extensions = extensions
    }

    /// Whether a table, virtual or not, is an extension's.
    package func isOfExtension(_ table: String) -> Bool {
        extensions.contains { virtual in
            virtual.name.isSameName(as: table) || virtual.tables.contains { $0.isSameName(as: table) }
        }
    }

    /// The table of this name; SQLite compares names without regard to ASCII case.
    package func table(named name: String) -> TableShape? {
        tables.first { $0.name.isSameName(as: name) }
    }
}

/// A virtual table whose module this SQLite has not.
package struct ExtensionTable: Sendable, Equatable {
    package let name: String
    /// In lower case.
    package let module: String
    /// The ordinary tables that the module made for it.
    package let tables: [String]

    package init(name: String, module: String, tables: [String]) {
        (self.name, self.module, self.tables) = (name, module, tables)
    }
}

/// Something in a schema that runs when records are written: it must be a migration's, never a foreign store's.
package struct SchemaCode: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case trigger
        /// A condition or expression of an index.
        case index
        /// A CHECK, a DEFAULT in parentheses, a generated column, or a reference that carries deletes on.
        case table
    }

    package let kind: Kind
    /// The name of the trigger, the index or the table.
    package let name: String
    /// The table it belongs to.
    package let table: String
    /// Its SQL without layout.
    package let text: String

    /// Whether it is a reference that carries deletes or updates on.
    package var isReference: Bool { kind == .table && text.hasPrefix("references ") }

    package init(_ kind: Kind, name: String, table: String, text: String) {
        self.kind = kind
        self.name = name
        self.table = table
        self.text = text
    }
}

/// One table.
package struct TableShape: Sendable, Equatable {
    package let name: String
    package let columns: [ColumnShape]
    package let isWithoutRowid: Bool
    package let isStrict: Bool

    package init(name: String, columns: [ColumnShape], isWithoutRowid: Bool = false, isStrict: Bool = false) {
        self.name = name
        self.columns = columns
        self.isWithoutRowid = isWithoutRowid
        self.isStrict = isStrict
    }

    /// The column of this name, as SQLite compares names.
    package func column(named name: String) -> ColumnShape? {
        columns.first { $0.name.isSameName(as: name) }
    }

    /// A name of the rowid that is no column's; nil where columns have all three, or there is no rowid.
    package var rowidName: String? {
        isWithoutRowid ? nil : ["_rowid_", "rowid", "oid"].first { column(named: $0) == nil }
    }

    /// The columns that hold values of their own; generated ones are computed by SQLite.
    package var storedColumns: [ColumnShape] { columns.filter { !$0.isGenerated } }

    /// The columns whose values are in the file: reading them computes nothing.
    package var columnsInFile: [ColumnShape] { columns.filter { !$0.isVirtual } }
}

/// One column, as `PRAGMA table_xinfo` shows it.
package struct ColumnShape: Sendable, Equatable {
    package let name: String
    /// The declared type; may be empty.
    ///
    /// SQLite's six standard types are in upper case, any other is as written.
    package let type: String
    package let isNotNull: Bool
    /// The DEFAULT expression as SQL text.
    package let defaultSQL: String?
    /// Place in the primary key from 1, or 0.
    package let primaryKeyIndex: Int
    package let isGenerated: Bool
    /// Whether it is generated and VIRTUAL: computed whenever it is read, by an expression of the store's own.
    package let isVirtual: Bool

    package init(
        name: String, type: String, isNotNull: Bool = false, defaultSQL: String? = nil, primaryKeyIndex: Int = 0,
        isGenerated: Bool = false, isVirtual: Bool = false
    ) {
        self.name = name
        self.type = Self.shown(type)
        self.isNotNull = isNotNull
        self.defaultSQL = defaultSQL
        self.primaryKeyIndex = primaryKeyIndex
        self.isGenerated = isGenerated
        self.isVirtual = isVirtual
    }

    private static let standardTypes = ["ANY", "BLOB", "INT", "INTEGER", "REAL", "TEXT"]

    /// A declared type as SQLite from 3.37 on shows it, whichever version read it: older ones show all types as written.
    ///
    /// Source: `sqlite3StdType` in SQLite's global.c. Letters are folded in ASCII alone, as SQLite does.
    private static func shown(_ type: String) -> String {
        standardTypes.first { $0.isSameName(as: type) } ?? type
    }
}

extension ColumnShape {
    /// The DEFAULT where it is a plain number or text, which means the same at any time; nil for all others.
    package var constantDefault: String? {
        guard let text = defaultSQL else { return nil }
        let bytes = Array(text.utf8)
        let quote = UInt8(ascii: "'")
        if bytes.first == quote, bytes.count > 1, bytes.last == quote {
            // A single quote inside ends the text: what follows is an expression.
            let runs = bytes.dropFirst().dropLast().split(omittingEmptySubsequences: true) { $0 != quote }
            return runs.allSatisfy { $0.count.isMultiple(of: 2) } ? text : nil
        }
        let isNumber = bytes.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        let isWord = ["true", "false"].contains { text.isSameName(as: $0) }
        return !bytes.isEmpty && (isNumber && Double(text) != nil || isWord) ? text : nil
    }
}
