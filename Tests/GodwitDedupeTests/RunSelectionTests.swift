import GodwitLedger
import GodwitModel
import GodwitDedupe
import GodwitTestSupport
import Testing

/// Which run an argument selects.
struct RunSelectionTests {
    private static let booked = [
        LedgerRun(id: "C1AB", startedAt: .sampleNow, open: 0, undone: 2, undoneBy: "U"),
        LedgerRun(id: "C1CD", startedAt: .epoch, open: 3),
        LedgerRun(id: "AA00", startedAt: .epoch, open: 0, carried: 4),
    ]

    @Test(
        "a run is found by its identifier or its start, in any case",
        arguments: [("C1AB", "C1AB"), ("c1a", "C1AB"), ("c1cd", "C1CD"), ("A", "AA00"), ("dd", "DD11")])
    func found(_ text: String, _ run: String) throws {
        #expect(try RunSelection.select(text, among: Self.booked, recorded: ["DD11", "C1AB"]) == run)
    }

    @Test("an identifier that is the start of another one is found itself")
    func exact() throws {
        let runs = [LedgerRun(id: "A", startedAt: .epoch, open: 1), LedgerRun(id: "AB", startedAt: .epoch, open: 1)]
        #expect(try RunSelection.select("a", among: runs) == "A")
    }

    @Test("latest is the newest run that removed duplicates here, undone or not")
    func latest() throws {
        #expect(try RunSelection.select("latest", among: Self.booked) == "C1AB")
        #expect(try RunSelection.select("LATEST", among: Array(Self.booked.dropFirst())) == "C1CD")
        #expect(try RunSelection.select("latest", among: Array(Self.booked.dropFirst(2))) == nil)
        #expect(try RunSelection.select("latest", among: []) == nil)
    }

    @Test(
        "an unknown run is a usage error that lists the existing runs",
        arguments: ["X", "", " ", "C1AB0"])
    func unknown(_ text: String) throws {
        let error = try #require(failure { try RunSelection.select(text, among: Self.booked) })
        #expect(error.code == .usage)
        #expect(error.hint?.contains("C1AB (2026-11-21), C1CD (1970-01-01)") == true)
        #expect(error.hint?.contains("AA00") == false, "it has nothing to undo")
        #expect(failure { try RunSelection.select("X", among: []) }?.hint?.contains("history") == true)
    }

    @Test("the start of two identifiers is not enough")
    func ambiguous() throws {
        let error = try #require(failure { try RunSelection.select("c1", among: Self.booked) })
        #expect(error.code == .usage)
        #expect(error.hint?.contains("C1AB, C1CD") == true)
    }

    @Test("a run in the ledgers of two stores is one run")
    func joined() {
        let other = [LedgerRun(id: "C1AB", startedAt: .epoch, open: 1, carried: 1)]
        let joined = RunSelection.joined([Self.booked, other])
        #expect(joined.map(\.id) == ["C1AB", "C1CD", "AA00"])
        #expect(
            joined[0] == LedgerRun(id: "C1AB", startedAt: .sampleNow, open: 1, undone: 2, carried: 1, undoneBy: "U"))
    }

    @Test("the order in each store stays, and between stores the dates decide")
    func wrongClock() {
        let late = Instant.sampleNow.advanced(bySeconds: 1 << 30)
        func run(_ id: String, _ date: Instant) -> LedgerRun { LedgerRun(id: id, startedAt: date, open: 1) }
        let local = [run("C", .sampleNow), run("B", late), run("A", .epoch)]
        let cloud = [run("D", .sampleNow.advanced(bySeconds: 1)), run("B", late), run("E", .epoch)]
        #expect(RunSelection.joined([local]).map(\.id) == ["C", "B", "A"])
        #expect(RunSelection.joined([local, cloud]).map(\.id) == ["D", "C", "B", "A", "E"])
        // Contradictory orders give some order, and no endless loop.
        let turned = [run("B", late), run("C", .sampleNow)]
        #expect(Set(RunSelection.joined([local, turned]).map(\.id)) == ["A", "B", "C"])
    }
}
