import GodwitModel
import GodwitExport
import GodwitTestSupport
import Testing

/// The names of exports in a folder.
struct ExportNameTests {
    private static let time = Instant.sampleNow

    /// App, selection, whether it is an increment, lines, compressed, and the name.
    static let names: [(String, [String]?, Bool, Bool, Bool, String)] = [
        ("TrainLog", nil, false, false, false, "TrainLog-2026-11-21T060000Z.json"),
        ("TrainLog", nil, false, true, false, "TrainLog-2026-11-21T060000Z.jsonl"),
        ("TrainLog", nil, false, true, true, "TrainLog-2026-11-21T060000Z.jsonl.gz"),
        ("TrainLog", ["Workout"], false, false, true, "TrainLog-Workout-2026-11-21T060000Z.json.gz"),
        ("TrainLog", ["A", "B"], true, false, false, "TrainLog-A+B-since-2026-11-21T060000Z.json"),
        ("My App: 2", nil, false, false, false, "My-App-2-2026-11-21T060000Z.json"),
        ("../../etc/passwd", nil, false, false, false, "etc-passwd-2026-11-21T060000Z.json"),
        ("日記", nil, false, false, false, "export-2026-11-21T060000Z.json"),
        (".hidden", nil, false, false, false, "hidden-2026-11-21T060000Z.json"),
        ("latest", nil, false, false, false, "latest-2026-11-21T060000Z.json"),
        ("", nil, false, false, false, "export-2026-11-21T060000Z.json"),
    ]

    @Test("an export's name has app, entities and time, without unsafe characters", arguments: names)
    func name(_ app: String, _ selection: [String]?, _ isIncrement: Bool, _ lines: Bool, _ gzip: Bool, _ name: String) {
        let made = ExportName(
            app: app, selection: selection, isIncrement: isIncrement, layout: lines ? .lines : .document, isPacked: gzip
        )
        #expect(made.name(at: Self.time) == name)
    }

    @Test("several exports of one second have different names, and names stay short")
    func numbers() {
        let name = ExportName(app: String(repeating: "x", count: 400), layout: .document, isPacked: false)
        #expect(name.name(at: Self.time, number: 2).hasSuffix("xx-2026-11-21T060000Z-2.json"))
        #expect(name.name(at: Self.time, number: 1000).utf8.count < 100)
    }

    @Test("names sorted as text are sorted by time")
    func order() {
        let name = ExportName(app: "A", layout: .document, isPacked: false)
        let names = [0, 1, 59, 3600, 86_400, 40 * 86_400].map { name.name(at: Self.time.advanced(bySeconds: $0)) }
        #expect(names == names.sorted() && Set(names).count == names.count)
    }

    @Test("the link is named latest, with the entities for a selection")
    func latest() {
        #expect(ExportName.latest(selection: nil) == "latest")
        #expect(ExportName.latest(selection: ["Workout", "Exercise-Set_2"]) == "latest-Workout+Exercise-Set_2")
        #expect(ExportName.latest(selection: ["Workout", "A/B"]) == "latest-Workout+A-B-2bedd7b9")
        #expect(ExportName.latest(selection: ["体重"]) == "latest-export-38f7c7e2")
    }

    private static let long = String(repeating: "x", count: 60)

    /// Selections that would get the same name if only their safe characters counted, up to 60 bytes.
    static let alike: [[[String]]] = [
        [["体重"], ["睡眠"], ["体重", "睡眠"], ["export"], ["/"]],
        [["A B"], ["A/B"], ["A-B"], ["A--B"], ["-A-B"], ["A-B "]],
        [["A", "B"], ["A+B"], ["A", "B", ""]],
        [["\u{E9}a"], ["e\u{301}a"], ["ea"], ["a"]],
        [[long], [long + "x"], [long + "y"], [long, "A"], [long, "B"]],
    ]

    @Test("no two selections have one name, and names stay short", arguments: alike)
    func selections(_ selections: [[String]]) {
        let links = selections.map { ExportName.latest(selection: $0) }
        #expect(Set(links).count == links.count, "\(links)")
        let stems = selections.map {
            ExportName(app: "A", selection: $0, layout: .document, isPacked: false).stem
        }
        #expect(Set(stems).count == stems.count, "\(stems)")
        #expect(links.allSatisfy { $0.utf8.count <= "latest-".utf8.count + 60 }, "\(links)")
    }
}
