import GodwitModel
import GodwitTestSupport
import Testing

/// Preferences that can't be read, or have unexpected contents.
struct DamagedPreferencesTests {
    static let commands = ["run", "plan", "migrate", "copy", "dedupe", "verify", "export", "status"]

    @Test("a truncated property list gives 65 and its name", arguments: commands)
    func truncated(_ command: String) throws {
        let scene = try Scene()
        let bytes = try scene.folder.bytes(of: scene.inFolder(Scene.plist))
        try scene.write(propertyList: Array(bytes.prefix(150)))
        try scene.expectRefusal(65, of: [command], naming: [Scene.plist, "truncated"])
    }

    @Test("a property list without a dictionary at the top gives 65 and its name", arguments: commands)
    func array(_ command: String) throws {
        let scene = try Scene()
        try scene.write(propertyList: "<array><string>weightUnit</string></array>")
        try scene.expectRefusal(65, of: [command], naming: [Scene.plist, "array"])
    }

    @Test(
        "other damage of a preferences file gives 65",
        arguments: [
            "", "hello", "{\"weightUnit\": \"kg\"", "<plist><dict><key>a</key></dict></plist>",
            "<plist><dict><key>a</key><string>1</string><key>a</key><string>2</string></dict></plist>",
        ])
    func otherDamage(_ text: String) throws {
        let scene = try Scene()
        try scene.write(propertyList: Array(text.utf8))
        try scene.expectRefusal(65, of: ["run"], naming: [Scene.plist])
    }

    @Test("values of the wrong type are in the key list, and the others are imported")
    func wrongTypes() throws {
        let scene = try Scene()
        try scene.write(
            propertyList: """
                <dict><key>weightUnit</key><string>stone</string><key>appTheme</key><array/>\
                <key>restTimer</key><string>soon</string><key>soundOn</key><false/>\
                <key>favoriteExercises</key><array><string>deadlift</string><integer>7</integer><string>squat</string></array></dict>
                """)
        let finished = try scene.godwit("run", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        let report = try finished.json()
        #expect(report["outcome"] == "partial")
        var buckets: [String: String] = [:]
        for line in report["legacy", "ledger"]?.items ?? [] {
            buckets[line["key"]?.string ?? ""] = line["bucket"]?.string
        }
        #expect(buckets["weightUnit"] == "conflict")
        #expect(buckets["appTheme"] == "unsupported")
        #expect(buckets["restTimer"] == "unsupported")
        #expect(buckets["soundOn"] == "migrated")
        let favorites = try scene.open(Scene.cloud).rows("SELECT exerciseId FROM FavoriteExercise ORDER BY 1")
        #expect(favorites.contains([.string("deadlift")]), "\(favorites)")
    }

    @Test("values of the wrong type give exit code 3 with --strict, after the report is printed")
    func strict() throws {
        let scene = try Scene()
        try scene.write(propertyList: "<dict><key>restTimer</key><string>soon</string></dict>")
        let plan = try scene.godwit("plan", "--strict", "--json")
        #expect(plan.code == 3)
        let run = try scene.godwit("run", "--strict", "--json")
        #expect(run.code == 3, "\(run.errorText)")
        #expect(try run.json()["outcome"] == "partial")
        #expect(try run.json()["legacy", "buckets", "unsupported"] == 1)
    }

    @Test("errors and reports have no users' values, except on request")
    func values() throws {
        let scene = try Scene()
        try scene.write(propertyList: "<dict><key>weightUnit</key><string>secret-stone</string></dict>")
        for arguments in [["plan"], ["plan", "--json"]] {
            let finished = try scene.start(arguments).finish()
            #expect(!finished.text.contains("secret-stone"))
            #expect(!finished.errorText.contains("secret-stone"))
        }
        #expect(try scene.godwit("plan", "-v").text.contains("secret-stone"))
    }

    @Test("a completion flag that is not a boolean gives 65")
    func strangeFlag() throws {
        let scene = try Scene()
        try scene.write(propertyList: "<dict><key>cloudMigrationDone</key><string>perhaps</string></dict>")
        try scene.expectRefusal(65, of: ["run"], naming: ["cloudMigrationDone", Scene.plist])
    }
}
