import GodwitCoreData
import GodwitManifest
import GodwitModel
import GodwitInspect
import GodwitTestSupport
import Testing

struct DraftTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func draft(
        _ sql: String, keys: [InspectedKey] = [], others: [InspectedStore] = []
    ) throws -> Draft {
        try SampleStore.make(folder["a.store"], sql)
        let store = try StoreInspector(context: .sample(), showsValues: false, archives: nil)
            .inspect(folder["a.store"], name: "a.store")
        var subject = subject(keys)
        subject.local = store
        subject.otherStores = others
        return try subject.draft()
    }

    private func subject(_ keys: [InspectedKey]) -> DraftSubject {
        DraftSubject(
            app: "Notes", source: "a.store", preferences: ["a.plist"],
            inspected: [InspectedPreferences(file: "a.plist", format: .binary, isSuite: true, keys: keys)],
            localPath: "a.store", cloudPath: "aCloud.store", schemaFolder: "Migrations")
    }

    private func decode(_ draft: Draft) throws -> Manifest {
        try Manifest.decode(Array(draft.manifest.utf8), file: "godwit.yaml", sha256: "")
    }

    @Test("a draft of ordinary tables has keys, dates with encodings and references, and reports tables without a key")
    func tables() throws {
        let made = try draft(
            """
            CREATE TABLE Folder (id TEXT PRIMARY KEY, parentId TEXT REFERENCES Folder(id));
            CREATE TABLE Note (uuid TEXT NOT NULL UNIQUE, folderId TEXT REFERENCES Folder, updatedAt INTEGER);
            CREATE TABLE Tagging (note TEXT, tag TEXT, PRIMARY KEY (note, tag));
            INSERT INTO Folder VALUES ('F', NULL), ('G', 'F');
            INSERT INTO Note VALUES ('A', 'F', 1760000000123), ('B', NULL, 1760000000124);
            INSERT INTO Tagging VALUES ('A', 'x');
            """)
        let manifest = try decode(made)
        let note = try #require(manifest.entity(named: "Note"))
        #expect(
            note.key == "uuid" && note.modified?.column == "updatedAt" && note.modified?.encoding == .unixMilliseconds)
        #expect(note.belongsTo.map(\.parent) == ["Folder"])
        #expect(manifest.entity(named: "Folder")?.belongsTo.map(\.parent) == ["Folder"])
        #expect(manifest.entity(named: "Tagging") == nil)
        #expect(made.leftOut.contains { $0.code == "noEntity" && $0.message.contains("Tagging") })
        #expect(made.manifest.contains("#   Tagging: "))
        #expect(made.schemaFiles.map(\.name) == ["V0001__adopt_store.sql"])
        // A draft sets no limits, because only the app's developer knows them, and shows how to.
        #expect(
            made.manifest.contains(
                "write instead: { schemaVersion: 1, freshness: { warnAfter: 12h, errorAfter: 48h } }\n")
        )
        #expect(manifest.export.warnAfter == nil)
    }

    @Test("references that would be rejected or form a cycle become comments with their reason")
    func references() throws {
        let made = try draft(
            """
            CREATE TABLE A (id TEXT PRIMARY KEY, bId TEXT REFERENCES B(id)); INSERT INTO A VALUES ('1', '1');
            CREATE TABLE B (id TEXT PRIMARY KEY, aId TEXT REFERENCES A(id), cId TEXT REFERENCES C(id));
            INSERT INTO B VALUES ('1', '1', 'gone'); CREATE TABLE C (id TEXT PRIMARY KEY);
            """)
        let manifest = try decode(made)
        #expect(manifest.entities.flatMap(\.belongsTo).count == 2)
        #expect(made.manifest.contains("1 record refers by cId to a C that does not exist"))
        let orphaned = try #require(manifest.entity(named: "B")?.belongsTo.first { $0.parent == "C" })
        #expect(orphaned.missing == .keep)
        #expect(made.manifest.contains("which refers back to this entity"))
    }

    @Test("data that is left behind is suggested for ignore, as comments that are valid without their signs")
    func ignored() throws {
        let made = try draft(
            """
            CREATE TABLE A (id TEXT PRIMARY KEY); INSERT INTO A VALUES ('1');
            CREATE TABLE Pair (a TEXT, b TEXT, PRIMARY KEY (a, b)); INSERT INTO Pair VALUES ('1', '2'), ('1', '3'), ('2', '3');
            CREATE TABLE Empty (a TEXT, b TEXT, PRIMARY KEY (a, b));
            """, keys: [InspectedKey(key: "unit: x", type: "string", role: .setting)],
            others: [
                InspectedStore(file: "old/b.store", entities: [InspectedEntity(name: "T", table: "T", count: 1)]),
                InspectedStore(file: "empty.store"),
            ])
        #expect(try decode(made).ignore.tables.isEmpty)
        let lines = made.manifest.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "# ignore:"))
        let live = lines.enumerated().map { index, line in
            index >= start && line.hasPrefix("# ") ? String(line.dropFirst(2)) : String(line)
        }
        var changed = made
        changed.manifest = live.joined(separator: "\n")
        let ignore = try decode(changed).ignore
        #expect(ignore.tables == ["Pair"])
        #expect(ignore.keys == ["unit: x"])
        #expect(ignore.stores == ["old/b.store"])
    }

    @Test("names with quotes, colons, line ends, reserved words or YAML characters give a valid draft")
    func hostileNames() throws {
        let made = try draft(
            #"""
            CREATE TABLE "a: {b} # 'c' ""d""" (id TEXT PRIMARY KEY, "null" TEXT); CREATE TABLE "true" (id TEXT PRIMARY KEY);
            CREATE TABLE "two\#nlines" (id TEXT PRIMARY KEY); CREATE TABLE "- *x &y !z" (id TEXT PRIMARY KEY);
            """#)
        let names = try decode(made).entities.map(\.name)
        #expect(Set(names) == ["a: {b} # 'c' \"d\"", "true", "- *x &y !z"])
        #expect(made.leftOut.contains { $0.message.contains("two") })
        #expect(!made.manifest.contains("two\nlines"))
    }

    @Test("only single CREATE statements of a foreign schema get into a schema file")
    func foreignSchema() throws {
        try SampleStore.make(
            folder["a.store"],
            """
            CREATE TABLE T (id TEXT PRIMARY KEY); CREATE TABLE U (id TEXT PRIMARY KEY);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = sql || '; DROP TABLE T' WHERE name = 'U';
            """)
        let store = try StoreInspector(context: .sample(), showsValues: false, archives: nil)
            .inspect(folder["a.store"], name: "a.store")
        var subject = subject([])
        subject.local = store
        let made = try subject.draft()
        #expect(!made.schemaFiles[0].text.contains("DROP"))
        #expect(made.leftOut.contains { $0.code == "notInSchema" && $0.message.contains("U") })
    }

    @Test("keys of an app with a store become suggestions, and system and secret keys stay")
    func suggestions() throws {
        let keys = [
            InspectedKey(key: "unit", type: "string", size: 2, role: .setting),
            InspectedKey(key: "AppleLanguages", type: "array", size: 1, role: .system),
            InspectedKey(key: "authToken", type: "string", size: 9, role: .secret, isSecret: true),
            InspectedKey(key: "favorites", type: "array", size: 3, role: .list),
            InspectedKey(key: "blob\u{1B}[2J", type: "data", size: 3, role: .other),
        ]
        let made = try draft("CREATE TABLE T (id TEXT PRIMARY KEY)", keys: keys)
        let rules = try decode(made).legacy
        #expect(rules.localOnly == ["AppleLanguages", "authToken"])
        #expect(rules.settings.isEmpty && rules.favorites.isEmpty)
        #expect(made.manifest.contains("#   - { key: unit, into: ENTITY.unit }"))
        #expect(made.manifest.contains("#   - { key: favorites, into: ENTITY.id }"))
        #expect(!made.manifest.contains("\u{1B}"))
    }

    @Test("property lists without a store get tables and rules that fill them")
    func preferencesAlone() throws {
        let keys = [
            InspectedKey(key: "unit", type: "string", role: .setting),
            InspectedKey(key: "ID", type: "integer", role: .setting),
            InspectedKey(key: "my favorites", type: "array", size: 3, role: .list),
        ]
        let made = try subject(keys).draft()
        let manifest = try decode(made)
        #expect(manifest.entities.map(\.name) == ["Settings", "MyFavorites"])
        #expect(manifest.entity(named: "Settings")?.singleton == "settings")
        #expect(manifest.legacy.settings.map(\.column) == ["unit", "ID2"])
        #expect(manifest.legacy.favorites.map(\.column) == ["id"])
        #expect(made.schemaFiles[0].text.contains("CREATE TABLE \"MyFavorites\""))
    }

    @Test("keys that are not imported are reported, also without a name, with the number of their items")
    func preferencesLeftOut() throws {
        let keys = [
            InspectedKey(key: "unit", type: "string", role: .setting),
            InspectedKey(key: "tree", type: "dictionary", size: 3, role: .other),
            InspectedKey(key: "blob", type: "data", size: 5, role: .other),
            InspectedKey(key: "", type: "string", size: 4, role: .setting),
            InspectedKey(key: "a\nb", type: "string", size: 4, role: .setting),
            InspectedKey(key: CopyRules().flag, type: "boolean", role: .setting),
        ]
        let made = try subject(keys).draft()
        #expect(made.leftOut.map(\.code) == Array(repeating: "noRule", count: 4))
        let messages = made.leftOut.map(\.message)
        #expect(
            messages[0].contains("\"tree\" (dictionary, 3 items)") && messages[1].contains("\"blob\" (data, 5 bytes)"))
        #expect(messages[2].contains("a.plist: the key \"\" ") && messages[3].contains("\"a\\nb\""))
        #expect(made.manifest.contains("#   tree: dictionary, 3 items"))
        // Next to a store, all keys become suggestions or comments.
        #expect(try draft("CREATE TABLE T (id TEXT PRIMARY KEY)", keys: keys).leftOut.isEmpty)
    }

    @Test(
        "a primary key of one column is the key, with any values",
        arguments: [
            "BLOB PRIMARY KEY§randomblob(32)", "BLOB PRIMARY KEY§randomblob(15)",
            "REAL PRIMARY KEY NOT NULL§random() / 7.0",
            "PRIMARY KEY NOT NULL§'x' || random(), 'a'), (random()", "TEXT PRIMARY KEY§'{\"a\": ' || random() || '}'",
        ])
    func primaryKeys(_ declared: String) throws {
        let parts = declared.split(separator: "§")
        let made = try draft(
            "CREATE TABLE M (k \(parts[0]), v); INSERT INTO M VALUES (\(parts[1]), 'b'), (\(parts[1]), 'c')")
        #expect(try decode(made).entity(named: "M")?.key == "k")
        #expect(made.leftOut.isEmpty)
    }

    @Test("a table whose records break a check with a function is left out, without a hint about its key")
    func functionalChecks() throws {
        let made = try draft(
            """
            CREATE TABLE M (id TEXT PRIMARY KEY); PRAGMA ignore_check_constraints = 1;
            CREATE TABLE N (id TEXT PRIMARY KEY CHECK (length(id) < 5)); INSERT INTO N VALUES ('toolong');
            """)
        let warning = try #require(made.leftOut.first { $0.message.hasPrefix("N: 1 record breaks its own CHECK") })
        #expect(warning.hint?.contains("correct that in the app") == true && warning.hint?.contains("key") == false)
        #expect(try decode(made).entities.map(\.name) == ["M"])
    }

    @Test("a date column can be a key with which plan works")
    func days() throws {
        let made = try draft(
            """
            CREATE TABLE DailyStats(day TEXT PRIMARY KEY, steps INT); INSERT INTO DailyStats VALUES ('2026-03-01', 5);
            CREATE TABLE reading(timestamp INTEGER PRIMARY KEY, v); INSERT INTO reading VALUES (1760000000, 1);
            """)
        let manifest = try decode(made)
        #expect(manifest.entities.map(\.key) == ["day", "timestamp"])
        #expect(manifest.entities.allSatisfy { $0.modified == nil } && made.leftOut.isEmpty)
        #expect(made.manifest.contains("timestamp is the primary key. Where SQLite itself counts it up"))
    }

    @Test("the completion flag gets no rule")
    func flag() throws {
        let keys = [
            InspectedKey(key: "unit", type: "string", role: .setting),
            InspectedKey(key: "cloudMigrationDone", type: "boolean", role: .setting),
        ]
        #expect(try decode(subject(keys).draft()).legacy.settings.map(\.key) == ["unit"])
        let nextToStore = try draft("CREATE TABLE T (id TEXT PRIMARY KEY)", keys: keys)
        #expect(!nextToStore.manifest.contains("key: cloudMigrationDone"))
    }

    @Test("keys whose combining marks join a quote or a point get valid columns")
    func marks() throws {
        let keys = [
            InspectedKey(key: "x\"\u{301}", type: "string", role: .setting),
            InspectedKey(key: "\u{301}y", type: "string", role: .setting),
        ]
        let made = try subject(keys).draft()
        #expect(try decode(made).legacy.settings.map(\.column) == ["x\"\u{301}", "_\u{301}y"])
        let store = try SampleStore(folder["made.store"], made.schemaFiles[0].text)
        #expect(try store.integer("SELECT count(*) FROM pragma_table_info('Settings')") == 4)
        try store.close()
    }

    /// Notes and tasks in the table of their parent, which has no attribute; links to any of them.
    private static let items = CoreDataArchiveSample(
        entities: [("Item", nil), ("Note", "Item"), ("Task", "Item"), ("Link", nil)],
        attributes: [("Note", "id", 1100), ("Task", "id", 1100)], toOne: [("Link", "item", "Item")], toMany: []
    ).pairs

    @Test("a row number stays in the draft if a reference uses it and the parent entity has no common key")
    func numbersOfKinds() throws {
        // A model in one stored block of DEFLATE: RFC 1951, section 3.2.4.
        try SampleStore.make(
            folder["a.store"],
            CoreDataSample.bookkeeping + """
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 2), (2, 'Note', 1, 0), (3, 'Task', 1, 0),
                  (4, 'Link', 0, 2);
                CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID BLOB, ZID1 BLOB);
                CREATE TABLE ZLINK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZITEM INTEGER,
                  Z1_ITEM INTEGER);
                INSERT INTO ZITEM VALUES (1, 2, 1, x'00112233445546778899AABBCCDDEEFF', NULL),
                  (2, 3, 1, NULL, x'10112233445546778899AABBCCDDEEFF');
                INSERT INTO ZLINK VALUES (1, 4, 1, 1, 2), (2, 4, 1, 2, 3);
                CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'010500FAFF6D6F64656C');
                """)
        let archives = CoreDataArchives(read: { bytes in bytes == Array("model".utf8) ? Self.items : nil })
        var subject = subject([])
        subject.local = try StoreInspector(context: .sample(), showsValues: false, archives: archives)
            .inspect(folder["a.store"], name: "a.store")
        let made = try subject.draft()
        let manifest = try decode(made)
        #expect(manifest.entity(named: "Note")?.key == "id" && manifest.entity(named: "Task")?.key == "id")
        let numbered = manifest.entities.filter { $0.source?.field(for: "recordNumber")?.paths.first?.text == "Z_PK" }
        #expect(numbered.map(\.name) == ["Note", "Task"])
        let link = try #require(manifest.entity(named: "Link")?.source)
        #expect(link.field(for: "itemId")?.paths.first?.text == "item.Z_PK")
    }

    @Test("a container without data for an entity gives 65 with a reason")
    func nothing() throws {
        let error = failure { try draft("CREATE TABLE T (a, b)") }
        #expect(error?.code == .data && error?.hint?.contains("T") == true)
    }

    @Test("Core Data references with an unknown target are reported and can be resolved in the manifest")
    func untoldReferences() throws {
        let made = try draft(
            CoreDataSample.bookkeeping + """
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 3);
                CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER,
                  Z_FOK_PARENT INTEGER, ZMODIFIEDAT TIMESTAMP, ZUUID VARCHAR);
                CREATE INDEX ZFOLDER_ZPARENT_INDEX ON ZFOLDER (ZPARENT);
                INSERT INTO ZFOLDER VALUES (1, 1, 1, NULL, NULL, 722787770, 'A'), (2, 1, 1, 1, 1024, 722787771, 'B'),
                  (3, 1, 1, 2, 1024, 722787772, 'C');
                """)
        #expect(made.manifest.contains("recordNumber: Z_PK"))
        #expect(made.manifest.contains("modified: { column: modifiedat, as: coreData }"))
        let warning = try #require(made.leftOut.first { $0.code == "referenceNotResolved" })
        #expect(warning.message.hasPrefix("Folder.parentId keeps row numbers"))
        #expect(made.leftOut.count { $0.code == "referenceNotResolved" } == 1)
        #expect(try decode(made).entities.count == 1)
        try folder.remove("a.store")
        let report = try draft(CoreDataSample.workouts)
        let isUnresolved = report.leftOut.contains { $0.code == "referenceNotResolved" }
        #expect(report.manifest.contains("recordNumber: Z_PK") == isUnresolved)
    }

    @Test(
        "data with Core Data's mark is read without the mark, even if none is external yet",
        arguments: [
            ("x'0189504E470D0A1A0A'", true), ("x'01FFD8FFE0', x''", true), ("x'0162706C697374303030'", true),
            ("x'010000001866747970'", true), ("x'01'", false), ("x'010203'", false),
            ("x'0189504E470D', x'FFD8FFE0'", false),
        ])
    func markedData(values: String, isExternal: Bool) throws {
        let rows = values.split(separator: ", ").enumerated().map {
            "(\($0.offset + 1), 1, 1, 'k\($0.offset)', \($0.element))"
        }
        let made = try draft(
            CoreDataSample.bookkeeping + """
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Page', 0, 3);
                CREATE TABLE ZPAGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUUID VARCHAR, ZIMAGE BLOB);
                INSERT INTO ZPAGE VALUES \(rows.joined(separator: ", "));
                """)
        #expect(made.manifest.contains("as: externalData") == isExternal, "\(made.manifest)")
    }

    @Test("Core Data pairs with missing records are reported, and use row numbers as key")
    func danglingPairs() throws {
        let whole = try draft(CoreDataSample.workouts)
        #expect(whole.manifest.contains("id: { from: [source.ZID, target.Z_PK] }"))
        #expect(whole.manifest.contains("Order: order\n") && !whole.manifest.contains("Z_FOK_3WORKOUTS"))
        try folder.remove("a.store")
        let made = try draft(CoreDataSample.workouts + "INSERT INTO Z_3TAGS VALUES (99, 1, 1024);")
        #expect(made.manifest.contains("id: { from: [Z_3WORKOUTS, Z_7TAGS1] }"))
        #expect(made.manifest.contains("1 pair refer to records that do not exist."))
        #expect(try decode(made).entities.count == 6)
    }
}
