package import GodwitModel

/// A setting that a schema file changes for the statements or files after it.
package struct LastingSetting: Sendable, Equatable {
    package enum Kind: Sendable {
        /// `legacy_alter_table` is on at the end of the file.
        case legacyAlterTable
        /// `foreign_keys` is switched on before other statements, for which Godwit has it off.
        case foreignKeys
    }

    package let kind: Kind
    package let position: SourcePosition
}

/// The settings that the statements of one schema file change.
struct FileSettings {
    private var legacyAlterTable: SourcePosition?
    /// Position where `foreign_keys` was switched on, until another statement follows.
    private var foreignKeys: SourcePosition?
    private var used: SourcePosition?

    mutating func note(_ pragmas: [SchemaFileAuthorizer.Pragma], in statement: SQLScript.Statement) {
        if !statement.isReading, used == nil { used = foreignKeys }
        for pragma in pragmas where pragma.name == "foreign_keys" {
            guard let argument = pragma.argument else { continue }
            foreignKeys = Self.isOn(argument) ? statement.position : nil
        }
    }

    mutating func note(hasLegacyAlterTable: Bool, in statement: SQLScript.Statement) {
        legacyAlterTable = hasLegacyAlterTable ? legacyAlterTable ?? statement.position : nil
    }

    var lasting: [LastingSetting] {
        [
            used.map { LastingSetting(kind: .foreignKeys, position: $0) },
            legacyAlterTable.map { LastingSetting(kind: .legacyAlterTable, position: $0) },
        ].compactMap(\.self).sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
    }

    /// The values that SQLite reads as on: <https://sqlite.org/pragma.html#pragma_foreign_keys>.
    private static func isOn(_ argument: String) -> Bool {
        ["on", "yes", "true"].contains(argument) || (Int(argument.prefix { $0.isNumber }) ?? 0) != 0
    }
}
