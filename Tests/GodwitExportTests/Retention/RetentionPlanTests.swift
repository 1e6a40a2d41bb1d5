import GodwitModel
import GodwitExport
import Testing

/// What happens to the exports of a folder.
struct RetentionPlanTests {
    private static let now = Instant(seconds: 1_774_000_000)

    private func export(
        _ name: String, daysAgo: Int64, app: String = "Birdlog", base: String? = nil, selection: String = ""
    ) -> RetentionCandidate {
        RetentionCandidate(
            name: name, app: app, exportId: "id-\(name)",
            exportedAt: Self.now.advanced(bySeconds: -daysAgo * 86_400), baseId: base.map { "id-\($0)" },
            selection: selection)
    }

    private func kept(_ plan: RetentionPlan) -> Set<String> {
        Set(plan.decisions.filter(\.isKept).map(\.export.name))
    }

    @Test("each app and each selection is its own series, and so are increments")
    func series() {
        let exports = [
            export("a1", daysAgo: 1), export("a2", daysAgo: 2), export("b1", daysAgo: 30, app: "Notes"),
            export("s1", daysAgo: 40, selection: "Sighting"), export("i1", daysAgo: 50, base: "a1"),
            export("i2", daysAgo: 60, base: "gone"),
        ]
        let plan = RetentionPlan(exports, RetentionPolicy(counts: [.last: 1]), now: Self.now)
        #expect(kept(plan) == ["a1", "b1", "s1", "i1"])
        #expect(plan.decisions.count == exports.count)
    }

    @Test("only the base of a kept increment is kept with it")
    func bases() {
        let exports = [
            export("new", daysAgo: 1), export("base", daysAgo: 9), export("old", daysAgo: 10),
            export("change", daysAgo: 2, base: "base"), export("older change", daysAgo: 8, base: "old"),
        ]
        let plan = RetentionPlan(exports, RetentionPolicy(counts: [.last: 1]), now: Self.now)
        #expect(kept(plan) == ["new", "base", "change"])
        #expect(plan.decisions.first { $0.export.name == "base" }?.reasons == ["base of an increment"])
    }

    @Test("an export dated in the future is kept, and does not decide about others")
    func future() {
        let exports = [
            export("ahead", daysAgo: -400), export("now", daysAgo: 0), export("old", daysAgo: 3),
            export("older", daysAgo: 20),
        ]
        let policy = RetentionPolicy(counts: [.last: 1], within: CalendarSpan("7d"))
        let plan = RetentionPlan(exports, policy, now: Self.now)
        #expect(kept(plan) == ["ahead", "now", "old"])
        #expect(plan.decisions.first?.reasons == ["dated in the future"])
    }

    @Test("the target of the link is kept")
    func latest() {
        let exports = [export("new", daysAgo: 0), export("old", daysAgo: 3)]
        let policy = RetentionPolicy(counts: [.last: 1])
        #expect(kept(RetentionPlan(exports, policy, now: Self.now, latest: ["old"])) == ["new", "old"])
        #expect(kept(RetentionPlan(exports, policy, now: Self.now, latest: ["nothing"])) == ["new"])
    }

    @Test("the order of the files does not matter, and of two with one time the later name is newer")
    func order() {
        let exports = [export("a", daysAgo: 1), export("b", daysAgo: 1), export("c", daysAgo: 2)]
        let policy = RetentionPolicy(counts: [.last: 1])
        let plan = RetentionPlan(exports, policy, now: Self.now)
        #expect(plan == RetentionPlan(exports.reversed(), policy, now: Self.now))
        #expect(kept(plan) == ["b"])
    }

    @Test("without a policy no export is removed")
    func empty() {
        let exports = (0..<50).map { export("\($0)", daysAgo: $0) }
        #expect(kept(RetentionPlan(exports, RetentionPolicy(), now: Self.now)).count == 50)
    }
}
