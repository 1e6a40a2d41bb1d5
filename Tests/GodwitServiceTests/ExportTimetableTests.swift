import GodwitService
import Testing

/// The delays after failures in a row.
private struct BackOff: Sendable {
    let every: Int64
    let delays: [Int64]

    init(_ every: Int64, _ delays: [Int64]) { (self.every, self.delays) = (every, delays) }
}

/// When an export is due, in milliseconds of a clock that the test sets.
struct ExportTimetableTests {
    private static let rules = ExportTimetable.Rules(every: 300_000, debounce: 5_000)

    /// A timetable whose first export began at 0 and ended more than a second later.
    private func settled(_ rules: ExportTimetable.Rules = rules) -> ExportTimetable {
        var timetable = ExportTimetable(rules: rules)
        timetable.begin(at: 0)
        timetable.succeed(at: 1_000)
        return timetable
    }

    @Test("the first export is due at once")
    func start() {
        let timetable = ExportTimetable(rules: Self.rules)
        #expect(timetable.cause(at: 77) == .start)
        #expect(timetable.due(at: 77) <= 77)
    }

    @Test("the interval is from the start of one export to the start of the next")
    func interval() {
        let timetable = settled()
        #expect(timetable.cause(at: 1_001) == nil)
        #expect(timetable.cause(at: 299_999) == nil)
        #expect(timetable.cause(at: 300_000) == .interval)
        #expect(timetable.due(at: 1_001) == 300_000)
    }

    @Test("exports missed while the machine slept are made up by one export")
    func sleep() {
        var timetable = settled()
        #expect(timetable.cause(at: 3_000_000) == .interval)
        timetable.begin(at: 3_000_000)
        timetable.succeed(at: 3_000_010)
        #expect(timetable.cause(at: 3_000_011) == nil)
        #expect(timetable.due(at: 3_000_011) == 3_300_000)
    }

    @Test("a change is exported after the debounce time")
    func change() {
        var timetable = settled()
        timetable.noteChange(at: 60_000)
        #expect(timetable.cause(at: 64_999) == nil)
        #expect(timetable.due(at: 60_000) == 65_000)
        timetable.noteChange(at: 64_000)
        #expect(timetable.cause(at: 65_000) == nil)
        #expect(timetable.cause(at: 69_000) == .change)
    }

    @Test("a store with constant changes is exported at the interval")
    func neverQuiet() {
        var timetable = settled()
        for second in 2..<300 {
            timetable.noteChange(at: Int64(second) * 1_000)
            #expect(timetable.cause(at: Int64(second) * 1_000) == nil)
        }
        #expect(timetable.cause(at: 300_000) == .interval)
    }

    @Test("changes from before an export cause no further export")
    func shown() {
        var timetable = settled()
        timetable.noteChange(at: 60_000)
        timetable.begin(at: 70_000)
        timetable.succeed(at: 71_000)
        #expect(timetable.cause(at: 100_000) == nil)
        // Changes during an export are exported after it.
        timetable.begin(at: 200_000)
        timetable.noteChange(at: 200_500)
        timetable.succeed(at: 201_000)
        #expect(timetable.cause(at: 209_999) == nil)
        #expect(timetable.cause(at: 210_000) == .change)
    }

    @Test("exports caused by changes take at most a tenth of the time")
    func share() {
        var timetable = ExportTimetable(rules: Self.rules)
        timetable.begin(at: 0)
        timetable.succeed(at: 20_000)
        timetable.noteChange(at: 21_000)
        #expect(timetable.cause(at: 199_999) == nil)
        #expect(timetable.cause(at: 200_000) == .change)
    }

