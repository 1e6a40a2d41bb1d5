import Godwit
import GodwitModel
import GodwitTestSupport
import Testing

/// What `init` makes of a container: with any files in it, the draft is a manifest that reads.
struct InitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("box/Library/Preferences")
    }

    private func writeSuite(_ name: String, in place: String = "box") throws {
        let head = #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>"#
        try folder.write(
            head + "<key>unit</key><string>kg</string></dict></plist>", to: "\(place)/Library/Preferences/\(name)")
    }

    private func draft(groups: [String] = []) throws -> (report: InitReport, manifest: Manifest, text: String) {
        var options = InspectOptions()
        options.now = .sampleNow
        options.groupContainers = groups.map { folder[$0] }
        let report = try Inspector(path: folder["box"], options: options).writeManifest(into: folder["app"])
        let manifest = try Manifest.load(path: folder["app/godwit.yaml"])
        return (report, manifest, try folder.text(of: "app/godwit.yaml"))
    }

    private func unlisted(_ report: InitReport) -> [String] {
        report.risks.filter { $0.code == "preferencesNotListed" }.map(\.message)
    }

    @Test("of a suite in the container and in a group container the container's own is listed, once")
    func suiteInTwoPlaces() throws {
        try folder.makeFolder("group/Library/Preferences")
        for place in ["box", "group"] { try writeSuite("com.example.a.plist", in: place) }
        let made = try draft(groups: ["group"])
        #expect(made.manifest.container.preferences == ["Library/Preferences/com.example.a.plist"])
        let line = "# - Library/Preferences/com.example.a.plist    # 1 key; another file has this name"
        #expect(made.text.contains(line))
        #expect(unlisted(made.report).count == 1)
    }

    @Test("suites whose names differ only in case are one to a manifest")
    func suitesInTwoCases() throws {
        for name in ["com.example.A.plist", "com.example.a.plist"] { try writeSuite(name) }
        let made = try draft()
        #expect(made.manifest.container.preferences.count == 1)
        // A file system without case has but one of them.
        guard folder.names(in: "box/Library/Preferences").count == 2 else { return }
        #expect(made.text.contains("can't distinguish its name from Library/Preferences/com.example.A.plist"))
        #expect(unlisted(made.report).count == 1)
    }

    @Test("a hundred suites are listed, the others are comments and reported")
    func manySuites() throws {
        for number in 100..<203 { try writeSuite("com.example.s\(number).plist") }
        let made = try draft()
        #expect(made.manifest.container.preferences.count == 100)
        let line = "# - Library/Preferences/com.example.s202.plist    # 1 key; a manifest lists at most 100 files"
        #expect(made.text.contains(line))
        #expect(unlisted(made.report).count == 3)
    }

    @Test("a backslash with a mark behind it is a backslash: no path of the draft has one")
    func markedBackslash() throws {
        for name in ["a\\\u{301}.plist", "com.example.a.plist"] { try writeSuite(name) }
        let container = try draft().manifest.container
        #expect(container.preferences == ["Library/Preferences/com.example.a.plist"])
        #expect(container.local == "Library/Application Support/a-\u{301}.store")
    }

    @Test("a store whose name begins with a mark has its cloud store next to it")
    func markedName() throws {
        try SampleStore.make(folder["box/Library/\u{301}x.store"], "CREATE TABLE T (id TEXT PRIMARY KEY)")
        let container = try draft().manifest.container
        #expect(container.local == "Library/\u{301}x.store")
        #expect(container.cloud == "Library/\u{301}xCloud.store")
    }

    @Test("the cloud store's name leaves room for its journal", arguments: ["S", "\u{e9}"])
    func longName(_ letter: String) throws {
        let stem = String(repeating: letter, count: 240 / letter.utf8.count)
        try SampleStore.make(folder["box/\(stem).sqlite"], "CREATE TABLE T (id TEXT PRIMARY KEY)")
        let container = try draft().manifest.container
        #expect(container.local == stem + ".sqlite")
        #expect(container.cloud.hasPrefix(letter) && container.cloud.hasSuffix(letter + "Cloud.sqlite"))
        #expect((245...247).contains(container.cloud.utf8.count))
    }

    @Test(
        "of virtual tables in a Core Data store those with records of their own are named, not the tables behind them")
    func virtualTablesOfCoreData() throws {
        try SampleStore.make(
            folder["box/Library/a.store"],
            CoreDataSample.bookkeeping + """
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 1);
                CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
                INSERT INTO ZNOTE VALUES (1, 1, 1, 'oats'); CREATE TABLE mine (a);
                CREATE VIRTUAL TABLE memo USING fts5(body); INSERT INTO memo VALUES ('a'), ('b');
                CREATE VIRTUAL TABLE search USING fts5(ZTITLE, content='ZNOTE');
                """)
        #expect(
            try draft().report.leftOut.filter { $0.code == "noEntity" }.map(\.message) == [
                "memo: a full-text table with records of its own; 2 records are not read",
                "mine: Core Data knows nothing of this table, and it is not read",
            ])
    }
}
