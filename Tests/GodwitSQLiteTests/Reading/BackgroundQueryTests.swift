import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Synchronization
import Testing

/// A query on a store that runs during other reads of it.
struct BackgroundQueryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(isLarge: Bool = true) throws {
        try SampleStore(
            folder["a.store"],
            """
            CREATE TABLE Note(id INTEGER PRIMARY KEY, b BLOB);
            INSERT INTO Note WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000)
            SELECT x, zeroblob(\(isLarge ? 3000 : 0)) FROM n
            """
        ).close()
    }

    private func open() throws(GodwitError) -> StoreSnapshot {
        try StoreSnapshot(of: folder["a.store"], name: "Library/A.store", stage: .verify, context: .sample())
    }

    /// The threads that were requested.
    private final class Threads: Sendable {
        let count = Atomic(0)
        let hasAny: Bool

        init(hasAny: Bool = true) { self.hasAny = hasAny }

        var started: Int { count.load(ordering: .relaxed) }

        func start(_ work: @escaping @Sendable () -> Void) -> WorkerThread? {
            count.add(1, ordering: .relaxed)
            return hasAny ? WorkerThread(work) : nil
        }
    }

    private static let counting: BackgroundQuery<Int64>.Asking = { connection throws(GodwitError) in
        try connection.countRecords(of: "Note")
    }

    @Test("a thread answers questions about a large store, on its own reader", arguments: [true, false])
    func asked(isLarge: Bool) throws {
        try make(isLarge: isLarge)
        let snapshot = try open()
        let threads = Threads()
        let own = ObjectIdentifier(Thread.current)
        let others = Atomic(0)
        let question = BackgroundQuery(about: snapshot, startThread: threads.start) { connection throws(GodwitError) in
            if ObjectIdentifier(Thread.current) != own { others.add(1, ordering: .relaxed) }
            return try connection.countRecords(of: "Note")
        }
        #expect(try snapshot.connection.countRecords(of: "Note") == 2000)
        #expect(try question.answer(of: snapshot.connection) == 2000)
        #expect(question.answer == 2000)
        #expect(threads.started == (isLarge ? 1 : 0))
        #expect(others.load(ordering: .relaxed) == (isLarge ? 1 : 0))
    }

    @Test("a question about a small store is answered by the caller, once")
    func once() throws {
        try make(isLarge: false)
        let snapshot = try open()
        let asked = Atomic(0)
        let question = BackgroundQuery(about: snapshot) { _ throws(GodwitError) in
            asked.add(1, ordering: .relaxed)
            return true
        }
        #expect(question.answer == nil)
        for _ in 0..<3 { #expect(try question.answer(of: snapshot.connection)) }
        #expect(asked.load(ordering: .relaxed) == 1)
    }

    @Test("without a thread, the existing reader answers the question")
    func noThread() throws {
        try make()
        let snapshot = try open()
        let question = BackgroundQuery(about: snapshot, startThread: Threads(hasAny: false).start, Self.counting)
        #expect(question.answer == nil)
        #expect(try question.answer(of: snapshot.connection) == 2000)
    }

    @Test("if another file replaced the store, the existing reader answers the question")
    func replaced() throws {
        try make()
        let snapshot = try open()
        try FileManager.default.moveItem(atPath: folder["a.store"], toPath: folder["b.store"])
        try make(isLarge: false)
        try SampleStore(folder["a.store"], "DELETE FROM Note").close()
        let question = BackgroundQuery(about: snapshot, Self.counting)
        #expect(try question.answer(of: snapshot.connection) == 2000)
    }

    @Test("an error of the answer is thrown by the existing reader, each time")
    func failing() throws {
        try make()
        let snapshot = try open()
        let asked = Atomic(0)
        let question = BackgroundQuery<Bool>(about: snapshot) { _ throws(GodwitError) in
            let time = asked.add(1, ordering: .relaxed).newValue
            throw GodwitError(.copy, .data, "Asked \(time) times.")
        }
        #expect(failure { _ = try question.answer(of: snapshot.connection) }?.message == "Asked 2 times.")
        #expect(failure { _ = try question.answer(of: snapshot.connection) }?.message == "Asked 3 times.")
        #expect(question.answer == nil)
    }

    @Test("a question without a caller ends with its owner")
    func abandoned() throws {
        try make()
        let isOver = Atomic(false)
        do {
            let snapshot = try open()
            _ = BackgroundQuery(about: snapshot) { _ throws(GodwitError) in
                pause(milliseconds: 20)
                isOver.store(true, ordering: .relaxed)
                return true
            }
            let ended = isOver.load(ordering: .relaxed)
            #expect(ended)
        }
    }
}
