internal import GodwitFiles
package import GodwitModel
package import GodwitSQLite

/// All schema files of an app in order, with the shape of each version.
package struct SchemaFiles: Sendable {
    package let directory: String
    /// Versions 1, 2, 3 … without a gap.
    package let files: [SchemaFile]
    /// `shapes[n]` is the shape at version n; `shapes[0]` is empty.
    package let shapes: [SchemaShape]
    /// `indexes[n]` are the names of the indexes at version n; they distinguish versions with equal shapes.
    package let indexes: [Set<String>]

    /// The foreign keys in the latest version.
    package let references: Set<ForeignReference>

    /// Foreign keys of one column, with the parent's column.
    package let referenceColumns: [ReferenceColumns]

    /// By version: settings that affect later files or have no effect here, as errors.
    ///
    /// A file that was already applied cannot be edited, so it is not refused.
    package let faults: [Int: GodwitError]

    /// Files that run only with `legacy_alter_table` on, as an earlier file left it when it was released.
    package let versionsWithLegacyAlterTable: Set<Int>

    /// Code in stores to which an older Godwit applied the files, which kept settings from file to file.
    package let earlierCode: Set<SchemaCode>

    /// Foreign keys that SQLite cannot enforce, by table: SQLite refuses all writes to such a table.
    package let unusableReferences: [(table: String, state: ReferenceState)]

    /// The version of a store after all files are applied.
    package var latest: Int { files.count }

    package var shape: SchemaShape { shapes[files.count] }

    /// Reads a folder of `V0001__name.sql` files and tests them in memory; throws 65 for any error, 66 for a missing
    /// folder.
    package static func load(from directory: String) throws(GodwitError) -> SchemaFiles {
        guard let status = try FileStatus.of(directory), status.isDirectory else {
            throw GodwitError(
                .schema, .noInput, "no schema folder at `\(directory)`",
                hint: PathText.nearestHint(directory)
                    ?? "Correct `schema:` in the manifest; it is relative to the manifest.")
        }
        var files: [SchemaFile] = []
        // Hidden files come from editors and archives; `.SQL` is meant as a schema file.
        let names = try PathText.allNames(in: directory, stage: .schema)
        try requireDownloaded(names, in: directory)
        for name in names where !name.hasPrefix(".") && name.lowercased().hasSuffix(".sql") {
            let path = PathText.join(directory, name)
            guard let (version, title) = parse(fileName: name) else {
                throw GodwitError(
                    .schema, .data, "`\(path)` does not have the name of a schema file",
                    hint: "Name it `V0001__what_it_does.sql`, or move it out of this folder."
                ).placed(in: path)
            }
            let bytes = try readBytes(path, limit: 1 << 20, stage: .schema)
            guard !bytes.contains(0) else {
                throw GodwitError(
                    .schema, .data, "`\(path)` contains a NUL byte, at which SQLite stops reading",
                    hint: "Remove the byte, or save the file as UTF-8 if it is UTF-16."
                ).placed(in: path)
            }
            guard let sql = String(validating: bytes, as: UTF8.self) else {
                throw GodwitError(.schema, .data, "`\(path)` is not UTF-8 text", hint: "Save it as UTF-8.")
                    .placed(in: path)
            }
            files.append(SchemaFile(version: version, name: title, sql: sql, fileName: name))
        }
        try requireNoOtherEnding(names, besides: files, in: directory)
        return try SchemaFiles(directory: directory, files: files)
    }

    /// Throws (65) for a name such as `V0003__notes.sql.txt`, which an editor or a download makes of a schema file, unless
    /// there is a file of that version.
    private static func requireNoOtherEnding(
        _ names: [String], besides files: [SchemaFile], in directory: String
    ) throws(GodwitError) {
        for name in names where !name.hasPrefix(".") && name.lowercased().hasSuffix(".sql.txt") {
            let right = String(name.dropLast(".txt".count))
            guard let (version, _) = parse(fileName: right), !files.contains(where: { $0.version == version }) else {
                continue
            }
            let path = PathText.join(directory, name)
            throw GodwitError(
                .schema, .data, "schema file with a wrong ending",
                hint: "Rename it to `\(right)`, or move it out of this folder."
            ).placed(in: path)
        }
    }

    /// Throws (66) if iCloud Drive has only a placeholder of a schema file.
    private static func requireDownloaded(_ names: [String], in directory: String) throws(GodwitError) {
        let placeholder = names.first { $0.hasPrefix(".") && $0.lowercased().hasSuffix(".sql.icloud") }
        guard let placeholder else { return }
        let path = PathText.join(directory, placeholder)
        throw GodwitError.notDownloaded(
            String(placeholder.dropFirst().dropLast(".icloud".count)), placeholder: path, stage: .schema
        ).placed(in: path)
    }

    /// Orders and tests files; throws for duplicates, gaps and SQL that does not run.
    package init(directory: String, files unordered: [SchemaFile]) throws(GodwitError) {
        let files = unordered.sorted { ($0.version, $0.name) < ($1.version, $1.name) }
        guard !files.isEmpty else {
            throw GodwitError(
                .schema, .noInput, "no schema file in `\(directory)`", hint: "Add a `V0001__create_store.sql`.")
        }
        for (index, file) in files.enumerated() where file.version != index + 1 {
            let twin = index > 0 && files[index - 1].version == file.version ? files[index - 1] : nil
            throw GodwitError(
                .schema, .data,
                twin.map { "\($0.title) and \(file.title) in `\(directory)` have the same version" }
                    ?? "schema file \(index + 1) is missing in `\(directory)`; the next file is \(file.title)",
                hint: twin == nil
                    ? "Number the files 1, 2, 3 … without gaps, or restore the missing file."
                    : "Give the newer of the two the next free number."
            ).placed(in: PathText.join(directory, file.fileName))
        }
        (self.directory, self.files) = (directory, files)
        let trial = try SchemaTrial(of: files, in: directory)
        (shapes, indexes) = (trial.shapes, trial.indexes)
        (references, unusableReferences) = (trial.references, trial.unusable)
        referenceColumns = trial.referenceColumns
        (faults, versionsWithLegacyAlterTable) = (trial.faults, trial.versionsWithLegacyAlterTable)
        earlierCode = trial.earlierCode
    }

    package func path(of file: SchemaFile) -> String { PathText.join(directory, file.fileName) }

    package func upTo(_ version: Int) -> SchemaFiles { SchemaFiles(self, upTo: min(max(0, version), latest)) }

    private init(_ whole: SchemaFiles, upTo version: Int) {
        directory = whole.directory
        files = Array(whole.files[..<version])
        shapes = Array(whole.shapes[...version])
        indexes = Array(whole.indexes[...version])
        (references, unusableReferences) = (whole.references, whole.unusableReferences)
        referenceColumns = whole.referenceColumns
        (faults, versionsWithLegacyAlterTable) = (whole.faults, whole.versionsWithLegacyAlterTable)
        earlierCode = whole.earlierCode
    }

    /// Throws (65) if a file after a version affects later files.
    package func requireSettled(after version: Int) throws(GodwitError) {
        guard let fault = faults.filter({ $0.key > version && $0.key <= latest }).min(by: { $0.key < $1.key }) else {
            return
        }
        throw fault.value
    }

    /// `V0003__add_notes.sql` -> (3, "add_notes"); nil for other names.
    package static func parse(fileName: String) -> (version: Int, name: String)? {
        guard fileName.hasPrefix("V"), fileName.hasSuffix(".sql") else { return nil }
        let body = fileName.dropFirst().dropLast(4)
        let digits = body.prefix { $0.isASCII && $0.isNumber }
        let rest = body.dropFirst(digits.count)
        guard let version = Int(digits), version > 0, version < 1_000_000, rest.hasPrefix("__"), rest.count > 2 else {
            return nil
        }
        return (version, String(rest.dropFirst(2)))
    }
}

extension SQLiteConnection {
    /// Names of indexes, without those that SQLite makes for constraints.
    func readIndexNames() throws(GodwitError) -> Set<String> {
        let rows = try rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        return Set(rows.map(\.[0].readable))
    }
}
