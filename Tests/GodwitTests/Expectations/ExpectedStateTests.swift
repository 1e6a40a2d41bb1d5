import Godwit
import GodwitModel
import Testing

/// Expectations as text and as differences: pure functions of documents.
struct ExpectedStateTests {
    private func numbers(_ numbers: [(String, Int64)]) -> LegacyValue {
        .dictionary(numbers.map { LegacyPair(key: $0.0, value: .integer($0.1)) })
    }

    private func record(_ key: String, _ theme: String) -> LegacyValue {
        .dictionary([
            LegacyPair(key: "columns", value: .dictionary([LegacyPair(key: "theme", value: .string(theme))])),
            LegacyPair(key: "key", value: .string(key)), LegacyPair(key: "entity", value: .string("Settings")),
        ])
    }

    private func found(
        counts: [(String, Int64)] = [("Set", 6), ("Workout", 4)], legacy: [LegacyPair] = [],
        records: [LegacyValue] = []
    ) -> ExpectedState {
        ExpectedState(
            app: "TrainLog", selecting: .array([]),
            found: [
                LegacyPair(key: "counts", value: .dictionary([LegacyPair(key: "cloud", value: numbers(counts))])),
                LegacyPair(key: "legacy", value: .dictionary(legacy)),
                LegacyPair(key: "records", value: .array(records)),
            ])
    }

    private let keys = LegacyPair(
        key: "keys", value: .dictionary([LegacyPair(key: "unit", value: .string("migrated"))]))
    private let buckets = LegacyPair(
        key: "buckets", value: .dictionary([LegacyPair(key: "migrated", value: .integer(1))]))

