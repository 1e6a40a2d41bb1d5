import GodwitModel
import GodwitRender
import Foundation
import GodwitTestSupport
import Testing

/// Reports that were looked at by a person and committed: `Tests/Golden/reports`.
///
/// With GODWIT_UPDATE_EXPECTED=1 in the environment they are written again; look at the difference before the commit.
enum GoldenReport {
    /// The top of the repository.
    static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    static func expect(
        _ bytes: [UInt8], equals name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let form = name.split(separator: ".").last.map(String.init) ?? ""
        if ["json", "xml", "html"].contains(form) { try MadeReports.keep(bytes, as: form) }
        // A release changes the version in the foot of each page and nothing else.
        let text = String(decoding: bytes, as: UTF8.self)
            .replacingOccurrences(of: "by Godwit \(GodwitVersion.current)", with: "by Godwit VERSION")
        let path = root + "/Tests/Golden/reports/" + name
        if ProcessInfo.processInfo.environment["GODWIT_UPDATE_EXPECTED"] == "1" {
            try FileManager.default.createDirectory(
                atPath: root + "/Tests/Golden/reports", withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        let wanted = try String(contentsOfFile: path, encoding: .utf8)
        guard text != wanted else { return }
        let pairs = zip(text.components(separatedBy: "\n"), wanted.components(separatedBy: "\n"))
        let first = pairs.enumerated().first { $0.element.0 != $0.element.1 }
        Issue.record(
            """
            \(name) differs from line \((first?.offset ?? -1) + 1) on:
            expected: \(first?.element.1 ?? "another length")
            found:    \(first?.element.0 ?? "another length")
            """, sourceLocation: sourceLocation)
    }
}

extension Sample {
    /// A manifest's places as the command knows them, and past runs.
    static var setting: ReportSetting {
        ReportSetting(
            positions: ReportPositions(manifest), workspace: Workspace(current: "/checkout/app", root: "/checkout"),
            asOf: now,
            history: runs)
    }

    /// The part of the sample app's manifest that reports point at.
    static var manifest: Manifest {
        Manifest(
            app: "TrainLog", file: "godwit.yaml", sha256: "00",
            container: ContainerPaths(preferences: [preferences], local: localFile, cloud: cloudFile, syncEvents: nil),
            schemaDirectory: "../Migrations/trainlog",
            entities: [Entity(name: "Workout", key: "id"), Entity(name: "ExerciseSet", key: "id")],
            legacy: LegacyRules(
                settings: [SettingRule(key: "weightUnit", entity: "UserSettings", column: "weightUnitRaw")],
                favorites: [FavoritesRule(key: "favoriteExercises", entity: "FavoriteExercise", column: "exerciseId")]),
            copy: CopyRules(flag: "cloudMigrationDone"), export: ExportRules(), historyKept: 10,
            positions: [
                "legacy#key": SourcePosition(line: 27, column: 1),
                "legacy.settings[0]": SourcePosition(line: 29, column: 7),
                "legacy.favorites[0]": SourcePosition(line: 44, column: 7),
                "entities.Workout#key": SourcePosition(line: 21, column: 3),
                "entities.ExerciseSet#key": SourcePosition(line: 22, column: 3),
            ])
    }

    private static func hashed(_ schema: RunReport.Schema?) -> RunReport.Schema? {
        var schema = schema
        for index in schema?.applied.indices ?? 0..<0 {
            schema?.applied[index].checksum = "sha256-v1:" + String(repeating: "5f2c9a0e", count: 8)
        }
        return schema
    }

    /// Every stage, its hashes as long as hashes are, so that it fits the schema.
    static var writtenRun: RunReport {
        var report = fullRun()
        report.schema = hashed(report.schema)
        report.legacy?.sources[0].sha256 = String(repeating: "ab", count: 32)
        report.legacy?.ledger[2].items = ["migrated": 4, "rejected": 1]
        report.copy = mergingCopy
        report.copy?.schema = hashed(mergingCopy.schema)
        report.copy?.dates.future = ["Workout": 1]
        return report
    }

    /// The same of an import.
    static var writtenImport: RestoreReport {
        var report = imported
        report.schema = hashed(report.schema) ?? report.schema
        return report
    }

    /// An undo, which is no part of any other run.
    static var undoRun: RunReport {
        var report = report(.done, command: "undo")
        report.undo = undo
        return report
    }

    /// A run that left values behind, found duplicates in the cloud, and whose proof failed.
    static var troubledRun: RunReport {
        var report = fullRun()
        report.outcome = .failed
        report.legacy = RunReport.Legacy(
            outcome: .partial,
            sources: [RunReport.Legacy.Source(path: preferences, format: .xml, size: 900, sha256: nil, keyCount: 4)],
            ledger: [
                line(
                    "weightUnit", .conflict, into: "UserSettings.weightUnitRaw", note: "not in the value map",
                    from: "stone"),
                line("favoriteExercises", .unsupported, note: "a dictionary of dictionaries", items: ["rejected": 2]),
                line("soundOn", .migrated, into: "UserSettings.soundEnabled"), line("launchCount", .unmapped),
            ], inserted: ["UserSettings": 1])
        report.copy = mergingCopy
        report.verify = RunReport.Verify(checks: [
            RunReport.Verify.Check("integrity.local", .passed, "integrity_check found nothing"),
            RunReport.Verify.Check(
                "everyRecordInCloud.Workout", .failed, "3 records differ: A < B & \"C\"", count: 40,
                records: [
                    RunReport.Verify.Record("A < B", .missing), RunReport.Verify.Record("k\u{1b}[1m", .different),
                    RunReport.Verify.Record("w-3", .missing),
                ]),
            RunReport.Verify.Check("everyRecordInCloud.ExerciseSet", .failed, "1 record is missing", count: 600),
            RunReport.Verify.Check("flag", .skipped, "no flag is named"),
        ])
        return report
    }
}
