import GodwitModel
import GodwitTestSupport
import Testing

/// The network is lost and returns; the cloud is full and gets space.
struct NetworkScenarioTests {
    private func synced() throws -> Device {
        let device = try Device.migrated()
        try device.log(
            Device.event("setup", minute: 0), Device.event("import", minute: 1), Device.event("export", minute: 2))
        return device
    }

    @Test(
        "without a network nothing is reported as broken, changes wait, and an export says that it has only this device's data"
    )
    func lostAndBack() throws {
        let device = try synced()
        let state = device.scene.folder["home/network"]
        let options = ["--account", "available", "--network", "@" + state]
        func status(_ more: String...) throws -> Invocation.Finished {
            try device.scene.start(["status", "--json", "--exit-code"] + options + more).finish()
        }
        try device.scene.folder.write("online\n", to: "home/network")
        #expect(try status().json()["sync", "status"] == "succeeded")
        try device.scene.folder.write("offline\n", to: "home/network")
        try device.log(Device.event("export", minute: 10, error: 4))
        try device.write(
            Scene.local, "UPDATE Workout SET title = 'edited', updatedAt = '2026-11-21T05:09:00.000Z' WHERE rowid <= 2")
        let before = try device.scene.fingerprint()
        let offline = try status()
        #expect(offline.code == 0)
        #expect(try offline.json()["sync", "status"] == "noNetwork")
        #expect(try offline.json()["userStatus", "state"] == "offline")
        #expect(try offline.json()["userStatus", "message"]?.string?.contains("2 changes wait") == true)
        #expect(try offline.json()["pendingChanges", "Workout"] == 2)
        let document = try device.scene.start(["export", "-q"] + options).finish().json()
        #expect(document.reasons.contains("offline") && document.reasons.contains("pendingChanges"))
        #expect(document["freshness", "mayBeStale"] == true)
        #expect(document.keys("ExerciseSet").count == 600)
        try device.scene.expectUnchanged(since: before)
        // Online again: the last event is an error, which counts until the next attempt begins.
        try device.scene.folder.write("online\n", to: "home/network")
        let broken = try status()
        #expect(broken.code == 2)
        #expect(try broken.json()["sync", "status"] == "error")
        #expect(try broken.json()["lastError", "name"] == "networkFailure")
        #expect(try broken.json()["userStatus", "canRetry"] == true)
        try device.log(Device.event("export", minute: 20, isOver: false))
        let again = try status()
        #expect(again.code == 0)
        #expect(try again.json()["sync", "status"] == "inProgress")
        try device.log(Device.event("export", minute: 20))
        #expect(try status().json()["sync", "status"] == "succeeded")
        #expect(try status().json()["lastError"] == nil)
    }

    @Test("a full cloud is reported with a next step in both languages, and nothing is lost")
    func quota() throws {
        let device = try synced()
        let (local, cloud) = (try device.local(), try device.cloud())
        try device.log(Device.event("export", minute: 30, error: 25))
        let finished = try device.scene.start(["status", "--exit-code"] + Device.signedIn).finish()
        #expect(finished.code == 2)
        for part in ["✗ failing", "last error CKErrorDomain 25: export failed 29 minutes ago", "Free space in iCloud"] {
            #expect(finished.text.contains(part), "\(part)")
        }
        let status = try device.status()
        #expect(status["lastError", "category"] == "quota" && status["lastError", "retry"] == "afterNextStep")
        #expect(status["userStatus", "state"] == "error")
        let japanese = try device.scene.start(["status", "--lang", "ja"] + Device.signedIn).finish()
        #expect(japanese.text.contains("iCloudの空き容量を増やす"))
        let document = try device.export()
        #expect(document.reasons.contains("syncError") && document.keys("ExerciseSet").count == 600)
        #expect(document["freshness", "sync", "lastError"] == "CKErrorDomain 25")
        #expect(try device.run().code == 0)
        #expect(try device.local() == local && device.cloud() == cloud)
        // After space was freed, the next export succeeded.
        try device.log(Device.event("export", minute: 40))
        #expect(try device.scene.start(["status", "--exit-code", "-q"] + Device.signedIn).finish().code == 0)
        #expect(try !device.export().reasons.contains("syncError"))
    }
}
