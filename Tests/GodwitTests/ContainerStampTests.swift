import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Whether something has changed, found out without opening anything.
struct ContainerStampTests {
    private static let events = TrainLog.syncEvents

    @Test("looking again finds nothing changed, and changes nothing")
    func unchanged() throws {
        let app = try TrainLog(.twoDevices)
        let migration = try app.migration()
        let before = try app.fingerprint()
        let first = migration.stamp()
        #expect(migration.stamp() == first)
        _ = try migration.status()
        #expect(migration.stamp() == first)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test(
        "each file that a status is made of shows",
        arguments: [
            TrainLog.local, TrainLog.local + "-wal", TrainLog.local + "-journal", TrainLog.cloud,
            TrainLog.cloud + "-wal", TrainLog.cloud + "-journal", TrainLog.preferences, events,
        ])
    func changes(file: String) throws {
        let app = try TrainLog(.twoDevices)
        let migration = try app.migration()
        let first = migration.stamp()
        let isThere = app.folder.exists(file)
        try app.folder.write(isThere ? try app.folder.bytes(of: file) + [0] : [0], to: file)
        let second = migration.stamp()
        #expect(second != first)
        try app.folder.remove(file)
        #expect(migration.stamp() != second)
        #expect((migration.stamp() == first) == !isThere)
    }

    @Test("a change that keeps size and date is noticed")
    func sameDate() throws {
        let app = try TrainLog(.container)
        let migration = try app.migration()
        let first = migration.stamp()
        try app.datePreferences()
        // The status' own date can't be set by anybody.
        #expect(migration.stamp() != first)
    }

    @Test("what was changed a moment ago is not settled: another change at once might not show")
    func settled() throws {
        let app = try TrainLog(.container)
        let migration = try app.migration()
        try app.folder.write("{}", to: Self.events)
        // Asked within the tick of the clock, it may say either; asked again and again, it says at last that it is.
        var looks = 0
        while !migration.stamp().isSettled, looks < 10_000_000 { looks += 1 }
        #expect(migration.stamp().isSettled)
    }

    @Test("a container that goes, or can't be looked at, shows as well")
    func missing() throws {
        let app = try TrainLog(.container)
        let migration = try app.migration()
        let first = migration.stamp()
        try app.folder.remove("container")
        let gone = migration.stamp()
        #expect(gone != first && gone == migration.stamp())
    }
}
