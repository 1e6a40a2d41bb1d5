import GodwitModel
import GodwitRender
import GodwitTestSupport
import Testing

extension Sample {
    /// An inspection in which every field has a value.
    static var inspected: InspectReport {
        var store = InspectedStore(
            file: "Library/Notes.store", size: 40_960, modifiedAt: now, layout: .coreData, journal: "wal",
            isMirrored: true, userVersion: 3, applicationID: 9, schemaVersion: 2,
            coreData: CoreDataFacts(
                metadata: ["modelVersions": "2.0"], hasModelCache: true, hasHistory: true, hiddenMetadata: 4),
            otherTables: ["Z_METADATA"], views: ["v"], triggers: ["t"],
            risks: [Warning("mirrored", "It is mirrored", hint: "Read it.")])
        var note = InspectedEntity(
            name: "Note", table: "ZNOTE", superEntity: "Item", count: 1200, key: "uuid", keyEvidence: .values,
            duplicates: 2, modified: "updatedAt", isSingleton: true)
        note.columns = [
            InspectedColumn(
                name: "updatedAt", column: "ZUPDATEDAT", declaredType: "TIMESTAMP", kind: .date, missing: 1,
                encoding: .coreData, earliest: .epoch, latest: now, future: 1, longest: 9, samples: ["x"]),
            InspectedColumn(name: "token", declaredType: "VARCHAR", kind: .text, isSecret: true, isExternal: false),
            InspectedColumn(name: "empty", declaredType: "VARCHAR", missing: 1200),
        ]
        note.relations = [
            InspectedRelation(
                name: "folder", target: "Folder", kind: "toOne", isOrdered: true, count: 7, orphans: 1,
                evidence: "coreData", targetColumn: "code")
        ]
        store.entities = [note]
        return InspectReport(
            path: "App.xcappdata", kind: .container, layout: .xcappdata, bundleIdentifier: "com.example.notes",
            groupContainers: ["group"], godwitVersion: "0.1.0", asOf: now, stores: [store],
            preferences: [
                InspectedPreferences(
                    file: "Library/Preferences/a.plist", format: .binary, size: 300, modifiedAt: now, isSuite: true,
                    keys: [
                        InspectedKey(
                            key: "ids", type: "data", encoding: "json", size: 3, role: .list, value: "3 items"),
                        InspectedKey(key: "token", type: "string", role: .secret, isSecret: true),
                    ], risks: [Warning("unreadable", "It is cut off")])
            ],
            suiteConflicts: [SuiteConflict(key: "unit", files: ["a.plist", "b.plist"])], otherFiles: 2,
            risks: [Warning("tooManyFiles", "There are more")], nextSteps: ["Write one: godwit init App.xcappdata"])
    }

    static var drafted: InitReport {
        InitReport(
            path: "App.xcappdata", godwitVersion: "0.1.0", dryRun: true, app: "Notes", local: "Library/Notes.store",
            layout: .coreData, cloud: "Library/NotesCloud.store", container: "App.xcappdata",
            written: ["app/Migrations/V0001__create_store.sql", "app/godwit.yaml"],
            entities: [DraftedEntity(name: "Note", count: 1200, key: "id", keyEvidence: .rowNumber)],
            leftOut: [Warning("noEntity", "Pair: no single column")], nextSteps: ["Read it."])
    }
}

struct InspectReportTextTests {
    @Test("an inspection as text: stores, entities, keys, conflicts, risks, what to do next")
    func inspection() throws {
        let text = Sample.inspected.text(TextStyle())
        for part in [
            "godwit inspect: App.xcappdata, a container that Xcode downloaded",
            "Core Data mirrored to CloudKit, 1,200 records",
            "user_version 3", "4 metadata keys not shown",
            "Note 1,200 records, a kind of Item, key uuid (all different)",
            "updatedAt date 1970-01-01 …", "1 missing", "token text (hidden)", "1 without any value",
            "→ folder: to one Folder, 7 references, in order, 1 of them to no", "! It is mirrored", "→ Read it.",
            "• ids: data (json), 3 items, a list of keys: 3 items", "• token: string, hidden",
            "! unit has different values in a.plist, b.plist", "2 other files",
            "→ Write one: godwit init App.xcappdata",
        ] {
            let flat = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(flat.contains(part), "\(part)\n\(text)")
        }
        #expect(text.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
        #expect(Sample.inspected.text(TextStyle(verbose: true)).contains("[mirrored]"))
    }

    @Test("an empty container says that there is nothing")
    func nothing() {
        let report = InspectReport(
            path: "box", kind: .container, layout: .folder, godwitVersion: "0.1.0", asOf: Sample.now)
        #expect(report.text(TextStyle()).contains("There is no store and no property list in it."))
    }

    @Test("a draft as text: files, stores, entities, what is left out")
    func draft() {
        let text = Sample.drafted.text(TextStyle())
        for part in [
            "→ app/godwit.yaml", "dry run, nothing was written", "(Core Data; read, never written)",
            "Note 1,200 records, key id (the number of the row)", "! Pair: no single column", "→ Read it.",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
    }

    @Test("both can be had as text and as JSON, and as nothing else")
    func formats() throws {
        #expect(InspectReport.formats == [.text, .json] && InitReport.formats == [.text, .json])
        try MadeReports.keep(JSONReport.encode(Sample.inspected), as: "json")
        try MadeReports.keep(JSONReport.encode(Sample.drafted), as: "json")
    }

    @Test("what a hostile store calls its things steers no terminal")
    func hostile() throws {
        var report = Sample.inspected
        report.path = "\u{1B}[2J"
        report.stores[0].file = "a\nb\u{202E}"
        report.stores[0].entities[0].name = "\u{1B}]0;x\u{7}"
        report.stores[0].entities[0].columns[0].name = "\u{9B}1m"
        report.preferences[0].keys[0].key = "\r\u{8}"
        let text = report.text(TextStyle(verbose: true))
        #expect(
            text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)) })
        #expect(!text.contains("\u{202E}"))
    }
}
