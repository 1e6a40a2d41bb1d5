import GodwitModel
import GodwitRender
import Testing

/// What a comparison with an expectation, and a whole fleet, look like.
struct ExpectationReportTextTests {
    private func text(_ expectation: ExpectationReport) -> String {
        var report = Sample.fullRun(dryRun: true)
        report.expectation = expectation
        return report.text(TextStyle(width: 120))
    }

    @Test("a difference is shown with the part it is in, and lines around it")
    func differs() {
        let text = text(Sample.differing)
        #expect(
            text.contains(
                """
                ✗ expect   not as expected/a.json says; lines with - are expected, lines with + were found
                    counts.cloud
                        "Set": 6
                      - "Workout": 4
                      + "Workout": 5
                    whole file
                      - "activeStore": "local"
                    • 12 more lines differ
                    • legacy.keys is not compared: the import was done by an earlier run

                """))
    }

    @Test(
        "every other verdict is one line",
        arguments: zip(
            ExpectationVerdict.allCases,
            [
                "✓ expect   as e.json says\n", "",
                "→ expect   written to e.json: read what changed before you commit it\n",
                "✓ expect   e.json says so already\n",
            ]))
    func verdicts(_ verdict: ExpectationVerdict, _ line: String) {
        guard verdict != .differs else { return }
        #expect(text(ExpectationReport(file: "e.json", verdict: verdict)).contains(line))
    }

    @Test("the last line says first that an expectation is not met", arguments: ExpectationVerdict.allCases)
    func closing(_ verdict: ExpectationVerdict) throws {
        let last = try #require(
            text(ExpectationReport(file: "e.json", verdict: verdict)).split(separator: "\n").last)
        #expect(last.contains("Planned in"))
        #expect(last.hasPrefix("✗ Not as expected. ") == (verdict == .differs))
    }

    @Test("passed checks count as passed if only the expectation differs")
    func passedButDifferent() {
        var fleet = Sample.fleet
        fleet.containers[1].failed = []
        #expect(fleet.text(TextStyle(width: 120)).contains("✗ b/long: 1 check passed, not as expected\n"))
    }

    @Test("a fleet has a line for each container, what is wrong below it, and the sums at the end")
    func fleet() {
        #expect(
            Sample.fleet.text(TextStyle(width: 120)) == """
                godwit verify: TrainLog, all containers of fleet

                ✓ a:      2 checks passed
                    ! 2 records of Workout are dated in the future; Godwit compares these dates as they are
                      → Check the clock of the device that wrote them; they took part as they are.
                ✗ b/long: 1 of 2 checks failed, not as expected
                    ✗ flagMatchesReceipt the flag is set, but no cloud store has a receipt
                    ✗ expect   not as expected/a.json says; lines with - are expected, lines with + were found
                        counts.cloud
                            "Set": 6
                          - "Workout": 4
                          + "Workout": 5
                        whole file
                          - "activeStore": "local"
                        • 12 more lines differ
                        • legacy.keys is not compared: the import was done by an earlier run
                    ! 2 records of Workout are dated in the future; Godwit compares these dates as they are
                      → Check the clock of the device that wrote them; they took part as they are.
                ! c:      can't be verified
                    another run holds the lock on `c` (75)
                    → Wait for it to end.

                ✗ 3 containers: 1 passed, 1 failed, 1 can't be verified, 2 with warnings in 41 ms.

                """)
    }

    @Test("names of containers and lines of a file can't steer a terminal")
    func hostile() {
        var fleet = Sample.fleet
        fleet.folder = "\u{1B}[2J"
        for index in fleet.containers.indices {
            fleet.containers[index].container = "\u{1B}]0;x\u{7}\u{202E}"
            fleet.containers[index].error?.message = "\u{9B}31m"
            fleet.containers[index].expectation?.differences = [ExpectedLine(.found, part: "\u{1B}[1m", "\u{1B}c\r")]
        }
        let text = fleet.text(TextStyle())
        let bad: Set<UInt32> = [0x1B, 0x7, 0x9B, 0x202E, 0x0D]
        #expect(!text.unicodeScalars.contains { bad.contains($0.value) })
    }
}

extension Sample {
    /// A comparison that found differences.
    static let differing = ExpectationReport(
        file: "expected/a.json", verdict: .differs,
        differences: [
            ExpectedLine(.same, part: "counts.cloud", "\"Set\": 6"),
            ExpectedLine(.expected, part: "counts.cloud", "\"Workout\": 4"),
            ExpectedLine(.found, part: "counts.cloud", "\"Workout\": 5"),
            ExpectedLine(.expected, part: "", "\"activeStore\": \"local\""),
        ], omitted: 12, notCompared: ["legacy.keys"])

    /// What decided a dry run.
    static let basis = PlanBasis(
        inputs: [
            PlanInput(
                .preferences, "Library/Preferences/a.plist", exists: true, size: 3, sha256: "00", modifiedAt: now),
            PlanInput(.option, "--strict", value: "true"),
        ], inputsSha256: "01")

    /// Three containers, one of each verdict.
    static var fleet: FleetReport {
        var good = fullRun()
        good.verify = RunReport.Verify(checks: [
            RunReport.Verify.Check("integrity.local", .passed, ""),
            RunReport.Verify.Check("integrity.cloud", .passed, ""),
        ])
        var bad = good
        bad.verify = RunReport.Verify(checks: [
            RunReport.Verify.Check("integrity.local", .passed, ""),
            RunReport.Verify.Check(
                "flagMatchesReceipt", .failed, "the flag is set, but no cloud store has a receipt", count: 1),
        ])
        bad.expectation = differing
        let error = GodwitError(.container, .busy, "another run holds the lock on `c`", hint: "Wait for it to end.")
        return FleetReport(
            command: .verify, app: "TrainLog", folder: "fleet", godwitVersion: "0.1.0", startedAt: now,
            durationMilliseconds: 41,
            containers: [
                FleetEntry(container: "a", report: good), FleetEntry(container: "b/long", report: bad),
                FleetEntry(container: "c", error: error),
            ])
    }
}
