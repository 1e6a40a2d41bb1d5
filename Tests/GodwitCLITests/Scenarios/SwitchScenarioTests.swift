import Foundation
import GodwitModel
import GodwitTestSupport
import Testing

/// Sync is turned off in the app and on again; an account appears while the app uses its local store.
struct SwitchScenarioTests {
    private static let later = "2026-11-21T08:00:00Z"

    private func turn(_ device: Device, _ isOn: Bool) throws {
        let scene = device.scene
        let data = Data(try device.bytes(Scene.plist))
        let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        var values = try #require(list as? [String: Any])
        values["isSyncEnabled"] = isOn
        let bytes = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        try scene.write(propertyList: Array(bytes))
    }

    private func makeDevice(isOn: Bool) throws -> Device {
        let device = try Device(.twoDevices)
        let manifest = try device.scene.folder.text(of: "home/godwit.yaml")
        try device.scene.write(manifest: manifest + "sync: { enabledKey: isSyncEnabled }\n")
        try turn(device, isOn)
        return device
    }

    /// Runs a command two hours after the copy.
    private func call(_ device: Device, _ arguments: String...) throws -> Invocation.Finished {
        let scene = device.scene
        return try scene.startBare(
            arguments + Device.signedIn + ["-m", scene.manifest, "-c", scene.container, "--now", Self.later]
        ).finish()
    }

    @Test(
        "after sync was off and on, both devices have the changes of both, and deleted records stay deleted"
    )
    func offAndOn() throws {
        let (phone, tablet) = (try makeDevice(isOn: true), try Device.migrated(.twoDevices))
        #expect(try phone.run().code == 0)
        var service = CloudService()
        try service.sync([phone, tablet])
        let ids = try tablet.export().keys("Workout").filter { id in
            let store = try phone.scene.open(Scene.local)
            defer { try? store.close() }
            return try store.integer("SELECT count(*) FROM Workout WHERE id = '\(id)'") == 1
        }
        try #require(ids.count > 5)
        // Off: the phone continues with its local store, the tablet with the cloud.
        try turn(phone, false)
        #expect(try call(phone, "status", "--json").json()["activeStore"] == "local")
        try phone.write(
            Scene.local,
            """
            INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES ('OFF', 'phone', \
            '2026-11-21T07:10:00.000Z', '2026-11-21T07:10:00.000Z', '2026-11-21T07:10:00.000Z');
            UPDATE Workout SET title = 'phone', updatedAt = '2026-11-21T07:20:00.000Z' WHERE id = '\(ids[0])';
            UPDATE Workout SET title = 'phone', updatedAt = '2026-11-21T07:05:00.000Z' WHERE id = '\(ids[1])';
            """)
        try tablet.write(
            Scene.cloud,
            """
            UPDATE Workout SET title = 'tablet', updatedAt = '2026-11-21T07:15:00.000Z' WHERE id = '\(ids[0])';
            UPDATE Workout SET title = 'tablet', updatedAt = '2026-11-21T07:30:00.000Z' WHERE id = '\(ids[1])';
            DELETE FROM ExerciseSet WHERE workoutId = '\(ids[2])'; DELETE FROM Workout WHERE id = '\(ids[2])';
            """)
        let (cloud, local) = (try phone.cloud(), try phone.bytes(Scene.local))
        let off = try call(phone, "run", "--json")
        #expect(off.code == 0, "\(off.errorText)")
        #expect(try off.json()["notes"]?.items.contains { $0["code"] == "syncOff" } == true)
        #expect(try phone.cloud() == cloud && phone.bytes(Scene.local) == local)
        let document = try call(phone, "export", "-q").json()
        #expect(document["source", "store"] == "local" && document.reasons.contains("localOnly"))
        #expect(document.keys("Workout").contains("OFF"))
        // On: the system delivers the records of the cloud, and the run copies the new local ones.
        try turn(phone, true)
        try service.sync([phone, tablet])
        let on = try call(phone, "run", "-q")
        #expect(on.code == 0, "\(on.errorText)")
        try service.sync([phone, tablet])
        let merged = try phone.cloud()
        #expect(try tablet.cloud() == merged)
        let export = try call(phone, "export", "-q").json()
        let titles = Dictionary(
            export.exported("Workout").map { ($0["id"]?.string ?? "", $0["title"]?.string ?? "") },
            uniquingKeysWith: { first, _ in first })
        #expect(titles["OFF"] == "phone" && titles[ids[0]] == "phone" && titles[ids[1]] == "tablet")
        #expect(titles[ids[2]] == nil)
        #expect(titles.count == (cloud["Workout"]?.count ?? 0) + 1 - 1)
        #expect(export["source", "store"] == "cloud")
        // Another run finds nothing to copy.
        let before = try phone.scene.fingerprint()
        #expect(try call(phone, "run", "-q").code == 0)
        try phone.scene.expectUnchanged(since: before)
    }

    @Test("an account that appears while the app uses its local store asks for a restart, and moves nothing")
    func restartToSync() throws {
        let device = try Device.migrated()
        try device.log(
            #"{"type":"account","at":"2026-11-21T04:59:00Z","state":"noAccount"}"#,
            #"{"type":"launch","at":"2026-11-21T05:00:00Z","store":"local"}"#)
        let single = try device.scene.godwit("status", "--json").json()
        #expect(single["userStatus", "state"] == "localOnly" && single["choice", "notice"] == nil)
        #expect(single["choice", "reason"] == "accountNotAvailable" && single["activeStore"] == "local")
        try device.log(#"{"type":"account","at":"2026-11-21T05:30:00Z","state":"available"}"#)
        let before = try device.scene.fingerprint()
        let asked = try device.scene.godwit("status", "--json").json()
        #expect(asked["choice", "notice"] == "restartToSync" && asked["choice", "launched"] == "local")
        #expect(asked["userStatus", "nextStep"] == "Restart the app to sync.")
        #expect(try device.scene.godwit("status").text.contains("Restart the app to sync."))
        let japanese = try device.scene.godwit("status", "--json", "--lang", "ja").json()
        #expect(japanese["userStatus", "nextStep"]?.string?.allSatisfy(\.isASCII) == false)
        try device.scene.expectUnchanged(since: before)
        // After a restart the app opens the cloud store, and nothing remains to ask for.
        try device.log(#"{"type":"launch","at":"2026-11-21T05:40:00Z","store":"cloud"}"#)
        let restarted = try device.scene.godwit("status", "--json").json()
        #expect(restarted["choice", "notice"] == nil && restarted["activeStore"] == "cloud")
    }
}
