import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Synchronization
import Testing

/// What an app on Apple platforms needs, as far as it can be tried elsewhere.
struct AppSandboxTests {
    #if os(Linux)
        @Test("without a sandbox the home of the user is not taken for the container: 64")
        func noSandbox() throws {
            let app = try TrainLog(.container)
            let error = failure { try Migration(manifest: app.manifest, container: .app()) }
            #expect(error?.code == .usage)
            #expect(error?.hint?.contains(".directory") == true)
        }
    #endif

    private final class Events: Sendable {
        let names = Mutex<[String]>([])
    }

    @Test("when time is up the work is cancelled, and the system goes on after the work has ended")
    func expires() async {
        let cancellation = Cancellation()
        let events = Events()
        let hasBegun = AsyncStream<Void>.makeStream()
        let work = ExpiringWork(cancellation) {
            hasBegun.continuation.finish()
            while !cancellation.isCancelled {}
            events.names.withLock { $0.append("rolled back") }
        }
        await withTaskGroup { group in
            group.addTask { work.call(isExpired: false) }
            for await _ in hasBegun.stream {}
            group.addTask {
                work.call(isExpired: true)
                events.names.withLock { $0.append("suspended") }
            }
        }
        #expect(events.names.withLock { $0 } == ["rolled back", "suspended"])
    }

    @Test("without any time the work is called once, cancelled, so that it can say so")
    func noTime() {
        let cancellation = Cancellation()
        let calls = Atomic(0)
        ExpiringWork(cancellation) { if cancellation.isCancelled { calls.add(1, ordering: .relaxed) } }
            .call(isExpired: true)
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test("a task that is cancelled before it begins does nothing")
    func cancelledBefore() async throws {
        let app = try TrainLog(.container)
        let before = try app.fingerprint()
        let migration = try app.migration()
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                _ = try await migration.run()
                return nil as GodwitError?
            } catch {
                return error as? GodwitError
            }
        }.value
        #expect(error?.code == .interrupted)
        #expect(try app.fingerprint() == before)
    }
}
