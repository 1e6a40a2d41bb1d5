import Foundation
import GodwitModel
import GodwitTestSupport
import Testing

/// Exports during a sync, and while no sync is possible.
struct ExportScenarioTests {
    @Test("during a sync, each export has complete transactions of one moment, and says so")
    func whileSyncing() throws {
        let device = try Device.migrated()
        try device.log(
            Device.event("setup", minute: 0), Device.event("import", minute: 1), Device.event("export", minute: 2),
            Device.event("import", minute: 50, isOver: false))
        let store = try device.scene.open(Scene.cloud, journal: "WAL")
        var counts: [Int] = []
        for round in 0..<6 {
            // The import writes transactions of one workout and its three sets; one is open while the export runs.
            try store.execute(Self.arrival(round * 2) + "COMMIT;")
            try store.execute(Self.arrival(round * 2 + 1))
            let document = try device.export()
            #expect(document.reasons.contains("syncing"))
            #expect(document["freshness", "mayBeStale"] == true)
            let workouts = document.keys("Workout").filter { $0.hasPrefix("SYNC-") }
            let sets = document.exported("ExerciseSet").compactMap { $0["workoutId"]?.string }
                .filter { $0.hasPrefix("SYNC-") }
            #expect(sets.count == workouts.count * 3)
            #expect(Set(sets) == Set(workouts))
            #expect(!workouts.contains("SYNC-\(round * 2 + 1)"), "what is not committed is not exported")
            counts.append(workouts.count)
            try store.execute("COMMIT")
        }
        #expect(counts == [1, 3, 5, 7, 9, 11])
        try store.close()
        try device.log(Device.event("import", minute: 50))
        let settled = try device.export()
        #expect(!settled.reasons.contains("syncing"))
        #expect(settled.keys("Workout").count == 40 + 12 && settled.keys("ExerciseSet").count == 600 + 36)
    }

    private static let edit = """
        UPDATE Workout SET title = 'edited', updatedAt = '2026-11-21T05:09:00.000Z'
        WHERE id IN (SELECT id FROM Workout ORDER BY id LIMIT 3)
        """

    private static func arrival(_ number: Int) -> String {
        let date = "'2026-11-21T05:50:00.000Z'"
        let sets = (0..<3).map { part in
            "('SET-\(number)-\(part)', 'SYNC-\(number)', 'squat', \(part), \(date), \(date))"
        }
        return """
            BEGIN;
            INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt)
              VALUES ('SYNC-\(number)', 'Synced', \(date), \(date), \(date));
            INSERT INTO ExerciseSet(id, workoutId, exerciseId, position, createdAt, updatedAt)
              VALUES \(sets.joined(separator: ", "));

            """
    }

    @Test("during a sync with a thousand transactions a second, no export has half a transaction")
    func race() async throws {
        let device = try Device.migrated()
        let store = try device.scene.open(Scene.cloud, journal: "WAL")
        let writing = Task.detached {
            var number = 0
            while !Task.isCancelled, number < 1_000 {
                try store.execute(Self.arrival(number) + "COMMIT;")
                number += 1
                // A pause as short as in any app, so that the store grows no faster than exports take.
                usleep(500)
            }
        }
        for _ in 0..<4 {
            let document = try device.export()
            let workouts = document.keys("Workout").filter { $0.hasPrefix("SYNC-") }
            let sets = document.exported("ExerciseSet").filter { $0["workoutId"]?.string?.hasPrefix("SYNC-") == true }
            #expect(sets.count == workouts.count * 3)
            // Transactions arrive in order, so the rows present are the first ones.
            #expect(Set(workouts) == Set((0..<workouts.count).map { "SYNC-\($0)" }))
        }
        writing.cancel()
        _ = await writing.result
        try store.close()
        #expect(try device.scene.godwit("export", "-q").code == 0)
    }

    @Test("without a network an export is complete, says why it may be stale, and is kept until a better one")
    func whileOffline() throws {
        let device = try Device.migrated()
        try device.log(
            Device.event("setup", minute: 0), Device.event("import", minute: 1), Device.event("export", minute: 2))
        let folder = device.scene.folder["exports"]
        try device.scene.folder.makeFolder("exports")
        func export(network: String) throws {
            let finished = try device.scene.start([
                "export", "-q", "--into", folder, "--account", "available", "--network", network,
            ]).finish()
            #expect(finished.code == 0, "\(finished.errorText)")
        }
        func latest() throws -> JSONValue { try JSONValue(device.scene.folder.bytes(of: "exports/latest")) }
        try device.write(
            Scene.local, Self.edit)
        let before = try device.scene.fingerprint()
        try export(network: "offline")
        let offline = try latest()
        #expect(offline.reasons.contains("offline") && offline.reasons.contains("pendingChanges"))
        #expect(offline["freshness", "pendingChanges"] == 3)
        #expect(offline.keys("Workout").count == 40 && offline.keys("ExerciseSet").count == 600)
        try device.scene.expectUnchanged(since: before)
        try device.write(
            Scene.cloud, Self.edit)
        try export(network: "online")
        let online = try latest()
        #expect(!online.reasons.contains("offline") && !online.reasons.contains("pendingChanges"))
        #expect(online.exported("Workout").count { $0["title"]?.string == "edited" } == 3)
        #expect(device.scene.folder.names(in: "exports").filter { $0.hasSuffix(".json") }.count == 2)
    }
}
