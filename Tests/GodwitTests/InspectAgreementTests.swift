import Godwit
import GodwitModel
import GodwitTestSupport
import Testing

/// An inspection names `init` as the next step if, and only if, `init` can write a manifest.
struct InspectAgreementTests {
    /// What a container holds.
    enum Content: String, CaseIterable {
        case nothing, emptyList, emptyFile, damagedList, damagedAndEmpty, listOfTheSystem, nestedValue, secret, array
        case settings, settingsAndDamaged, store, storeAndDamaged, storeWithoutKeys, storeWithoutTables, cachedStore
        case settingsAndCachedStore
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["box/Library/Preferences", "box/Library/Caches", "box/Documents"] { try folder.makeFolder(name) }
    }

    private func list(_ body: String, as name: String = "org.example.app") throws {
        try folder.write("<plist version=\"1.0\">\(body)</plist>", to: "box/Library/Preferences/\(name).plist")
    }

    private func make(_ content: Content) throws {
        let notes = "CREATE TABLE Note (id TEXT PRIMARY KEY, text TEXT); INSERT INTO Note VALUES ('a', 'b');"
        switch content {
        case .nothing: break
        case .emptyList: try list("<dict/>")
        case .emptyFile: try folder.write("", to: "box/Library/Preferences/org.example.app.plist")
        case .damagedList: try list("<dict><key>theme</key>")
        case .damagedAndEmpty:
            try list("<dict/>")
            try list("<dict><key>theme", as: "org.example.other")
        case .listOfTheSystem: try list("<dict><key>AppleLocale</key><string>de</string></dict>")
        case .nestedValue: try list("<dict><key>a</key><dict><key>b</key><dict/></dict></dict>")
        case .secret: try list("<dict><key>authToken</key><string>x</string></dict>")
        case .array: try list("<array><string>x</string></array>")
        case .settings: try list("<dict><key>theme</key><string>dark</string></dict>")
        case .settingsAndDamaged:
            try list("<dict><key>theme</key><string>dark</string></dict>")
            try list("<dict><key>theme", as: "org.example.other")
        case .store: try SampleStore.make(folder["box/Documents/a.store"], notes)
        case .storeAndDamaged:
            try SampleStore.make(folder["box/Documents/a.store"], notes)
            try list("<dict><key>theme")
        case .storeWithoutKeys:
            try SampleStore.make(folder["box/Documents/a.store"], "CREATE TABLE x (a); INSERT INTO x VALUES (1), (1);")
        case .storeWithoutTables:
            try SampleStore.make(folder["box/Documents/a.store"], "CREATE TABLE x (a); DROP TABLE x;")
        case .cachedStore: try SampleStore.make(folder["box/Library/Caches/a.store"], notes)
        case .settingsAndCachedStore:
            try SampleStore.make(folder["box/Library/Caches/a.store"], notes)
            try list("<dict><key>theme</key><string>dark</string></dict>")
        }
    }

    @Test("inspect and init agree on what a manifest can be drafted of", .commandLineWords, arguments: Content.allCases)
    func agreement(_ content: Content) throws {
        try make(content)
        let report = try Inspector(path: folder["box"]).inspect()
        let isNamed = report.nextSteps.contains { $0.contains("godwit init") }
        var fault: GodwitError?
        do throws(GodwitError) {
            _ = try Inspector(path: folder["box"]).writeManifest(into: folder["app"])
        } catch {
            fault = error
        }
        #expect(isNamed == (fault == nil), "\(fault?.message ?? "")")
        guard let fault, !report.stores.isEmpty || !report.preferences.isEmpty else { return }
        #expect(report.risks.contains { $0.code == "noManifest" && $0.message.hasSuffix(fault.message) })
    }

    @Test("damaged preferences and stores in caches are named if the container has no other data")
    func reasons() throws {
        try make(.damagedList)
        let damaged = #expect(throws: GodwitError.self) {
            try Inspector(path: folder["box"]).writeManifest(into: folder["app"])
        }
        #expect(damaged?.code == .data && damaged?.message.contains("org.example.app.plist") == true)
        try folder.remove("box/Library/Preferences/org.example.app.plist")
        try make(.cachedStore)
        let cached = #expect(throws: GodwitError.self) {
            try Inspector(path: folder["box"]).writeManifest(into: folder["app"])
        }
        #expect(cached?.code == .noInput && cached?.message.contains("Library/Caches/a.store") == true)
    }
}
