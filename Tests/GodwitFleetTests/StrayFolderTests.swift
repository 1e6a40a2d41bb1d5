import Foundation
import Godwit
import GodwitFleet
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Folders next to containers that look like one and have none of the app's files.
@Suite(.hangGuard)
struct StrayFolderTests {
    private let scene: FleetScene

    init() throws { scene = try FleetScene() }

    private var folder: TemporaryFolder { scene.folder }

    private func found() throws -> FleetContainers {
        try FleetContainers.find(.folder(folder["fleet"]), of: scene.migration())
    }

    @Test(
        "a container with a misspelt folder, an empty one and one with the bare store are failed rows, and not written to",
        arguments: ["misspelt", "empty", "bare"])
    func strays(_ kind: String) throws {
        try scene.add(TrainLog(.container), as: "a")
        switch kind {
        case "misspelt":
            try scene.add(TrainLog(.container), as: "d")
            try FileManager.default.moveItem(atPath: folder["fleet/d/Library"], toPath: folder["fleet/d/Libary"])
        case "bare":
            try folder.makeFolder("fleet/d")
            try folder.copy("fleet/a" + TrainLog.local.dropFirst("container".count), to: "fleet/d/TrainLog.store")
        default: try folder.makeFolder("fleet/d")
        }
        let before = try FolderFingerprint(folder["fleet/d"])
        let report = try scene.perform(.run(dryRun: false)) { $0.allowsEmpty = true }
        #expect(report.containers.map(\.container) == ["a", "d"])
        #expect(report.containers.map { $0.error?.code } == [nil, 66])
        #expect(report.verdicts["d"] == .failed)
        #expect(report.containers[1].error?.message.contains("fleet/d` is not a container of TrainLog") == true)
        #expect(try FolderFingerprint(folder["fleet/d"]).differences(from: before) == [])
    }

    @Test("exports, texts, hidden folders and the group container of a single device are not failed containers")
    func others() throws {
        try scene.add(TrainLog(.container), as: "a")
        try scene.add(TrainLog(.container), as: "users/phone/AppData")
        for name in ["exports/a", ".hidden", "notes", "users/phone/Group"] { try folder.makeFolder("fleet/" + name) }
        try folder.write("{\"format\": \"godwit-export\"}", to: "fleet/exports/a/one.json")
        try folder.write("CREATE TABLE Note(id);", to: "fleet/notes/V0001__note.sql")
        try folder.write("<plist><dict/></plist>", to: "fleet/users/phone/Group/group.plist")
        let found = try found()
        #expect(found.names == ["a", "users/phone/AppData"] && found.unreadable.isEmpty)
    }

    @Test("below the top, folders next to several containers count")
    func deeper() throws {
        for name in ["users/1", "users/2"] { try scene.add(TrainLog(.container), as: name) }
        try folder.makeFolder("fleet/users/3")
        try folder.makeFolder("fleet/other")
        let found = try found()
        #expect(found.names == ["users/1", "users/2"] && found.unreadable.map(\.name) == ["users/3"])
    }
}
