import GodwitModel
import GodwitTestSupport
import Testing

/// The app was deleted and installed again: the local store and the preferences are gone, and the system fills the
/// cloud store from the cloud.
struct ReinstallScenarioTests {
    private func reinstalled(withBooks: Bool) throws -> (device: Device, cloud: [String: [[Value]]], sha: JSONValue?) {
        let device = try Device.migrated(.twoDevices)
        let (cloud, sha) = (try device.cloud(), try device.export()["integrity", "sha256"])
        for name in [Scene.local, Scene.plist] { try device.scene.folder.remove(device.scene.inFolder(name)) }
        if !withBooks {
            let store = try device.scene.open(Scene.cloud)
            for row in try store.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'godwit%'") {
                try store.execute("DROP TABLE \(row[0].readable)")
            }
            try store.close()
        }
        return (device, cloud, sha)
    }

    @Test("if the store is restored with its ledger, the flag is set again, and no record changes")
    func withBooks() throws {
        let (device, cloud, sha) = try reinstalled(withBooks: true)
        let status = try device.status()
        #expect(status["activeStore"] == "cloud" && status["copy"] == "notDoneHere")
        #expect(try device.export()["integrity", "sha256"] == sha)
        let run = try device.scene.godwit("run", "--json").json()
        #expect(run["outcome"] == "healed")
        #expect(try device.cloud() == cloud)
        #expect(!device.scene.exists(Scene.local))
        #expect(try device.status()["copy"] == "done")
        let before = try device.scene.fingerprint()
        #expect(try device.run().code == 0)
        try device.scene.expectUnchanged(since: before)
        #expect(try device.export()["integrity", "sha256"] == sha)
    }

    @Test("if only the records are restored, they are exported, nothing is copied and no flag is claimed")
    func withoutBooks() throws {
        let (device, cloud, sha) = try reinstalled(withBooks: false)
        #expect(try device.status()["activeStore"] == "cloud")
        #expect(try device.export()["integrity", "sha256"] == sha)
        #expect(try device.run().code == 0)
        #expect(try device.cloud() == cloud)
        #expect(!device.scene.exists(Scene.local) && !device.scene.exists(Scene.plist))
        let status = try device.status()
        #expect(status["activeStore"] == "cloud" && status["flag", "isSet"] == false)
        let document = try device.export()
        #expect(document["integrity", "sha256"] == sha && document["source", "store"] == "cloud")
        #expect(try device.scene.godwit("verify", "-q").code == 0)
    }

    @Test("a reinstalled app that starts over loses nothing to records that return from the cloud")
    func newInstallation() throws {
        let (device, cloud, _) = try reinstalled(withBooks: false)
        // Before the cloud's records arrived, the app created a store and its user a workout.
        try SampleStore.make(
            device.scene.path(Scene.local),
            try ["V0001__create_store", "V0002__settings_and_favorites"].map { name in
                let path = device.scene.folder.names(in: "home/Migrations").first {
                    $0.hasPrefix(String(name.prefix(5)))
                }
                return try device.scene.folder.text(of: "home/Migrations/\(path ?? name)")
            }.joined(separator: "\n")
                + """

                INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES ('REINSTALLED', 'First', \
                '2026-11-21T05:00:00.000Z', '2026-11-21T05:00:00.000Z', '2026-11-21T05:00:00.000Z');
                """)
        let finished = try device.run()
        #expect(finished.code == 0, "\(finished.errorText)")
        let merged = try device.cloud()
        for entity in Device.entities where entity != "Workout" {
            #expect(merged[entity] == cloud[entity], "\(entity)")
        }
        let workouts = merged["Workout"] ?? []
        #expect(workouts.count == (cloud["Workout"]?.count ?? 0) + 1)
        for row in cloud["Workout"] ?? [] { #expect(workouts.contains(row)) }
        #expect(try device.export().keys("Workout").contains("REINSTALLED"))
        #expect(try device.status()["copy"] == "done")
    }
}
