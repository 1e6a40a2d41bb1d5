import Foundation
import Testing

/// Reads the project's own sources: what removes, shortens or replaces may stand in few places, each known by name.
struct SafetyScanTests {
    struct Line: CustomTestStringConvertible {
        let file: String
        let number: Int
        let text: String
        var testDescription: String { "\(file):\(number): \(text)" }
    }

    /// All lines of code in `Sources`, comments left out, string literals kept.
    static let lines: [Line] = {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources").resolvingSymlinksInPath()
        let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.sorted().flatMap { path -> [Line] in
            let text = (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
                index, line in
                let code = line.drop { $0 == " " }
                if code.hasPrefix("//") || code.hasPrefix("/*") { return nil }
                let end = code.range(of: " // ")?.lowerBound ?? code.endIndex
                return Line(file: path, number: index + 1, text: String(code[..<end]))
            }
        }
    }()

    /// Lines with a pattern outside the files where it may stand.
    private func strays(_ pattern: String, allowedIn files: [String] = []) throws -> [Line] {
        let regex = try Regex(pattern)
        return Self.lines.filter { line in
            line.text.contains(regex) && !files.contains { line.file.hasSuffix($0) }
        }
    }

    @Test("the sources are found")
    func findsSources() {
        #expect(Self.lines.contains { $0.file.hasSuffix("GodwitFiles/OwnFiles.swift") })
        #expect(Self.lines.count > 1000)
    }

    @Test(
        "files are removed in one place only",
        arguments: [
            #"\bunlink(at)?\("#, #"\brmdir\("#, #"(^|[^.\w])remove\("#, #"\bremoveItem"#, #"\btrashItem"#,
            #"\bremoveFile"#,
        ])
    func removing(pattern: String) throws {
        #expect(try strays(pattern, allowedIn: ["GodwitFiles/OwnFiles.swift"]).map(\.testDescription) == [])
    }

