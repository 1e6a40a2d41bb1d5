import GodwitJSON
import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// 300 random pairs of stores, compared with a model of the merge.
struct MergePropertyTests {
    @Test(
        "the cloud store and the counts equal those of a model",
        arguments: GeneratedCases.numbers(0..<10, few: 3))
    func agrees(batch: Int) throws {
        for index in 0..<30 { try agree(seed: UInt64(batch * 30 + index)) }
    }

    private func agree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rule = ConflictRule.allCases[Int(seed % 4)]
        let kind = RandomRecords.kinds[Int(seed / 4 % 4)]
        // In a primary key 1 and 1.0 are one key, so a table with keys of every kind has none.
        let isWithoutRowid = !kind.type.isEmpty && Bool.random(using: &generator)
        func table(_ columns: [String]) -> String {
            "CREATE TABLE Item(\(columns.joined(separator: ", ")))\(isWithoutRowid ? " WITHOUT ROWID" : "");"
        }
        let columns = ["id \(kind.type)\(isWithoutRowid ? " PRIMARY KEY" : "")", "title", "amount", "updatedAt"]
        let fixture = try CopyFixture(
            [Entity(name: "Item", key: "id", modified: .init(column: "updatedAt"), conflict: rule)], schema: "")
        var records = RandomRecords(generator: generator, keys: kind.keys)
        let local = records.store()
        let cloud = records.store(resembling: local)
        try fill(
            fixture.localPath, journal: ["DELETE", "WAL"][Int(seed / 16 % 2)], table(columns),
            local.values.map(\.values))
        try fill(
            fixture.cloudPath, journal: ["DELETE", "WAL"][Int(seed / 32 % 2)], table(columns.reversed()),
            cloud.values.map(\.values))

        let before = try fixture.localFingerprint()
        let entity = try #require(try fixture.copy().entities.first)
        #expect(try fixture.localFingerprint() == before)

        let model = MergeModel(local: local, cloud: cloud, rule: rule)
        let found = try fixture.cloudRows("SELECT id, title, amount, updatedAt FROM Item")
        #expect(found.count == model.cloud.count, "seed \(seed)")
        for row in found { #expect(model.cloud[row[0]]?.values == row, "seed \(seed)") }
        let counts = [entity.inserted, entity.updated, entity.equal, entity.cloudKept]
        let expected = [model.inserted, model.updated, model.equal, model.cloudKept].map(Int64.init)
        #expect(counts == expected, "seed \(seed)")
        #expect(entity.local == Int64(local.count))
        #expect(entity.cloudBefore == Int64(cloud.count))
        #expect(entity.cloudAfter == Int64(model.cloud.count))
        let removed = try fixture.cloudRows("SELECT key, record FROM godwit_removed")
        #expect(removed.count == model.replaced.count, "seed \(seed)")
        for row in removed { #expect(model.replaced[row[0]].map { json($0) } == row[1].readable, "seed \(seed)") }
        #expect(try fixture.prove().allSatisfy(\.holds))
    }

    private func fill(_ path: String, journal: String, _ table: String, _ rows: [[Value]]) throws {
        let store = try SampleStore(path, journal: journal, table + "PRAGMA synchronous=OFF; BEGIN;")
        for row in rows { try store.execute("INSERT INTO Item(id, title, amount, updatedAt) VALUES (?, ?, ?, ?)", row) }
        try store.execute("COMMIT")
        try store.close()
    }

    /// The record with the cloud's order of columns.
    private func json(_ record: MergeModel.Record) -> String {
        var buffer = JSONBuffer(capacity: 64)
        let fields = zip(["updatedAt", "amount", "title", "id"], record.values.reversed())
        for (index, (name, value)) in fields.enumerated() {
            buffer.append(index == 0 ? "{" : ",")
            buffer.append(string: name)
            buffer.append(":")
            buffer.append(value)
        }
        buffer.append("}")
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}
