import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Synchronization
import Testing

struct StoreCloneTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("scratch")
    }

    private func clone(_ name: String, waiting milliseconds: Int = 0) throws -> String {
        try StoreClone.make(
            of: folder[name], name: name, in: folder["scratch"], stage: .copy,
            context: .sample(lockTimeoutMilliseconds: milliseconds))
    }

    @Test("a store is cloned with its -wal file, without its -shm file, with its times, and nothing else")
    func wholeSet() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "WAL", "PRAGMA wal_autocheckpoint=0; CREATE TABLE Note(id)")
        let before = try folder.fingerprint()
        let path = try clone("a.store")
        #expect(path == folder["scratch/a.store"])
        let after = try folder.fingerprint()
        #expect(folder.names(in: "scratch") == ["a.store", "a.store-wal"])
        for suffix in ["", "-wal"] {
            let source = try #require(after.files["a.store" + suffix])
            let copy = try #require(after.files["scratch/a.store" + suffix])
            #expect(source == before.files["a.store" + suffix])
            #expect(copy.bytes == source.bytes)
            #expect(copy.modifiedSeconds == source.modifiedSeconds)
            #expect(copy.modifiedNanoseconds == source.modifiedNanoseconds)
        }
        try app.close()
    }

    /// A context that lets an app write to the store at each request for an identifier; each attempt requests one
    /// between looking and copying.
    private func context(
        waiting milliseconds: Int, writing write: @escaping @Sendable (_ attempt: Int) -> Void
    ) -> RunContext {
        let counter = Counter()
        return .sample(
            makeIdentifier: {
                write(counter.next())
                return UUID().uuidString
            }, lockTimeoutMilliseconds: milliseconds)
    }

    @Test("a store that never stops changing gives 75, without leftovers")
    func neverRests() throws {
        try folder.write([UInt8](repeating: 1, count: 100_000), to: "busy.store")
        let folder = folder
        let context = context(waiting: 200) { attempt in
            _ = try? folder.write([UInt8](repeating: UInt8(attempt), count: 100_000), to: "busy.store")
        }
        let error = failure {
            try StoreClone.make(
                of: folder["busy.store"], name: "busy.store", in: folder["scratch"], stage: .copy, context: context)
        }
        #expect(error?.code == .busy)
        #expect(error?.stage == .copy)
        #expect(error?.message.contains("busy.store") == true)
        #expect(folder.names(in: "scratch") == [])
    }

    @Test("a store that changes during the clone is cloned again", arguments: ["", "-wal", "-journal"])
    func retries(suffix: String) throws {
        for part in ["", "-wal", "-journal"] { try folder.write("old", to: "a.store" + part) }
        let folder = folder
        let context = context(waiting: 60_000) { attempt in
            if attempt < 3 { _ = try? folder.write("new \(attempt)", to: "a.store" + suffix) }
        }
        let path = try StoreClone.make(
            of: folder["a.store"], name: "a.store", in: folder["scratch"], stage: .copy, context: context)
        #expect(path == folder["scratch/a.store"])
        #expect(folder.names(in: "scratch") == ["a.store", "a.store-journal", "a.store-wal"])
        for part in ["", "-wal", "-journal"] {
            #expect(try folder.text(of: "scratch/a.store" + part) == (part == suffix ? "new 2" : "old"))
        }
    }

    @Test("a journal that appears or disappears during the clone counts as a change")
    func journalGoes() throws {
        try folder.write("store", to: "a.store")
        try folder.write("journal", to: "a.store-journal")
        let folder = folder
        let context = context(waiting: 60_000) { attempt in
            if attempt == 1 { try? folder.remove("a.store-journal") }
            if attempt == 2 { _ = try? folder.write("log", to: "a.store-wal") }
        }
        _ = try StoreClone.make(
            of: folder["a.store"], name: "a.store", in: folder["scratch"], stage: .copy, context: context)
        #expect(folder.names(in: "scratch") == ["a.store", "a.store-wal"])
    }

    @Test("a cancelled run stops cloning")
    func cancelled() throws {
        try folder.write("store", to: "a.store")
        let folder = folder
        let cancellation = Cancellation()
        let context = RunContext.sample(
            makeIdentifier: {
                cancellation.cancel(.terminated)
                _ = try? folder.write("changed", to: "a.store")
                return UUID().uuidString
            }, cancellation: cancellation, lockTimeoutMilliseconds: 600_000)
        let error = failure {
            try StoreClone.make(
                of: folder["a.store"], name: "a", in: folder["scratch"], stage: .copy, context: context)
        }
        #expect(error?.code == .terminated)
    }

    @Test("clones made while an app commits are each consistent")
    func whileCommitting() throws {
        let app = try SampleStore(
            folder["a.store"], journal: "WAL",
            """
            PRAGMA wal_autocheckpoint=20;
            CREATE TABLE A(n INTEGER PRIMARY KEY, filling); CREATE TABLE B(n INTEGER PRIMARY KEY, filling)
            """)
        let done = Flag()
        let stopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !done.isRaised {
                try? app.execute(
                    """
                    BEGIN; INSERT INTO A(filling) VALUES (hex(zeroblob(3000)));
                    INSERT INTO B(filling) VALUES (hex(zeroblob(3000))); COMMIT
                    """)
                // An app is not always busy; without a pause no clone would ever succeed.
                usleep(60_000)
            }
            stopped.signal()
        }
        for round in 0..<10 {
            try folder.makeFolder("scratch/\(round)")
            let path = try StoreClone.make(
                of: folder["a.store"], name: "a.store", in: folder["scratch/\(round)"], stage: .copy,
                context: .sample(lockTimeoutMilliseconds: 60_000))
            let snapshot = try StoreSnapshot(of: path, name: "clone", stage: .copy, context: .sample())
            let first = try snapshot.connection.countRecords(of: "A")
            #expect(try snapshot.connection.countRecords(of: "B") == first)
        }
        done.raise()
        stopped.wait()
        try app.close()
    }

    #if os(Linux)
        @Test("pages that may be being written are not cloned, even without a journal")
        func noJournalOnDisk() throws {
            try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id); INSERT INTO Note VALUES (zeroblob(9000))")
            // An app's lock in the middle of a transaction, with journal_mode=MEMORY or OFF.
            let writer = try ForeignLocks(folder["a.store"], .shared)
            let error = failure { try clone("a.store") }
            #expect(error?.code == .busy)
            #expect(error?.message == "another process is writing `a.store`; no consistent copy could be made")
            #expect(folder.names(in: "scratch") == [])
            writer.release()
            let path = try clone("a.store")
            #expect(try folder.bytes(of: "scratch/a.store") == folder.bytes(of: "a.store"))
            #expect(path == folder["scratch/a.store"])
            #expect(try !ForeignLocks.isLocked(folder["a.store"], .shared), "the lock is given back")
        }

        @Test("with a journal that decides which pages count, a clone does not wait for a writer")
        func journalOnDisk() throws {
            try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id)")
            let journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + [UInt8](repeating: 0, count: 504)
            try folder.write(journal, to: "a.store-journal")
            let writer = try ForeignLocks(folder["a.store"], .shared)
            _ = try clone("a.store")
            #expect(folder.names(in: "scratch") == ["a.store", "a.store-journal"])
            writer.release()
        }
    #endif

    @Test("a link instead of a companion is not followed", arguments: ["-wal", "-journal"])
    func linkedCompanion(suffix: String) throws {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id)")
        try folder.write("another program's", to: "precious")
        try folder.makeLink("a.store" + suffix, to: "precious")
        #expect(failure { try clone("a.store") } != nil)
        #expect(!folder.exists("scratch/a.store" + suffix))
    }

    @Test("cloning a missing store gives 66")
    func missing() {
        #expect(failure { try clone("absent.store") }?.code == .noInput)
    }

    @Test("an existing file with the clone's name is not overwritten")
    func existingTarget() throws {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id)")
        try folder.write("kept", to: "scratch/a.store")
        #expect(failure { try clone("a.store") }?.code == .cannotCreate)
        #expect(try folder.text(of: "scratch/a.store") == "kept")
    }
}

/// Set by one thread, read by another.
final class Flag: Sendable {
    private let state = Atomic<Bool>(false)
    var isRaised: Bool { state.load(ordering: .relaxed) }
    func raise() { state.store(true, ordering: .relaxed) }
}

/// Counts from 1, from any thread.
final class Counter: Sendable {
    private let state = Atomic<Int>(0)
    func next() -> Int { state.add(1, ordering: .relaxed).newValue }
}