    @Test(
        "a key of the app's preferences is removed only if a rollback restores a domain",
        arguments: [#"\bremoveObject\("#, #"(set|remove)PersistentDomain"#, #"\bresetStandardUserDefaults"#])
    func removingKeys(pattern: String) throws {
        #expect(
            try strays(pattern, allowedIn: ["Godwit/Apple/UserDefaultsDomain.swift"]).map(\.testDescription) == [])
    }

    @Test(
        "no file is truncated or opened for truncation",
        arguments: [#"\bf?truncate\("#, #"\bO_TRUNC\b"#, #"\bcreat\("#, #"\bfopen\("#, #"truncatingFile"#])
    func shortening(pattern: String) throws {
        #expect(try strays(pattern).map(\.testDescription) == [])
    }

    @Test(
        "no bytes are taken out of a file but those of sorted records, which are Godwit's own",
        arguments: [
            (#"\bfallocate\(|F_PUNCHHOLE|COLLAPSE_RANGE|ZERO_RANGE"#, ["CSystemShim/CSystemShim.c"]),
            (#"\bgodwit_release_range\("#, ["CSystemShim/CSystemShim.c", "GodwitFiles/OpenFile.swift"]),
            (
                #"\.giveBack\("#,
                [
                    "GodwitExport/Sorting/RecordSpool.swift", "GodwitExport/Sorting/RunReader.swift",
                    "GodwitExport/Sorting/KeyRangeReader.swift", "GodwitFiles/NotesFile.swift",
                ]
            ),
        ])
    func takingOut(pattern: String, places: [String]) throws {
        #expect(try strays(pattern, allowedIn: places).map(\.testDescription) == [])
        #expect(try !strays(pattern).isEmpty)
    }

    @Test(
        "renaming, which may replace, is in one place only",
        arguments: [
            #"\brename(at2?|x_np)?\("#, #"\bmoveItem"#, #"\breplaceItem"#, #"\bcopyItem"#, #"\.write\(to: URL"#,
            #"\.write\(toFile"#, #"\bcreateFile\("#, #"\.atomic\b"#,
        ])
    func renaming(pattern: String) throws {
        let own = ["GodwitFiles/AtomicFile.swift", "CSystemShim/CSystemShim.c"]
        // The wrapper itself is called from elsewhere: it is the one place.
        let found = try strays(pattern, allowedIn: own).filter { !$0.text.contains("AtomicFile.rename(") }
        #expect(found.map(\.testDescription) == [])
    }

    @Test("SQL takes nothing away but duplicates that were kept, old runs, and Godwit's own notes")
    func sqlRemoving() throws {
        let known = [
            "DELETE FROM \\(table.name) WHERE \\(table.identityCondition)", "DELETE FROM godwit_run",
            "DELETE FROM godwit_receipt", "DELETE FROM godwit_removed", "DELETE FROM godwit_changed",
            "DELETE FROM temp.godwit_", "DELETE FROM \\(Self.notes)",
        ]
        // In stores that an import or the copy is making, or in Godwit's own notes: each only in its file.
        let inOwnStores = [
            // See the test of `removeSeeds`.
            "GodwitSQLite/Writing/SQLiteConnection+NewStore.swift": "DELETE FROM \\(quoted(table))",
            "GodwitSQLite/SQLite/MigratorNotes.swift": "DELETE FROM \\(made)",
            "GodwitExport/Importing/IncrementRemover.swift": "DELETE FROM \\(taken) WHERE",
            "GodwitExport/Increments/RecordComparison.swift": "DELETE FROM base WHERE",
            "GodwitSQLite/SQLite/SpillableRowMap.swift": "store.connection.prepare(\"DELETE FROM note WHERE row = ?",
            // In a private clone, where the record is kept first, and the ledger goes with the copy.
            "GodwitCopy/OrphanSettlement.swift": "clone.execute(\"DELETE FROM \\(table.name) WHERE",
            // Only in a private copy: see the test of `ScratchDirectory.requireHolding`.
            "Godwit/Run/Steps/RecordsSinceCopy.swift": "DELETE FROM main.\\(table.name) WHERE NOT EXISTS",
            // Prepared, and never run: EXPLAIN would only show what it does.
            "GodwitSQLite/SQLite/HeldBackTriggers.swift": "\"EXPLAIN DELETE FROM",
            "GodwitSQLite/Writing/SQLiteConnection+AppTriggers.swift":
                "for sql in [\"INSERT INTO \\(name) DEFAULT VALUES",
            // Only in memory.
            "GodwitInspect/Stores/CheckTrial.swift": "memory.connection.prepare(\"DELETE FROM",
        ]
        let deleting = try strays(#"(?i)\bDELETE\s+FROM\b"#)
            .filter { line in !known.contains { line.text.contains($0) } }
            .filter { line in !(inOwnStores[line.file].map { line.text.contains($0) } ?? false) }
        #expect(deleting.map(\.testDescription) == [])
        let dropping = try strays(#"(?i)\bDROP\s+(TABLE|INDEX|VIEW|TRIGGER|COLUMN)\b"#)
            .filter { !$0.text.contains("\\(Self.notes)") && !$0.text.contains("godwit_merge") }
            .filter { !$0.text.contains("DROP TABLE IF EXISTS temp.godwit_orphan") }
            // Notes of a merge: both of their tables are in `temp`, as `MergeNotes` says.
            .filter {
                $0.file != "GodwitCopy/EntityMerge+Refusals.swift"
                    || !$0.text.contains("DROP TABLE IF EXISTS \\(notes.table)")
            }
            // An app's temporary trigger while a schema file runs, which is made again before the commit.
            .filter {
                $0.file != "GodwitSQLite/SQLite/SQLiteConnection+SchemaFile.swift"
                    || !$0.text.contains("DROP TRIGGER temp.\\(quoted(object[1].readable))")
            }
            // An index of Godwit's own in a store that an import is making.
            .filter { !$0.text.contains("DROP INDEX \\(Self.index)") }
            // A trigger of a store that an import or a copy is making, which is put back before the commit.
            .filter {
                $0.file != "GodwitSQLite/SQLite/HeldBackTriggers.swift"
                    || !$0.text.contains("DROP TRIGGER main.\\(quoted(trigger.name))")
            }
            // An index of a store that an import is making, which is built again before the commit.
            .filter {
                $0.file != "GodwitSQLite/SQLite/HeldBackIndexes.swift"
                    || !$0.text.contains("DROP INDEX main.\\(quoted(index.name))")
            }
            // A trigger of a private copy.
            .filter {
                $0.file != "Godwit/Run/Steps/RecordsSinceCopy.swift" || !$0.text.contains("quoted(trigger[0].readable)")
            }
        #expect(dropping.map(\.testDescription) == [])
    }

    @Test("what dedupe deletes, and orphans that are set aside, are deleted in one file each, which keeps them first")
    func dedupeDeletes() throws {
        let places = try strays(#"DELETE FROM \\\(table\.name\)"#).map(\.file)
        #expect(Set(places).isSubset(of: ["GodwitDedupe/GroupWork.swift", "GodwitCopy/OrphanSettlement.swift"]))
    }

    @Test(
        "nothing can stop the process or pass over an error",
        arguments: [
            #"\btry!"#, #"\bas!"#, #"\bfatalError\("#, #"\bprecondition(Failure)?\("#, #"\bunsafeDowncast\("#,
            #"\babort\("#, #"\bimmutable=1"#, #"SQLITE_OPEN_URI"#,
        ])
    func crashing(pattern: String) throws {
        #expect(try strays(pattern).map(\.testDescription) == [])
    }

    @Test("only the command ends the process")
    func exiting() throws {
        #expect(
            try strays(#"(^|[^.\w])_?exit\("#).filter { !$0.file.hasPrefix("GodwitCLI/") }.map(\.testDescription) == [])
    }
}
