import GodwitModel
import GodwitTestSupport
import Testing

/// The account is present at one launch and missing at another; a user signs out and in again.
struct AccountScenarioTests {
    private static let off = ["--account", "noAccount", "--network", "online"]

    @Test("the app uses its local store with the account off at launch, and the cloud store with it on")
    func launches() throws {
        let device = try Device.migrated()
        try device.write(Scene.cloud, "UPDATE Workout SET title = 'only in the cloud' WHERE rowid = 1")
        let before = try device.scene.fingerprint()
        for (account, store) in [
            ("available", "cloud"), ("noAccount", "local"), ("restricted", "local"), ("available", "cloud"),
        ] {
            let status = try device.status("--account", account, "--network", "online")
            #expect(status["activeStore"]?.string == store, "\(account)")
            let document = try device.export("--account", account, "--network", "online")
            #expect(document["source", "store"]?.string == store)
            #expect(document.reasons.contains("noAccount") == (account != "available"))
            let titles = document.exported("Workout").compactMap { $0["title"]?.string }
            #expect(titles.contains("only in the cloud") == (store == "cloud"))
            #expect(document.keys("Workout").count == 40 && document.keys("ExerciseSet").count == 600)
        }
        try device.scene.expectUnchanged(since: before)
    }

    @Test("records written while signed out stay, wait, and are reported, and no launch loses or moves any")
    func writtenWhileOff() throws {
        let device = try Device.migrated()
        let cloud = try device.cloud()
        try device.write(
            Scene.local,
            """
            INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES ('OFFLINE', 'Single', \
            '2026-11-21T04:00:00.000Z', '2026-11-21T04:00:00.000Z', '2026-11-21T04:00:00.000Z')
            """)
        let (local, bytes) = (try device.local(), try device.bytes(Scene.local))
        let off = try device.status("--account", "noAccount", "--network", "online")
        #expect(off["pendingChanges", "Workout"] == 1)
        #expect(off["userStatus", "needsSignIn"] == true)
        let document = try device.export("--account", "noAccount", "--network", "online")
        #expect(document.keys("Workout").contains("OFFLINE"))
        // Sync is on again: the cloud store is active and lacks the change, and the status says so.
        let on = try device.status()
        #expect(on["activeStore"] == "cloud" && on["pendingChanges", "Workout"] == 1)
        let after = try device.export()
        #expect(!after.keys("Workout").contains("OFFLINE"))
        #expect(after.reasons.contains("pendingChanges") && after["freshness", "mayBeStale"] == true)
        #expect(try device.run().code == 0)
        #expect(try device.cloud() == cloud && device.local() == local)
        #expect(try device.bytes(Scene.local) == bytes)
        #expect(try device.scene.godwit("verify", "-q").code == 1)
    }

    @Test("signing out removes only the cloud's records, and signing in restores them")
    func signOutAndIn() throws {
        let (device, other) = (try Device.migrated(), try Device.migrated())
        var service = CloudService()
        try service.sync([device, other])
        let (local, cloud, flag) = (try device.local(), try device.cloud(), try device.bytes(Scene.plist))
        let exported = try device.export()["integrity", "sha256"]
        // The system empties the store that it fills.
        try device.write(Scene.cloud, Device.entities.map { "DELETE FROM \($0);" }.joined())
        let out = try device.status("--account", "noAccount", "--network", "online")
        #expect(out["activeStore"] == "local" && out["copy"] == "done")
        #expect(out["pendingChanges", "ExerciseSet"] == 600)
        let document = try device.export("--account", "noAccount", "--network", "online")
        #expect(document["source", "store"] == "local")
        #expect(document.keys("Workout").count == 40 && document.keys("ExerciseSet").count == 600)
        #expect(document.reasons.contains("noAccount"))
        // Nothing is copied again into an account that may be another one.
        #expect(try device.scene.start(["run", "-q"] + Self.off).finish().code == 0)
        #expect(try device.cloud().values.allSatisfy(\.isEmpty))
        #expect(try device.local() == local && device.bytes(Scene.plist) == flag)
        // Signed in again: the system fills the store from the cloud, with the other device's records.
        var refill = CloudService()
        try refill.sync([device, other])
        #expect(try device.status()["activeStore"] == "cloud")
        #expect(try device.run().code == 0)
        #expect(try device.cloud() == cloud && device.local() == local)
        #expect(try device.export()["integrity", "sha256"] == exported)
    }

    @Test("if signing out removes the whole store, the flag is not trusted, and a warning says so")
    func storeTaken() throws {
        let device = try Device.migrated()
        let local = try device.local()
        try device.scene.folder.remove(device.scene.inFolder(Scene.cloud))
        let out = try device.status("--account", "noAccount", "--network", "online")
        #expect(out["activeStore"] == "local" && out["copy"] == "flagWithoutReceipt")
        let document = try device.export("--account", "noAccount", "--network", "online")
        #expect(document["source", "store"] == "local" && document.keys("ExerciseSet").count == 600)
        #expect(document.reasons.contains("copyNotDone"))
        #expect(try device.run().code == 1)
        #expect(!device.scene.exists(Scene.cloud))
        #expect(try device.local() == local)
    }
}
