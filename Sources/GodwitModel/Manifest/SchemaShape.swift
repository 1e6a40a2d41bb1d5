/// The tables of a store or of a schema version, for deciding whether two schemas are the same.
package struct SchemaShape: Sendable, Equatable {
    /// Ordinary tables by name, without the tables of SQLite and of Godwit.
    package var tables: [TableShape]
    /// Names of triggers, views and virtual tables: objects that run code or are not tables.
    package var triggers: [String]
    package var views: [String]
    package var virtualTables: [String]
    /// Virtual tables whose modules this SQLite does not have, with the tables that each module made.
    ///
    /// They belong to an extension, not to the app. They are also in `tables` and `virtualTables`.
    package var extensions: [ExtensionTable]
    /// Tables and views that a store may have but the schema files do not create; empty for the shape of a store.
    package var leftOut: [String] = []
    /// Code that SQLite runs when records of these tables are written.
    package var code: Set<SchemaCode>

    package init(
        tables: [TableShape] = [], triggers: [String] = [], views: [String] = [], virtualTables: [String] = [],
        code: Set<SchemaCode> = [], extensions: [ExtensionTable] = []
    ) {
        (self.tables, self.triggers, self.views, self.virtualTables) = (tables, triggers, views, virtualTables)
        (self.code, self.extensions) = (code, extensions)
    }

    /// Whether a table, virtual or not, belongs to an extension.
    package func isOfExtension(_ table: String) -> Bool {
        extensions.contains { virtual in
            virtual.name.isSameName(as: table) || virtual.tables.contains { $0.isSameName(as: table) }
        }
    }

    /// The table with this name; SQLite ignores ASCII case in names.
    package func table(named name: String) -> TableShape? {
        tables.first { $0.name.isSameName(as: name) }
    }
}

/// A virtual table whose module this SQLite does not have.
package struct ExtensionTable: Sendable, Equatable {
    package let name: String
    /// In lower case.
    package let module: String
    /// The ordinary tables that the module made.
    package let tables: [String]

    package init(name: String, module: String, tables: [String]) {
        (self.name, self.module, self.tables) = (name, module, tables)
    }
}

/// Code in a schema that runs when records are written; it must come from a schema file, never from a foreign store.
package struct SchemaCode: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case trigger
        /// A condition or expression of an index.
        case index
        /// A CHECK, a DEFAULT in parentheses, a generated column, or a foreign key with an action.
        case table
    }

    package let kind: Kind
    /// The name of the trigger, the index or the table.
    package let name: String
    package let table: String
    /// Its SQL, with normalized whitespace.
    package let text: String

    /// Whether it is a foreign key with an action on delete or update.
    package var isReference: Bool { kind == .table && text.hasPrefix("references ") }

    package init(_ kind: Kind, name: String, table: String, text: String) {
        (self.kind, self.name, self.table, self.text) = (kind, name, table, text)
    }
}

package struct TableShape: Sendable, Equatable {
    package let name: String
    package let columns: [ColumnShape]
    package let isWithoutRowid: Bool
    package let isStrict: Bool

    package init(name: String, columns: [ColumnShape], isWithoutRowid: Bool = false, isStrict: Bool = false) {
        (self.name, self.columns, self.isWithoutRowid, self.isStrict) = (name, columns, isWithoutRowid, isStrict)
    }

    /// The column with this name, as SQLite compares names.
    package func column(named name: String) -> ColumnShape? {
        columns.first { $0.name.isSameName(as: name) }
    }

    /// A name of the rowid that no column has; nil if columns have all three names, or the table has no rowid.
    package var rowidName: String? {
        isWithoutRowid ? nil : ["_rowid_", "rowid", "oid"].first { column(named: $0) == nil }
    }

    /// The columns that hold values; SQLite computes the generated ones.
    package var storedColumns: [ColumnShape] { columns.filter { !$0.isGenerated } }

    /// The columns whose values are in the file, so that reading them computes nothing.
    package var columnsInFile: [ColumnShape] { columns.filter { !$0.isVirtual } }
}

/// One column, as `PRAGMA table_xinfo` shows it.
package struct ColumnShape: Sendable, Equatable {
    package let name: String
    /// The declared type; may be empty; SQLite's six standard types are in upper case, other types as written.
    package let type: String
    package let isNotNull: Bool
    /// The DEFAULT expression as SQL text.
    package let defaultSQL: String?
    /// Position in the primary key, from 1; 0 for a column that is not part of it.
    package let primaryKeyIndex: Int
    package let isGenerated: Bool
    /// Whether it is generated and VIRTUAL: an expression of the store computes it on every read.
    package let isVirtual: Bool

    package init(
        name: String, type: String, isNotNull: Bool = false, defaultSQL: String? = nil, primaryKeyIndex: Int = 0,
        isGenerated: Bool = false, isVirtual: Bool = false
    ) {
        self.name = name
        self.type = Self.shown(type)
        (self.isNotNull, self.defaultSQL, self.primaryKeyIndex) = (isNotNull, defaultSQL, primaryKeyIndex)
        (self.isGenerated, self.isVirtual) = (isGenerated, isVirtual)
    }

    private static let standardTypes = ["ANY", "BLOB", "INT", "INTEGER", "REAL", "TEXT"]

    /// A declared type as SQLite 3.37 and later return it; older versions return the text as written.
    ///
    /// Source: `sqlite3StdType` in SQLite's global.c. Only ASCII case is folded, as in SQLite.
    private static func shown(_ type: String) -> String {
        standardTypes.first { $0.isSameName(as: type) } ?? type
    }
}

extension ColumnShape {
    /// The DEFAULT if it is a plain number or text, whose meaning does not depend on the time; otherwise nil.
    package var constantDefault: String? {
        guard let text = defaultSQL else { return nil }
        let bytes = Array(text.utf8)
        let quote = UInt8(ascii: "'")
        if bytes.first == quote, bytes.count > 1, bytes.last == quote {
            // A single quote inside ends the text; the rest would be an expression.
            let runs = bytes.dropFirst().dropLast().split(omittingEmptySubsequences: true) { $0 != quote }
            return runs.allSatisfy { $0.count.isMultiple(of: 2) } ? text : nil
        }
        let isNumber = bytes.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        let isWord = ["true", "false"].contains { text.isSameName(as: $0) }
        return !bytes.isEmpty && (isNumber && Double(text) != nil || isWord) ? text : nil
    }
}
