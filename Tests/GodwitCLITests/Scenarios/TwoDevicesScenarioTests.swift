import GodwitModel
import GodwitTestSupport
import Testing

/// Two devices that edit and delete, and sync through a cloud.
struct TwoDevicesScenarioTests {
    @Test("edits and deletions of two devices give the same records on both, equal exports, and no run undoes them")
    func editAndDelete() throws {
        let (phone, tablet) = (try Device.migrated(.twoDevices), try Device.migrated(.twoDevices))
        var service = CloudService()
        try service.sync([phone, tablet])
        let before = try phone.cloud()
        #expect(try tablet.cloud() == before)
        let ids = try phone.export().keys("Workout")
        try #require(ids.count > 10)
        // The phone deletes a workout with its sets and edits another; the tablet edits that one later, edits a third,
        // and adds one.
        try phone.write(
            Scene.cloud,
            """
            DELETE FROM ExerciseSet WHERE workoutId = '\(ids[0])'; DELETE FROM Workout WHERE id = '\(ids[0])';
            UPDATE Workout SET title = 'phone', updatedAt = '2026-11-21T05:00:00.000Z' WHERE id = '\(ids[1])';
            DELETE FROM Workout WHERE id = '\(ids[3])';
            """)
        try tablet.write(
            Scene.cloud,
            """
            UPDATE Workout SET title = 'tablet', updatedAt = '2026-11-21T05:10:00.000Z' WHERE id = '\(ids[1])';
            UPDATE Workout SET title = 'third', updatedAt = '2026-11-21T05:11:00.000Z' WHERE id = '\(ids[2])';
            UPDATE Workout SET title = 'kept', updatedAt = '2026-11-21T05:12:00.000Z' WHERE id = '\(ids[3])';
            INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES ('TABLET', 'new', \
            '2026-11-21T05:13:00.000Z', '2026-11-21T05:13:00.000Z', '2026-11-21T05:13:00.000Z');
            DELETE FROM FavoriteExercise;
            """)
        try service.sync([phone, tablet])
        let merged = try phone.cloud()
        #expect(try tablet.cloud() == merged)
        let (one, other) = (try phone.export(), try tablet.export())
        #expect(one["entities"] == other["entities"])
        #expect(one["integrity", "sha256"] == other["integrity", "sha256"])
        let titles = Dictionary(
            one.exported("Workout").map { ($0["id"]?.string ?? "", $0["title"]?.string ?? "") },
            uniquingKeysWith: { first, _ in first })
        #expect(titles[ids[0]] == nil && titles[ids[1]] == "tablet" && titles[ids[2]] == "third")
        #expect(titles[ids[3]] == "kept" && titles["TABLET"] == "new")
        #expect(one.exported("ExerciseSet").allSatisfy { $0["workoutId"]?.string != ids[0] })
        #expect(one.exported("FavoriteExercise").isEmpty)
        #expect(titles.count == (before["Workout"]?.count ?? 0) - 1 + 1)
        // The local stores still have the deleted records; no later run restores them, or writes at all.
        for device in [phone, tablet] {
            let fingerprint = try device.scene.fingerprint()
            #expect(try device.run().code == 0)
            try device.scene.expectUnchanged(since: fingerprint)
            #expect(try device.cloud() == merged)
        }
    }

    @Test("a second device that migrates later adds only its own records, and the newer of each record stays")
    func lateDevice() throws {
        let phone = try Device.migrated(.twoDevices)
        let tablet = try Device(.container)
        // The tablet's cloud store receives the phone's records before the tablet's first migration.
        try phone.scene.folder.copyStore(
            phone.scene.inFolder(Scene.cloud), to: "copy.store")
        try tablet.scene.folder.write(
            phone.scene.folder.bytes(of: "copy.store"), to: tablet.scene.inFolder(Scene.cloud))
        let store = try tablet.scene.open(Scene.cloud)
        for row in try store.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'godwit%'") {
            try store.execute("DROP TABLE \(row[0].readable)")
        }
        try store.close()
        let (ours, theirs) = (try tablet.local(), try tablet.cloud())
        #expect(try tablet.run().code == 0)
        let merged = try tablet.cloud()
        for (entity, date) in [("Workout", "updatedAt"), ("ExerciseSet", "updatedAt")] {
            let dateColumn = try column(date, of: entity, in: tablet)
            var expected: [String: [Value]] = [:]
            for row in (theirs[entity] ?? []) + (ours[entity] ?? []) {
                let key = row[0].readable
                // If dates are equal, the cloud's record is kept, which comes first here.
                if let known = expected[key], known[dateColumn].readable >= row[dateColumn].readable { continue }
                expected[key] = row
            }
            #expect(expected.count > max(theirs[entity]?.count ?? 0, 0) - 1)
            #expect(Set(merged[entity] ?? []) == Set(expected.values), "\(entity)")
        }
        // Both devices then have the same records, and the phone loses none.
        var service = CloudService()
        try service.sync([phone, tablet])
        #expect(try phone.cloud() == tablet.cloud())
        #expect(try phone.export()["integrity", "sha256"] == tablet.export()["integrity", "sha256"])
        for device in [phone, tablet] { #expect(try device.run().code == 0) }
        #expect(try phone.cloud() == tablet.cloud())
    }

    private func column(_ name: String, of entity: String, in device: Device) throws -> Int {
        let store = try device.scene.open(Scene.cloud)
        defer { try? store.close() }
        let names = try store.rows("SELECT name FROM pragma_table_info('\(entity)')").map { $0[0].readable }
        return try #require(names.firstIndex(of: name))
    }
}
