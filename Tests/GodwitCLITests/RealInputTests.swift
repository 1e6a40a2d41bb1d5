import GodwitModel
import GodwitTestSupport
import Testing

/// All steps on another app's stores, with all user rows in the `-wal`: every count and value as SQLite reads it.
@Suite(
    .enabled(if: RealStores.areHere, RealStores.missing))
struct RealInputTests {
    private func godwit(_ folder: TemporaryFolder, _ arguments: String...) throws -> Invocation.Finished {
        let paths = ["-m", folder["home/godwit.yaml"], "-c", folder["home/container"], "--now", Scene.now]
        return try Invocation(arguments + paths, in: folder["calls"], environment: ["TMPDIR": folder["tmp"]]).finish()
    }

    /// Expects an export to contain every row of every entity, as SQLite reads it from a copy of the files.
    private func expectRows(_ store: RealStores.Store, _ export: JSONValue, _ folder: TemporaryFolder) throws {
        let original = try SampleStore(folder["copy/\(store.name).sqlite"])
        let exported = export["entities"]?.items ?? []
        #expect(exported.compactMap { $0["name"]?.string } == store.entities.map(\.table))
        for (entity, found) in zip(store.entities, exported) {
            let rows = try original.records(of: entity.table, key: entity.key)
            #expect(!rows.isEmpty, "\(entity.table)")
            #expect(found["records"]?.items == rows, "\(entity.table)")
            #expect(found["count"]?.integer == Int64(rows.count))
            #expect(export["integrity", "counts", entity.table]?.integer == Int64(rows.count))
        }
    }

    @Test("plan, run, verify and export of a real store give SQLite's counts and values", arguments: RealStores.all)
    func wholeWay(_ store: RealStores.Store) throws {
        let source = try FolderFingerprint(RealStores.folder)
        let folder = try store.makeContainer()
        let before = try FolderFingerprint(folder["home"])

        let plan = try godwit(folder, "plan", "--json")
        #expect(plan.code == 0, "\(plan.errorText)")
        #expect(try FolderFingerprint(folder["home"]).differences(from: before) == [])

        let run = try godwit(folder, "run", "--json")
        #expect(run.code == 0, "\(run.errorText)")
        let report = try run.json()
        #expect(report["schema", "adoptedAt"] == 1)
        #expect(report["copy", "outcome"] == "done")
        #expect(try plan.json()["copy", "entities"] == report["copy", "entities"])
        let original = try SampleStore(folder["copy/\(store.name).sqlite"])
        let copied = report["copy", "entities"]?.items ?? []
        #expect(Set(copied.compactMap { $0["name"]?.string }) == Set(store.entities.map(\.table)))
        for entity in copied {
            let count = try original.integer("SELECT count(*) FROM \(entity["name"]?.string ?? "")")
            for field in ["local", "inserted", "cloudAfter"] { #expect(entity[field]?.integer == count, "\(entity)") }
        }
        // The only table without a key is left behind, and the report says so.
        #expect(report["leftBehind"]?.items.contains { $0["name"] == "Z_MODELCACHE" } == true)

        let verify = try godwit(folder, "verify", "--json")
        #expect(verify.code == 0, "\(verify.text)\(verify.errorText)")
        for role in ["available", "noAccount"] {
            let export = try godwit(folder, "export", "-q", "--account", role)
            #expect(export.code == 0, "\(export.errorText)")
            try expectRows(store, export.json(), folder)
        }
        #expect(try FolderFingerprint(RealStores.folder) == source, "the original files")
        #expect(folder.names(in: "tmp") == [])
    }

    @Test("reading commands keep the bytes of the store, its -wal and its -shm file", arguments: RealStores.all)
    func reading(_ store: RealStores.Store) throws {
        let folder = try store.makeContainer()
        let before = try FolderFingerprint(folder["home"])
        for command in ["plan", "verify", "status", "history", "export"] {
            let finished = try godwit(folder, command)
            #expect(finished.code == (command == "verify" ? 1 : 0), "\(finished.errorText)")
            #expect(try FolderFingerprint(folder["home"]).differences(from: before) == [], "\(command)")
            if command == "export" { try expectRows(store, finished.json(), folder) }
        }
    }

    @Test("a copy on its own keeps the bytes of the local store, its -wal and its -shm file", arguments: RealStores.all)
    func copying(_ store: RealStores.Store) throws {
        let folder = try store.makeContainer()
        let before = try FolderFingerprint(folder["home"]).files
        let finished = try godwit(folder, "copy", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        let after = try FolderFingerprint(folder["home"]).files
        for (name, file) in before where name.contains(".sqlite") { #expect(after[name] == file, "\(name)") }
        let names = Set(after.keys).subtracting(before.keys).filter { $0.hasSuffix("sqlite") || $0.contains("-") }
        #expect(names == ["container/Library/Application Support/\(store.name)-cloud.sqlite"])
        try expectRows(store, godwit(folder, "export", "-q").json(), folder)
    }

    @Test("a store without its -wal file has fewer rows, and a warning says so")
    func withoutLog() throws {
        let store = RealStores.syncMetadata
        let folder = try store.makeContainer()
        for suffix in ["-wal", "-shm"] {
            try folder.remove("home/container/Library/Application Support/\(store.name).sqlite\(suffix)")
        }
        let plan = try godwit(folder, "plan", "--json")
        #expect(plan.code == 0, "\(plan.errorText)")
        let codes = try plan.json()["notes"]?.items.compactMap { $0["code"]?.string } ?? []
        #expect(codes.contains("walMissing"), "\(codes)")
        #expect(try godwit(folder, "plan", "--require-wal").code == 65)
    }

    @Test("favorites keep their order through a to-one column and an order column")
    func favoritesInOrder() throws {
        for store in RealStores.all where store.name.hasPrefix("Bookmarks") {
            let folder = try store.makeContainer()
            #expect(try godwit(folder, "run", "-q").code == 0)
            let cloud = try SampleStore(folder["home/container/Library/Application Support/\(store.name)-cloud.sqlite"])
            let titles = try cloud.rows(
                "SELECT ZTITLE FROM ZBOOKMARKENTITY WHERE ZFAVORITEFOLDER IS NOT NULL ORDER BY Z_FOK_FAVORITEFOLDER")
            #expect(titles.map { $0[0].readable } == ["5", "4", "33", "32", "2"])
        }
    }
}
