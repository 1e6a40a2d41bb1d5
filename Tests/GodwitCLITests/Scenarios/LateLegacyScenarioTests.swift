import GodwitModel
import GodwitTestSupport
import Testing

/// The legacy settings appear late: a backup of the preferences is restored after the copy.
struct LateLegacyScenarioTests {
    @Test("settings and favorites that appear after the copy reach the cloud store, and change no record there")
    func afterTheCopy() throws {
        let device = try Device()
        let plist = device.scene.inFolder(Scene.plist)
        let backup = try device.scene.folder.bytes(of: plist)
        try device.scene.folder.remove(plist)
        #expect(try device.run().code == 0)
        let cloud = try device.cloud()
        #expect(cloud["UserSettings"] == [] && cloud["FavoriteExercise"] == [])
        #expect(cloud["Workout"]?.count == 40 && cloud["ExerciseSet"]?.count == 600)
        // The app continues with the cloud store, where one record is edited.
        try device.write(
            Scene.cloud,
            "UPDATE Workout SET title = 'edited later', updatedAt = '2026-11-21T05:30:00.000Z' WHERE rowid = 1")
        let edited = try device.cloud()
        try device.scene.write(propertyList: backup)
        let run = try device.scene.start(["run", "--json"] + Device.signedIn).finish()
        #expect(run.code == 0, "\(run.errorText)")
        #expect(try run.json()["legacy", "inserted", "FavoriteExercise"] == 5)
        let merged = try device.cloud()
        #expect(merged["Workout"] == edited["Workout"] && merged["ExerciseSet"] == edited["ExerciseSet"])
        #expect(merged["FavoriteExercise"]?.count == 5 && merged["UserSettings"]?.count == 1)
        let document = try device.export()
        #expect(document.keys("FavoriteExercise", "exerciseId").contains("back-squat"))
        #expect(document.exported("UserSettings").first?["weightUnitRaw"] == "lb")
        #expect(document.exported("Workout").contains { $0["title"]?.string == "edited later" })
        #expect(try device.status()["copy"] == "done")
        // A second run writes no record; the preferences keep every value and get their flag.
        let before = try device.scene.fingerprint()
        #expect(try device.run().code == 0)
        try device.scene.expectUnchanged(since: before)
    }

    @Test("late settings do not replace settings that another device chose")
    func chosenElsewhere() throws {
        let device = try Device()
        let plist = device.scene.inFolder(Scene.plist)
        let backup = try device.scene.folder.bytes(of: plist)
        try device.scene.folder.remove(plist)
        #expect(try device.run().code == 0)
        try device.write(
            Scene.cloud,
            """
            INSERT INTO UserSettings(id, weightUnitRaw, theme, createdAt, updatedAt) VALUES ('singleton', 'kg', 'dark', \
            '2026-11-21T05:00:00.000Z', '2026-11-21T05:00:00.000Z');
            """)
        let chosen = try device.cloud()["UserSettings"]
        try device.scene.write(propertyList: backup)
        #expect(try device.run().code == 0)
        #expect(try device.cloud()["UserSettings"] == chosen)
        #expect(try device.export().exported("UserSettings").first?["weightUnitRaw"] == "kg")
    }
}
