import GodwitModel
import GodwitTestSupport
import Testing

/// Another app's Core Data stores: favourites keep their order under every version of the model.
@Suite(
    .enabled(if: RealStores.areHere, RealStores.missing))
struct RealCoreDataTests {
    private static let schema = """
        CREATE TABLE Bookmark(id TEXT PRIMARY KEY, title TEXT, url TEXT, isFolder INTEGER, parentId TEXT,
          parentPlace INTEGER, favoritesId TEXT, favoritePlace INTEGER);
        """

    private static func manifest(_ version: Int) -> String {
        """
        godwit: 1
        app: Browser
        container:
          preferences: [Library/Preferences/browser.plist]
          local: { path: Library/Application Support/Bookmarks_V\(version).sqlite, layout: coreData }
          cloud: Library/Application Support/Cloud.store
        schema: Schema
        entities:
          Bookmark:
            key: id
            belongsTo: { parentId: Bookmark }
            source:
              entity: BookmarkEntity
              fields:
                id: uuid
                title: title
                url: url
                isFolder: { from: isFolder, as: bool }
                parentId: parent.uuid
                parentPlace: Z_FOK_PARENT
                favoritesId: favoriteFolder.uuid
                favoritePlace: Z_FOK_FAVORITEFOLDER
        copy: { flag: moved }

        """
    }

    @Test(
        "plan, two runs, verify and export of a real Core Data store keep the order of favorites and SQLite's values",
        arguments: 1...3
    )
    func bookmarks(_ version: Int) throws {
        let store = try #require(RealStores.all.first { $0.name == "Bookmarks_V\(version)" })
        let folder = try store.makeContainer()
        try folder.write(Self.manifest(version), to: "home/godwit.yaml")
        try folder.makeFolder("home/Schema")
        try folder.write(Self.schema, to: "home/Schema/V0001__create.sql")
        func godwit(_ arguments: String...) throws -> Invocation.Finished {
            let paths = ["-m", folder["home/godwit.yaml"], "-c", folder["home/container"], "--now", Scene.now]
            return try Invocation(arguments + paths, in: folder["calls"], environment: ["TMPDIR": folder["tmp"]])
                .finish()
        }
        func source() throws -> [String: FolderFingerprint.File] {
            try FolderFingerprint(folder["home"]).files.filter { $0.key.contains("Bookmarks_V") }
        }
        let before = try source()
        let plan = try godwit("plan", "--json")
        #expect(plan.code == 0, "\(plan.errorText)")
        let run = try godwit("run", "--json")
        #expect(run.code == 0, "\(run.errorText)")
        #expect(try plan.json()["copy", "entities"] == run.json()["copy", "entities"])
        let warnings = try run.json()["warnings"]?.items ?? []
        #expect(warnings.map { $0["code"]?.string } == ["leftBehind"])
        #expect(
            try run.json()["leftBehind"]?.items.first?["message"]?.string?.contains(
                "no field reads `\(version == 3 ? "modifiedAt" : "isFavorite")` of Core Data's entity `BookmarkEntity` (\(version == 3 ? 8 : 5) records)"
            ) == true, "\(warnings)")
        #expect(try godwit("run", "--json").json()["outcome"] == "alreadyDone")
        for command in ["verify", "status", "history"] { #expect(try godwit(command).code == 0, "\(command)") }

        let original = try SampleStore(folder["copy/\(store.name).sqlite"])
        let expected = try original.rows(
            """
            SELECT b.ZUUID AS id, b.ZTITLE AS title, b.ZURL AS url, b.ZISFOLDER AS isFolder, p.ZUUID AS parentId,
              b.Z_FOK_PARENT AS parentPlace, f.ZUUID AS favoritesId, b.Z_FOK_FAVORITEFOLDER AS favoritePlace
            FROM ZBOOKMARKENTITY b LEFT JOIN ZBOOKMARKENTITY p ON p.Z_PK = b.ZPARENT
            LEFT JOIN ZBOOKMARKENTITY f ON f.Z_PK = b.ZFAVORITEFOLDER ORDER BY b.ZUUID
            """)
        let cloud = try SampleStore(folder["home/container/Library/Application Support/Cloud.store"])
        #expect(try cloud.rows("SELECT * FROM Bookmark ORDER BY id") == expected)
        #expect(expected.count == 10)
        let favorites = try cloud.rows(
            "SELECT title FROM Bookmark WHERE favoritesId IS NOT NULL ORDER BY favoritePlace")
        #expect(favorites.map { $0[0].readable } == ["5", "4", "33", "32", "2"])
        let local = try godwit("export", "-q", "--account", "noAccount").json()
        let remote = try godwit("export", "-q").json()
        #expect(local["entities"] == remote["entities"])
        #expect(local["source", "store"] == "local")
        #expect(try source() == before)
        #expect(folder.names(in: "tmp") == [])
    }
}