    @Test("a document has one thing a line, ends with a newline, and depends on no order of arrival")
    func text() {
        let expectation = found(
            counts: [("Workout", 4), ("Set", 6)], records: [record("b", "dark"), record("a", "l\"t")])
        #expect(
            String(decoding: expectation.bytes, as: UTF8.self) == """
                {
                  "format": "godwit-expectation",
                  "formatVersion": 1,
                  "app": "TrainLog",
                  "select": [],
                  "counts": {
                    "cloud": {
                      "Set": 6,
                      "Workout": 4
                    }
                  },
                  "legacy": {},
                  "records": [
                    {"entity": "Settings", "key": "a", "columns": {"theme": "l\\"t"}},
                    {"entity": "Settings", "key": "b", "columns": {"theme": "dark"}}
                  ]
                }

                """)
        #expect(
            found(records: [record("a", "x"), record("b", "y")]).bytes
                == found(records: [record("b", "y"), record("a", "x")]).bytes)
    }

    @Test("the same is as expected")
    func same() {
        let report = found().compare(with: found(counts: [("Workout", 4), ("Set", 6)]), file: "e.json")
        #expect(report == ExpectationReport(file: "e.json", verdict: .met))
    }

    @Test("what differs is shown with the line that was expected, the one that was found, and those around them")
    func differs() {
        let report = found().compare(with: found(counts: [("Set", 6), ("Workout", 5)]), file: "e.json")
        #expect(report.verdict == .differs)
        #expect(
            report.differences == [
                ExpectedLine(.same, part: "counts.cloud", "\"cloud\": {"),
                ExpectedLine(.same, part: "counts.cloud", "\"Set\": 6"),
                ExpectedLine(.expected, part: "counts.cloud", "\"Workout\": 4"),
                ExpectedLine(.found, part: "counts.cloud", "\"Workout\": 5"),
                ExpectedLine(.same, part: "counts.cloud", "}"),
            ])
    }

    @Test("a line that is added at the end is one difference; commas do not count")
    func commas() {
        let report = found().compare(with: found(counts: [("Set", 6), ("Workout", 4), ("Zone", 1)]), file: "e.json")
        #expect(report.differences.filter { $0.kind != .same }.map(\.text) == ["\"Zone\": 1"])
    }

    @Test("a part that the file leaves out is not compared")
    func partial() throws {
        let file = try ExpectedState(
            .dictionary([
                LegacyPair(key: "format", value: .string("godwit-expectation")),
                LegacyPair(key: "formatVersion", value: .integer(1)),
                LegacyPair(key: "app", value: .string("TrainLog")),
                LegacyPair(key: "legacy", value: .dictionary([buckets])),
            ]), file: "e.json")
        #expect(file.compare(with: found(counts: [], legacy: [buckets, keys]), file: "e.json").verdict == .met)
        let other = LegacyPair(key: "buckets", value: .dictionary([]))
        #expect(file.compare(with: found(legacy: [other]), file: "e.json").verdict == .differs)
    }

    @Test("what became of each key is compared as long as the import is ahead, and kept when it is not")
    func keysGone() {
        let before = found(legacy: [buckets, keys])
        let after = found(legacy: [buckets])
        let report = before.compare(with: after, file: "e.json")
        #expect(report.verdict == .met)
        #expect(report.notCompared == ["legacy.keys"])
        #expect(after.keeping(before).bytes == before.bytes)
        #expect(before.keeping(after).bytes == before.bytes)
        // Written after the import, it says nothing of keys; a container before it has more to tell.
        #expect(after.compare(with: before, file: "e.json").verdict == .met)
    }

    @Test("texts that differ only in Unicode normalisation differ")
    func normalisation() {
        let a = found(records: [record("caf\u{E9}", "x")])
        let b = found(records: [record("cafe\u{301}", "x")])
        #expect(a.compare(with: b, file: "e.json").verdict == .differs)
    }

    @Test("of very many differences the first are listed, and the others counted")
    func many() {
        let all = (0..<5000).map { record("key \($0)", "dark") }
        let changed = (0..<5000).map { record("key \($0)", "light") }
        let report = found(records: all).compare(with: found(records: changed), file: "e.json")
        #expect(report.differences.count == ExpectedState.listed)
        #expect(report.omitted > 7000)
    }

    // MARK: Reading

    private func refusal(_ pairs: [LegacyPair]) -> GodwitError? {
        do throws(GodwitError) {
            let expectation = try ExpectedState(.dictionary(pairs), file: "e.json")
            _ = try expectation.selections(file: "e.json")
            return nil
        } catch { return error }
    }

    private let head = [
        LegacyPair(key: "format", value: .string("godwit-expectation")),
        LegacyPair(key: "formatVersion", value: .integer(1)),
    ]

    @Test("what is not an expectation, or one of another version, is refused")
    func refusals() {
        #expect(refusal([])?.message.contains("is not an expectation") == true)
        #expect(refusal([LegacyPair(key: "format", value: .string("godwit-export"))])?.code == .data)
        #expect(refusal([head[0]])?.message.contains("another format") == true)
        #expect(refusal([head[0], LegacyPair(key: "formatVersion", value: .real(1))])?.code == .data)
        #expect(refusal(head + [LegacyPair(key: "count", value: .integer(1))])?.message.contains("'count'") == true)
        #expect(refusal(head)?.message == nil)
    }

    private func select(_ items: LegacyValue) -> [LegacyPair] { head + [LegacyPair(key: "select", value: items)] }

    @Test("a selection names entity and key, and perhaps columns")
    func selections() throws {
        let columns = LegacyPair(key: "columns", value: .array([.string("theme")]))
        let entity = LegacyPair(key: "entity", value: .string("Settings"))
        let key = LegacyPair(key: "key", value: .integer(7))
        let whole = try ExpectedState(.dictionary(select(.array([.dictionary([key, columns, entity])]))), file: "e")
        let selection = try #require(try whole.selections(file: "e").first)
        #expect(selection.entity == "Settings")
        #expect(selection.key == .integer(7))
        #expect(selection.columns == ["theme"])
        let blob = LegacyPair(
            key: "key", value: .dictionary([LegacyPair(key: "$blob", value: .string("AAE="))]))
        let bytes = try ExpectedState(.dictionary(select(.array([.dictionary([entity, blob])]))), file: "e")
        #expect(try bytes.selections(file: "e").first?.key == .blob([0, 1]))
        for item in [
            LegacyValue.string("Settings"), .dictionary([entity]), .dictionary([key]),
            .dictionary([entity, key, LegacyPair(key: "column", value: .string("theme"))]),
            .dictionary([entity, key, LegacyPair(key: "columns", value: .string("theme"))]),
            .dictionary([entity, key, LegacyPair(key: "columns", value: .array([.integer(1)]))]),
            .dictionary([LegacyPair(key: "entity", value: .integer(1)), key]),
        ] {
            #expect(refusal(select(.array([item])))?.message.contains("item 1 of `select`") == true)
        }
        #expect(refusal(select(.dictionary([])))?.message.contains("is not a list") == true)
    }
}
