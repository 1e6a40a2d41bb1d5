import GodwitModel
import GodwitCopy
import Testing

/// The decision between two different records, without a store.
struct MergeDecisionTests {
    private static let early = Instant(seconds: 100)
    private static let late = Instant(seconds: 100, attoseconds: 1)

    @Test(
        "keepNewest keeps the newest record, and the cloud record at equal dates",
        arguments: [
            (late, early, MergeDecision.update(.newest)), (early, late, .keepCloud), (late, late, .keepCloud),
            (early, nil, .update(.newest)), (nil, early, .keepCloud), (nil, nil, .keepCloud),
        ] as [(Instant?, Instant?, MergeDecision)])
    func newest(local: Instant?, cloud: Instant?, expected: MergeDecision) {
        #expect(MergeDecision.decide(local: local, cloud: cloud, rule: .keepNewest) == expected)
    }

    @Test(
        "keepEarliest keeps the earliest record, undated records first, and the cloud record at equal dates",
        arguments: [
            (late, early, MergeDecision.keepCloud), (early, late, .update(.earliest)), (late, late, .keepCloud),
            (early, nil, .keepCloud), (nil, early, .update(.earliest)), (nil, nil, .keepCloud),
        ] as [(Instant?, Instant?, MergeDecision)])
    func earliest(local: Instant?, cloud: Instant?, expected: MergeDecision) {
        #expect(MergeDecision.decide(local: local, cloud: cloud, rule: .keepEarliest) == expected)
    }

    @Test("keepLocal and keepCloud ignore dates", arguments: [nil, early, late], [nil, early, late])
    func named(local: Instant?, cloud: Instant?) {
        #expect(MergeDecision.decide(local: local, cloud: cloud, rule: .keepCloud) == .keepCloud)
        #expect(MergeDecision.decide(local: local, cloud: cloud, rule: .keepLocal) == .update(.localKept))
    }

    @Test("two devices that merge from their own side agree, except at equal dates", arguments: ConflictRule.allCases)
    func symmetry(rule: ConflictRule) {
        guard rule == .keepNewest || rule == .keepEarliest else { return }
        for (a, b) in [(Self.early, Self.late), (Self.late, Self.early)] {
            let here = MergeDecision.decide(local: a, cloud: b, rule: rule) == .keepCloud
            let there = MergeDecision.decide(local: b, cloud: a, rule: rule) == .keepCloud
            #expect(here != there)
        }
    }
}
