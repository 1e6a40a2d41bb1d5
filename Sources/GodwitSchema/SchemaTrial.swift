internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite

/// Tests all schema files of an app, in order, on an empty store in memory.
struct SchemaTrial {
    private(set) var shapes = [SchemaShape()]
    private(set) var indexes: [Set<String>] = [[]]
    private(set) var references: Set<ForeignReference> = []
    private(set) var referenceColumns: [ReferenceColumns] = []
    private(set) var unusable: [(table: String, state: ReferenceState)] = []
    private(set) var faults: [Int: GodwitError] = [:]
    private(set) var versionsWithLegacyAlterTable: Set<Int> = []
    private(set) var earlierCode: Set<SchemaCode> = []

    /// Throws (65) for a file that cannot be applied.
    init(of files: [SchemaFile], in directory: String) throws(GodwitError) {
        let store = try MemoryStore(stage: .schema)
        var leaving: SchemaFile?
        for file in files {
            let path = PathText.join(directory, file.fileName)
            do throws(GodwitError) {
                for setting in try store.run(schemaFile: file.sql) {
                    faults[file.version] = faults[file.version] ?? setting.refusal(at: path)
                    if setting.kind == .legacyAlterTable { leaving = file }
                }
            } catch {
                // It may have been released when the setting of an earlier file was still in effect.
                guard let leaving,
                    (try? store.run(schemaFile: file.sql, hasLegacyAlterTable: true)) != nil
                else { throw error.refusing(file, at: path) }
                versionsWithLegacyAlterTable.insert(file.version)
                faults[file.version] = error.needing(leaving, path)
            }
            var shape = try store.connection.readShape()
            shape.leftOut = shapes[shapes.count - 1].leftOut + LeftOutNames.read(file.sql)
            shapes.append(shape)
            indexes.append(try store.connection.readIndexNames())
        }
        let shape = shapes[files.count]
        for table in shape.tables {
            for state in try store.connection.unusableReferences(of: table.name, in: shape) {
                unusable.append((table.name, state))
            }
        }
        references = try store.connection.readReferences(shape)
        referenceColumns = try store.connection.readReferenceColumns(shape)
        if leaving != nil { earlierCode = Self.earlierCode(of: files) }
    }

    /// The code that the files make if `legacy_alter_table` stays on for all later files of a run.
    private static func earlierCode(of files: [SchemaFile]) -> Set<SchemaCode> {
        guard let store = try? MemoryStore(stage: .schema) else { return [] }
        var code: Set<SchemaCode> = []
        var isOn = false
        for file in files {
            guard let settings = try? store.run(schemaFile: file.sql, hasLegacyAlterTable: isOn),
                let shape = try? store.connection.readShape()
            else { return code }
            isOn = settings.contains { $0.kind == .legacyAlterTable }
            code.formUnion(shape.code)
        }
        return code
    }
}

extension LastingSetting {
    fileprivate func refusal(at path: String) -> GodwitError {
        let (what, hint) =
            switch kind {
            case .legacyAlterTable:
                (
                    "`PRAGMA legacy_alter_table` is still on at the end of the file, and would change "
                        + "later files",
                    "Write `PRAGMA legacy_alter_table = OFF;` as the last statement of the file."
                )
            case .foreignKeys:
                (
                    "`PRAGMA foreign_keys` switches foreign keys on, but schema files run with foreign keys off",
                    "Remove the statement, and write the effects of foreign keys as statements."
                )
            }
        return GodwitError(.schema, .data, "\(path):\(position.line): \(what)", hint: hint).placed(in: path, position)
    }
}

extension SchemaFile {
    /// Whether it is empty, or has only comments.
    package var hasNoStatement: Bool { SQLTokens(sql).words.allSatisfy { $0 == ";" } }
}

extension GodwitError {
    /// The error of a statement, as the error of its file.
    fileprivate func refusing(_ file: SchemaFile, at path: String) -> GodwitError {
        var error = moved(to: path)
        error.stage = .schema
        error.code = .data
        let position = position?.line.map { "\(path):\($0): " } ?? ""
        guard let cause = underlying else {
            error.message = position + message
            return error
        }
        error.underlying = nil
        (error.message, error.hint) =
            cause == "not authorized"
            ? (
                "a schema file can't have this statement",
                "Remove the statement: Godwit runs each file in a transaction, without BEGIN, COMMIT or ATTACH."
            ) : (Self.plain(cause), "Correct the statement, then run the same command again.")
        error.message = "\(position.isEmpty ? "\(path): " : position)\(error.message)"
        return error
    }

    /// SQLite's message about a statement, with the cause first.
    private static func plain(_ cause: String) -> String {
        if cause == "incomplete input" { return "the statement has no end; a `)`, an `END` or a quote is missing" }
        let ending = ": syntax error"
        guard cause.hasPrefix("near "), cause.hasSuffix(ending) else { return cause }
        return "syntax error \(cause.dropLast(ending.count))"
    }

    /// The error of a file that runs only with a setting of an earlier file.
    fileprivate func needing(_ earlier: SchemaFile, _ path: String) -> GodwitError {
        var error = moved(to: path)
        error.stage = .schema
        error.code = .data
        error.message =
            (position?.line.map { "\(path):\($0): " } ?? "")
            + "the file only runs with `PRAGMA legacy_alter_table` on, as \(earlier.title) leaves it"
        error.hint =
            "Begin the file with `PRAGMA legacy_alter_table = ON;`, and end it with `PRAGMA legacy_alter_table = OFF;`."
        return error
    }
}
