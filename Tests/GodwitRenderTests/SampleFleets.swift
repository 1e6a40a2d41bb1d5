import GodwitModel
import FoundationLite

/// Fleets of runs and exports for tests.
extension Sample {
    /// A report of these containers.
    static func made(of entries: [FleetEntry], command: FleetCommand = .run) -> FleetReport {
        FleetReport(
            command: command, app: "TrainLog", folder: "backups/*/AppData", godwitVersion: "0.1.0", startedAt: now,
            durationMilliseconds: 3_100, containers: entries)
    }

    /// Every verdict that a run can have.
    static func runFleet(dryRun: Bool = false) -> FleetReport {
        func entry(_ name: String, _ outcome: Outcome, _ checks: RunReport.Verify?, _ time: Int64) -> FleetEntry {
            var run = Self.report(outcome)
            run.verify = checks
            var entry = FleetEntry(container: name, command: .run, report: run)
            entry.durationMilliseconds = time
            return entry
        }
        let bad = RunReport.Verify(checks: [
            RunReport.Verify.Check("integrity.local", .passed, ""),
            RunReport.Verify.Check(
                "flagMatchesReceipt", .failed, "the flag is set, but no cloud store has a receipt", count: 1),
        ])
        var report = made(of: [
            entry("long/name", .healed, verify, 1_900), entry("a", .done, verify, 412),
            entry("b", .nothingToDo, nil, 9),
            entry("c", .partial, verify, 300), broken("d"), entry("e", .done, bad, 77),
        ])
        report.dryRun = dryRun
        return report
    }

    /// A container that could not be run.
    static func broken(_ name: String) -> FleetEntry {
        FleetEntry(
            container: name, command: .run,
            error: GodwitError(.container, .data, "TrainLog.store is damaged", hint: "Restore it."))
    }

    /// Every verdict that an export can have.
    static var exportFleet: FleetReport {
        var (new, same) = (export(), export())
        new.file = "out/a/TrainLog.json"
        (same.file, same.unchangedSince) = (nil, "out/b/old.json")
        let error = GodwitError(.container, .busy, "another run holds the lock on `c`")
        var report = made(
            of: [
                FleetEntry(container: "a", report: new), FleetEntry(container: "b", report: same),
                FleetEntry(container: "c", command: .export, error: error),
            ], command: .export)
        (report.folder, report.durationMilliseconds) = ("-", 41)
        return report
    }

    /// So many containers that were done, the later ones slower; the first failed.
    static func many(_ count: Int) -> FleetReport {
        made(
            of: (0..<count).map { number in
                let digits = String(number)
                let name = "c" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                guard number > 0 else { return broken(name) }
                var entry = FleetEntry(container: name, command: .run, report: Self.report(.done))
                entry.durationMilliseconds = Int64(number) * 1_000
                return entry
            })
    }

    /// A fleet's report, as `merge-reports` reads it.
    static func decoded(_ bytes: [UInt8]) throws -> FleetReport {
        try JSONDecoder().decode(FleetReport.self, from: Data(bytes))
    }
}