    @Test(
        "each failure doubles the delay, up to a limit",
        arguments: [
            BackOff(300_000, [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]),
            BackOff(86_400_000, [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000, 900_000, 900_000]),
            BackOff(2_000, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]),
        ])
    private func backOff(_ expected: BackOff) {
        let (every, delays) = (expected.every, expected.delays)
        var timetable = ExportTimetable(rules: .init(every: every, debounce: 1_000))
        var now: Int64 = 0
        for delay in delays {
            timetable.begin(at: now)
            #expect(timetable.fail(at: now, jitter: 1) == delay)
            #expect(timetable.cause(at: now + delay - 1) == nil)
            #expect(timetable.cause(at: now + delay) == .retry)
            #expect(timetable.due(at: now) == now + delay)
            now += delay
        }
        timetable.begin(at: now)
        timetable.succeed(at: now + 10)
        #expect(timetable.cause(at: now + 11) == nil)
        timetable.begin(at: now + every)
        #expect(timetable.fail(at: now + every, jitter: 1) == delays[0])
    }

    @Test("half of a delay is random, and half is fixed", arguments: [-3.0, 0, 0.25, 0.5, 1, 7])
    func jitter(chance: Double) {
        var timetable = settled()
        timetable.begin(at: 300_000)
        let delay = timetable.fail(at: 300_000, jitter: chance)
        #expect(delay == 2_500 + Int64(2_500 * min(max(chance, 0), 1)))
    }

    @Test("a thousand failures do not overflow")
    func manyFailures() {
        var timetable = ExportTimetable(rules: .init(every: .max / 4, debounce: 0))
        for _ in 0..<1_000 {
            timetable.begin(at: 0)
            #expect((2_500...900_000).contains(timetable.fail(at: 0, jitter: 1)))
        }
    }

    @Test("after a failure, neither changes nor the interval cause an early export")
    func patience() {
        var timetable = settled(.init(every: 20_000, debounce: 100))
        for at: Int64 in [20_000, 30_000, 45_000] {
            timetable.begin(at: at)
            timetable.fail(at: at, jitter: 1)
        }
        timetable.noteChange(at: 46_000)
        #expect(timetable.cause(at: 64_999) == nil)
        #expect(timetable.cause(at: 65_000) == .retry)
    }

    @Test("the network's return and a reload cause an export at once, also after failures", arguments: [false, true])
    func wanted(isFailing: Bool) {
        for (note, cause) in [
            ({ (timetable: inout ExportTimetable) in timetable.noteNetworkRegained() }, ExportTimetable.Cause.network),
            ({ $0.noteReload() }, .reload),
        ] {
            var timetable = settled()
            if isFailing {
                timetable.begin(at: 2_000)
                timetable.fail(at: 2_000, jitter: 1)
            }
            #expect(timetable.cause(at: 2_001) == nil)
            note(&timetable)
            #expect(timetable.cause(at: 2_001) == cause)
            #expect(timetable.due(at: 2_001) <= 2_001)
            timetable.begin(at: 2_001)
            timetable.succeed(at: 2_002)
            #expect(timetable.cause(at: 2_003) == nil)
        }
    }

    @Test("the first export keeps its cause, with any event before it")
    func firstStays() {
        var timetable = ExportTimetable(rules: Self.rules)
        timetable.noteChange(at: 0)
        timetable.noteReload()
        #expect(timetable.cause(at: 0) == .start)
    }

    @Test("an export is due at the reported time, and not before")
    func consistency() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var timetable = ExportTimetable(
                rules: .init(
                    every: .random(in: 1...50_000, using: &random), debounce: .random(in: 0...9_000, using: &random)))
            var now: Int64 = 0
            for _ in 0..<200 {
                now += .random(in: 0...4_000, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: timetable.noteChange(at: now)
                case 1: timetable.noteNetworkRegained()
                default: break
                }
                let isDue = timetable.cause(at: now) != nil
                #expect(isDue == (timetable.due(at: now) <= now))
                guard isDue else { continue }
                timetable.begin(at: now)
                now += .random(in: 0...3_000, using: &random)
                if Bool.random(using: &random) {
                    timetable.succeed(at: now)
                } else {
                    timetable.fail(at: now, jitter: 1)
                }
            }
        }
    }
}
