import GodwitModel
import Godwit
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Every value is accounted for: what was there before is in the cloud store or kept aside, by a model of the test's own.
struct AccountingTests {
    @Test(
        "the cloud store ends with the winners a plain model names",
        arguments: GeneratedCases.numbers(300..<350, few: 12))
    func winners(seed: Int) throws {
        let sample = try GeneratedContainer(seed: UInt64(seed), isSound: true)
        let expected = ExpectedMerge(sample)
        let report = try sample.app.perform(options: sample.change)
        try #require(report.copy?.outcome == .done)
        #expect(report.failedChecks == [])
        for entity in ReportTests.entities {
            let (key, marker) = (SampleRecord.keyColumn(of: entity), SampleRecord.markerColumn(of: entity))
            let rows = try sample.app.rows(TrainLog.cloud, "SELECT \(key), \(marker) FROM \(entity)")
            let found = Dictionary(rows.map { ($0[0].readable, $0[1].readable) }, uniquingKeysWith: { a, b in a + b })
            #expect(found == expected.winners[entity], "\(entity)")
            #expect(rows.count == found.count, "\(entity)")
        }
    }

    @Test(
        "source rows are final rows and removed rows, one for one", arguments: GeneratedCases.numbers(400..<425, few: 8)
    )
    func sums(seed: Int) throws {
        let sample = try GeneratedContainer(seed: UInt64(seed), isSound: true)
        let report = try sample.app.perform(options: sample.change)
        for entity in ReportTests.entities {
            let sources =
                [sample.local, sample.cloud].compactMap { $0 }.joined().count { $0.entity == entity }
                + (report.legacy?.inserted[entity] ?? 0)
            let copied = try #require(report.copied(entity))
            let removed = "SELECT count(*) FROM godwit_removed WHERE entity = '\(entity)'"
            let ended =
                try sample.app.count(TrainLog.cloud, of: entity) + sample.app.count(TrainLog.cloud, removed)
                + Int(copied.equal + copied.cloudKept)
            #expect(sources == ended, "\(entity)")
        }
    }

    @Test(
        "each single record is found again, in the cloud store, kept aside, or still in the local store",
        arguments: GeneratedCases.numbers(500..<525, few: 8))
    func records(seed: Int) throws {
        let sample = try GeneratedContainer(seed: UInt64(seed), isSound: true)
        let before = Set((sample.local ?? []) + (sample.cloud ?? []))
        try sample.app.perform(options: sample.change)
        let aside = try [TrainLog.local, TrainLog.cloud].flatMap { store in
            try sample.app.count(store, of: "godwit_removed") == 0
                ? [] : sample.app.column(store, "SELECT record FROM godwit_removed")
        }
        for entity in ReportTests.entities {
            let marker = SampleRecord.markerColumn(of: entity)
            let found = Set(
                try [TrainLog.local, TrainLog.cloud].flatMap {
                    try sample.app.column($0, "SELECT \(marker) FROM \(entity)")
                })
            for record in before where record.entity == entity && !found.contains(record.marker) {
                #expect(aside.contains { $0.contains("\"\(record.marker)\"") }, "\(record.marker)")
            }
        }
    }

    @Test("a record kept aside is whole: every column with its type")
    func whole() throws {
        let app = try TrainLog()
        try app.make(
            TrainLog.local,
            """
            INSERT INTO ExerciseSet VALUES ('s', 'w', 'row', 1, NULL, 61.23, 0, 'c', '2026-01-02');
            INSERT INTO ExerciseSet VALUES ('s', 'w', 'row "x"', 2, 9007199254740993, 60.0, 1, 'c', '2026-01-01');
            INSERT INTO Workout VALUES ('w', '脚', '', 's', NULL, 'c', '2026-01-01');
            """)
        try app.perform()
        let records = try app.column(TrainLog.cloud, "SELECT record FROM godwit_removed")
        let expected =
            #"{"id":"s","workoutId":"w","exerciseId":"row \"x\"","position":2,"reps":{"$int":"9007199254740993"},"#
            + #""weightKg":60.0,"isWarmup":1,"createdAt":"c","updatedAt":"2026-01-01"}"#
        #expect(records == [expected])
    }
}
