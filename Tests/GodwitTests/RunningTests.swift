import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Synchronization
import Testing

/// What `status` reports of a run at work.
struct RunningTests {
    /// A container with more records than a run takes note of at a time.
    private func makeApp(records: Int = 10_000) throws -> TrainLog {
        let app = try TrainLog()
        try app.make(
            TrainLog.local,
            """
            INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES ('w', 'Legs', '2026-01-01T00:00:00.000Z',
              '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(records))
            INSERT INTO ExerciseSet(id, workoutId, exerciseId, position, createdAt, updatedAt)
              SELECT printf('s%06d', x), 'w', 'squat', x, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM n;
            """)
        return app
    }

    @Test("while a run is at work status says how far it is, and nothing of it is left behind")
    func atWork() throws {
        let app = try makeApp()
        let migration = try app.migration()
        let seen = Mutex<[StatusReport.Running?]>([])
        let report = try app.perform {
            $0.silentMilliseconds = 0
        } faultPoint: { point throws(GodwitError) in
            guard point == .beforeCopyCommit else { return }
            let running = try migration.status().running
            seen.withLock { $0.append(running) }
        }
        let running = try #require(seen.withLock { $0 }.first ?? nil)
        #expect(running.runId == report.run.id && running.command == "run")
        #expect(running.stage == .copy && running.startedAt == report.run.startedAt)
        #expect(running.completed >= 4096 && running.total == 10_001)
        #expect(migration.running() == nil)
        #expect(try migration.status().running == nil)
    }

    @Test("a dry run, and a run that is over soon, tell nothing", arguments: [true, false])
    func silent(isDryRun: Bool) throws {
        let app = try makeApp()
        let migration = try app.migration()
        let looks = Mutex(0)
        try app.perform(dryRun: isDryRun) {
            $0.silentMilliseconds = isDryRun ? 0 : 3_600_000
        } faultPoint: { point throws(GodwitError) in
            looks.withLock { $0 += 1 }
            #expect(migration.running() == nil)
        }
        #expect(looks.withLock { $0 } > 3)
    }

    @Test("a run that fails takes its note away as well")
    func failed() throws {
        let app = try makeApp()
        let migration = try app.migration()
        let wasSeen = Mutex(false)
        let error = failure {
            try app.perform {
                $0.silentMilliseconds = 0
            } faultPoint: { point throws(GodwitError) in
                guard point == .beforeCopyCommit else { return }
                wasSeen.withLock { $0 = migration.running() != nil }
                throw GodwitError(.copy, .io, "No more.")
            }
        }
        #expect(error?.code == .io)
        #expect(wasSeen.withLock { $0 })
        #expect(migration.running() == nil)
    }

    @Test("a run on another container is not shown")
    func another() throws {
        let (app, other) = (try makeApp(), try TrainLog(.container))
        let migration = try other.migration()
        let seen = Mutex<[Bool]>([])
        try app.perform {
            $0.silentMilliseconds = 0
        } faultPoint: { point throws(GodwitError) in
            guard point == .beforeCopyCommit else { return }
            seen.withLock { $0.append(migration.running() == nil) }
        }
        #expect(seen.withLock { $0 } == [true])
    }

    @Test("asking makes no run wait: a run that does not wait for locks begins while it is asked all the time")
    func neverInTheWay() async throws {
        let app = try makeApp(records: 100)
        let migration = try app.migration()
        let flag = Flag()
        let asking = Task.detached {
            while !flag.isRaised.load(ordering: .relaxed) { _ = migration.running() }
        }
        for _ in 0..<20 {
            #expect(throws: Never.self) { try app.perform { $0.lockTimeoutMilliseconds = 0 } }
        }
        flag.isRaised.store(true, ordering: .relaxed)
        await asking.value
    }

    private final class Flag: Sendable {
        let isRaised = Atomic(false)
    }
}
