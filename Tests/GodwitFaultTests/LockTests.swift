import Godwit
import GodwitModel
import Libc
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Runs on one container never run at the same time.
struct LockTests {
    /// A lock as another run takes it.
    private final class Holder: Sendable {
        private let descriptor: Int32

        init(_ container: String, _ operation: Int32 = LOCK_EX) throws {
            descriptor = open(container, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            try #require(flock(descriptor, operation | LOCK_NB) == 0)
        }

        func release() { close(descriptor) }
    }

    @Test("a command waits for another run, and stops at its timeout", arguments: [false, true])
    func busy(dryRun: Bool) throws {
        let app = try TrainLog(.container)
        let before = try app.fingerprint()
        let other = try Holder(app.container)
        for command in Command.allCases {
            let error = failure { try app.perform(command, dryRun: dryRun) { $0.lockTimeoutMilliseconds = 60 } }
            #expect((error?.stage, error?.code) == (.container, .busy), "\(command)")
            #expect(error?.hint?.contains("`MigrationOptions.lockTimeout`") == true)
        }
        let export = failure { try app.migration().exportAndKeep(to: app.folder["x.json"], options: .init()) }
        #expect(export?.code == .busy)
        #expect(try app.fingerprint().differences(from: before) == [])
        other.release()
        #expect(try app.perform().outcome == .done)
    }

    @Test("a waiting command continues when the other is done")
    func waits() async throws {
        let app = try TrainLog(.container)
        let other = try Holder(app.container)
        async let report = app.migration { $0.lockTimeoutMilliseconds = 60_000 }.run()
        other.release()
        #expect(try await report.outcome == .done)
    }

    @Test("readers do not block each other, but they block writers")
    func readers() throws {
        let app = try TrainLog(.twoDevices)
        let other = try Holder(app.container, LOCK_SH)
        #expect(try app.perform(.verify).verify != nil)
        #expect(try app.perform(dryRun: true).outcome == .done)
        #expect(try app.migration().exportAndKeep(to: app.folder["x.json"], options: .init()).counts["Workout"] == 40)
        #expect(failure { try app.perform() }?.code == .busy)
        other.release()
    }

    @Test("status and history need no lock")
    func lookers() throws {
        let app = try TrainLog(.container)
        try app.perform()
        let other = try Holder(app.container)
        #expect(try app.migration().status().copy == .done)
        #expect(try app.migration().history().runs.count == 1)
        other.release()
    }

    @Test("of many runs at once, one does the work and the others find it done")
    func together() async throws {
        let app = try TrainLog(.twoDevices)
        let migration = try app.migration { $0.lockTimeoutMilliseconds = 120_000 }
        let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for _ in 0..<4 { group.addTask { try await migration.run().outcome } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .done } == 1)
        #expect(outcomes.count { $0 == .alreadyDone } == 3)
        #expect(try app.count(TrainLog.local, of: "godwit_run") == 1)
        #expect(try app.count(TrainLog.cloud, of: "Workout") == 45)
    }

    @Test("no lock remains, neither as a file nor on the folder")
    func released() throws {
        let app = try TrainLog(.container)
        let names = try app.fingerprint().names
        _ = failure { try app.perform(faultPoint: Fault(at: .beforeLegacyCommit).meet) }
        #expect(try app.fingerprint().names == names)
        try Holder(app.container).release()
    }
}
