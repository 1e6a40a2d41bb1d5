import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Synchronization
import Testing

/// The progress that is reported while two stores are compared.
struct ComparingProgressTests {
    private static let rows: Int64 = 20_000

    /// Both have the same records; the cloud's are in the same order, or reversed.
    private func make(isTurned: Bool) throws -> CopyFixture {
        let fixture = try CopyFixture.items()
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))"
        let insertion = "INSERT INTO Item \(numbers) SELECT printf('%06d', i), i, 1, 1 FROM n"
        try fixture.local(insertion).close()
        try fixture.cloud(insertion + (isTurned ? " ORDER BY i DESC" : "")).close()
        return fixture
    }

    @Test("the progress of a comparison has completed and total records", arguments: [false, true])
    func fraction(isTurned: Bool) throws {
        let fixture = try make(isTurned: isTurned)
        let reported = Mutex<[RunProgress]>([])
        let context = RunContext.sample(progress: { progress in reported.withLock { $0.append(progress) } })
        #expect(try fixture.prove(context).map(\.equal) == [Self.rows])
        let heard = reported.withLock(\.self).filter { $0.stage == .verify }
        #expect(!heard.isEmpty)
        #expect(heard.allSatisfy { $0.total == Self.rows && $0.completed <= Self.rows })
        #expect(heard.contains { $0.fraction > 0.5 })
    }

    @Test("records of an entity that the other store lacks are compared too")
    func unknownKind() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Trip VALUES ('t', 1); INSERT INTO Stop VALUES ('s', 't', NULL, 1);").close()
        try SampleStore.make(fixture.cloudPath, "CREATE TABLE Trip(id TEXT, at); INSERT INTO Trip VALUES ('t', 1);")
        let reported = Mutex<[RunProgress]>([])
        let context = RunContext.sample(progress: { progress in reported.withLock { $0.append(progress) } })
        #expect(try fixture.prove(context).map(\.missing) == [0, 1])
        #expect(reported.withLock { $0.map(\.fraction) }.last == 1)
    }
}
