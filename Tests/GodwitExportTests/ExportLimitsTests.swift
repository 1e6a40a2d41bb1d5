import GodwitModel
import GodwitExport
import GodwitTestSupport
import Testing

/// When an export is too small to be plausible.
struct ExportLimitsTests {
    private func refusal(
        _ counts: [String: Int64], _ earlier: [String: Int64]?, min: Int64? = nil, shrink: Int? = nil
    ) -> GodwitError? {
        let limits = ExportLimits(minRecords: min, maxShrinkPercent: shrink)
        return failure { try limits.check(counts, against: earlier.map { ($0, "last.json") }) }
    }

    @Test(
        "fewer records than the minimum are rejected, and the minimum is not",
        arguments: [0, 1, 9, 10, 11] as [Int64])
    func leastNumber(_ count: Int64) {
        let error = refusal(["A": count, "B": 0], nil, min: 10)
        #expect((error != nil) == (count < 10))
        if let error {
            #expect(error.code == .data)
            #expect(error.message.hasPrefix(count == 1 ? "1 record, fewer" : "\(count) records, fewer"))
            #expect(error.message.contains("the 10 of"))
            #expect(error.message.hasSuffix("; nothing was written"))
        }
    }

    @Test(
        "a loss of more than the limit is rejected, and a loss of exactly the limit is not",
        arguments: [
            (100, 50, 50, false), (100, 49, 50, true), (100, 0, 100, false), (100, 99, 0, true), (100, 100, 0, false),
            (3, 1, 50, true), (3, 2, 50, false), (1, 0, 99, true), (0, 0, 0, false), (5, 500, 0, false),
        ]
            as [(Int64, Int64, Int, Bool)])
    func share(_ before: Int64, _ now: Int64, _ percent: Int, _ isRefused: Bool) {
        let error = refusal(["A": now], ["A": before], shrink: percent)
        #expect((error != nil) == isRefused)
        if let error { #expect(error.code == .data && error.message.contains("last.json")) }
    }

    @Test("one emptied entity is noticed though the total hardly changed")
    func oneEntity() {
        let error = refusal(["Set": 6000, "Workout": 0], ["Set": 6000, "Workout": 40], shrink: 50)
        #expect(error?.message.contains("0 records of Workout") == true)
        #expect(refusal(["Set": 6000], ["Set": 6000, "Workout": 40], shrink: 50) != nil)
    }

    @Test(
        "a small table may lose ten records with any limit", arguments: [(10, false), (11, true)] as [(Int64, Bool)])
    func smallTable(_ lost: Int64, _ isRefused: Bool) {
        #expect((refusal(["Set": 6000, "Tag": 0], ["Set": 6000, "Tag": lost], shrink: 50) != nil) == isRefused)
    }

    @Test("without limits, or without an earlier export, nothing is rejected")
    func none() {
        #expect(refusal([:], ["A": 100]) == nil)
        #expect(refusal([:], nil, shrink: 0) == nil)
        #expect(refusal(["A": .max], ["A": .max], shrink: 0) == nil)
        #expect(refusal(["A": 1], ["A": .max], shrink: 50) != nil)
    }
}
