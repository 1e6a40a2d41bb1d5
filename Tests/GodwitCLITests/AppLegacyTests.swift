import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

/// What becomes of the sample apps' preferences; Foundation reads the property lists independently.
struct AppLegacyTests {
    @Test("read marks are imported from a dictionary of URL and date, and the earlier date stays")
    func readMarks() throws {
        let sample = AppSample(app: .luego, name: "two-devices")
        let scene = try sample.makeScene()
        let marks = try #require(
            try PropertyList.read(scene.path(sample.app.preferences[0]))["readArticles"] as? [String: Date])
        #expect(marks.count == 8)
        try sample.run(in: scene)
        let local = try scene.open(sample.app.local)
        let rows = try local.rows("SELECT url, CAST(strftime('%s', readAt) AS INTEGER) FROM ReadMark")
        #expect(rows.count == 8)
        for row in rows {
            let date = try #require(marks[row[0].readable], "\(row[0].readable)")
            #expect(row[1] == .integer(Int64(date.timeIntervalSince1970)))
        }
        try local.close()
        let cloud = try scene.open(sample.app.cloud)
        let moss = "https://gardens.example.org/2026/09/moss"
        #expect(try cloud.text("SELECT readAt FROM ReadMark WHERE url = '\(moss)'") == "2026-09-29T14:00:00.000+09:00")
        try cloud.close()
    }

    @Test("the first preferences file with a key wins, and the other keeps its own keys")
    func suites() throws {
        let sample = AppSample(app: .luego, name: "container")
        let scene = try sample.makeScene()
        try sample.run(in: scene)
        let cloud = try scene.open(sample.app.cloud)
        let columns = "theme, textSize, lineSpacing, sortOrder, openLinksInApp"
        #expect(
            try cloud.rows("SELECT id, \(columns) FROM ReaderSettings") == [
                [
                    .string("reader"), .string("sepia"), .integer(19), .real(1.4), .string("newestFirst"), .integer(0),
                ]
            ])
        try cloud.close()
    }

    @Test("the history of ten syncs keeps its bytes", arguments: ["container", "two-devices"])
    func syncHistory(_ name: String) throws {
        let sample = AppSample(app: .trendy, name: name)
        let scene = try sample.makeScene()
        let path = scene.path(sample.app.preferences[0])
        let before = try #require(try PropertyList.read(path)["sync_history"] as? Data)
        let report = try sample.godwit("run", "--json", in: scene).json()
        let line = report["legacy", "ledger"]?.items.first { $0["key"] == "sync_history" }
        #expect(line?["bucket"] == "localOnly")
        #expect(try PropertyList.read(path)["sync_history"] as? Data == before)
        #expect(try JSONValue([UInt8](before)).items.count == 10)
    }

    @Test("pinned types are imported from a list in one text, and favorites from a keyed archive")
    func lists() throws {
        let trendy = AppSample(app: .trendy, name: "container")
        let first = try trendy.makeScene()
        let text = try #require(
            try PropertyList.read(first.path(trendy.app.preferences[0]))["pinned_event_types"] as? String)
        try trendy.run(in: first)
        #expect(
            try keys(in: first, trendy, "PinnedType", "eventTypeId")
                == text.split(separator: ",").map(String.init).sorted())
        let deets = AppSample(app: .deets, name: "container")
        let second = try deets.makeScene()
        let data = try #require(try PropertyList.read(second.path(deets.app.preferences[0]))["FavoriteCards"] as? Data)
        let archive = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let objects = try #require(archive?["$objects"] as? [Any])
        let texts = objects.compactMap { $0 as? String }.filter { $0 != "$null" }
        #expect(texts.count == 4)
        try deets.run(in: second)
        #expect(try keys(in: second, deets, "FavoriteCard", "cardId") == texts.sorted())
    }

    private func keys(in scene: Scene, _ sample: AppSample, _ table: String, _ key: String) throws -> [String] {
        let store = try scene.open(sample.app.cloud)
        defer { try? store.close() }
        return try store.rows("SELECT \(key) FROM \(table) ORDER BY \(key)").map { $0[0].readable }
    }

    @Test("events without their type stop the run before the copy, unless the option accepts them")
    func orphans() throws {
        let sample = AppSample(app: .trendy, name: "lost-type")
        let scene = try sample.makeScene()
        let refused = try sample.godwit("run", "-q", in: scene)
        #expect(refused.code == 65)
        #expect(
            refused.errorText.contains(
                "2 `Event` records refer to a record of `EventType` that does not exist (`eventTypeId` of"),
            "\(refused.errorText)")
        #expect(!scene.exists(sample.app.cloud))
        #expect(try PropertyList.read(scene.path(sample.app.preferences[0]))["cloudMigrationDone"] == nil)
        let taken = try scene.godwit("run", "--allow-orphans", "--json")
        #expect(taken.code == 0, "\(taken.errorText)")
        #expect(try taken.json()["copy", "orphans", "Event.eventTypeId"] == 2)
    }

    @Test("a card that no other device has is copied with its mark, and a wrong clock gives a warning")
    func cards() throws {
        let sample = AppSample(app: .deets, name: "two-devices")
        let scene = try sample.makeScene()
        let report = try sample.godwit("run", "--json", in: scene).json()
        let codes = report["warnings"]?.items.compactMap { $0["code"]?.string }
        #expect(codes == ["unreadableDate", "clockSkew"])
        let cloud = try scene.open(sample.app.cloud)
        #expect(try cloud.integer("SELECT count(*) FROM Card WHERE isLocalOnly = 1") == 6)
        #expect(try cloud.text("SELECT notes FROM Card WHERE dateModified > 1000000000") == "三代目")
        try cloud.close()
    }

    @Test("without preferences the cards are copied, and the new file with the flag is a property list")
    func noPreferences() throws {
        let sample = AppSample(app: .deets, name: "no-preferences")
        let scene = try sample.makeScene()
        let report = try sample.godwit("run", "--json", in: scene).json()
        #expect(report["warnings"]?.items.compactMap { $0["code"]?.string } == ["legacyMissing"])
        #expect(report["legacy", "outcome"] == "nothingToDo")
        let list = try PropertyList.read(scene.path(sample.app.preferences[0]))
        #expect(list.count == 1 && list["cloudMigrationDone"] as? Bool == true)
    }
}
