import Godwit
import GodwitFiles
package import GodwitModel

/// Any store with its log and journal, as `inspect` and `init` read it: no manifest says what to expect.
///
/// A store is described, or rejected with a suitable code; the originals keep their bytes and dates.
package enum InspectionCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) { _ = try outcome(of: bytes) }

    /// The report on a set, or why it is rejected; nil for an empty input.
    package static func outcome(of bytes: [UInt8]) throws(FuzzFinding) -> Result<InspectReport, GodwitError>? {
        guard let input = StoreSetInput(bytes) else { return nil }
        let bench = try StoreBench()
        try bench.write(input)
        let before = try bench.files()
        let outcome: Result<InspectReport, GodwitError>
        do throws(GodwitError) {
            outcome = .success(try Inspector(path: bench.store, options: options).inspect())
        } catch {
            try StoreSetCheck.check(error)
            outcome = .failure(error)
        }
        if case .success(let report) = outcome { try check(report) }
        try draft(bench.store, into: bench.drafts)
        let after = try bench.files()
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        try require(changed.isEmpty, "changed: \(changed.sorted())")
        return outcome
    }

    private static var options: InspectOptions {
        var options = InspectOptions()
        (options.now, options.lockTimeoutMilliseconds) = (.epoch, 0)
        return options
    }

    /// Checks a dry run of `init`: before it returns, the draft was read back as a manifest.
    private static func draft(_ path: String, into folder: String) throws(FuzzFinding) {
        let report: InitReport
        do throws(GodwitError) {
            report = try Inspector(path: path, options: options).writeManifest(
                into: folder, options: InitOptions(isDryRun: true))
        } catch {
            return try StoreSetCheck.check(error)
        }
        try require(!report.entities.isEmpty, "a draft without an entity")
        try require(PathText.real(folder) == nil, "a dry run that wrote something")
    }

    private static func check(_ report: InspectReport) throws(FuzzFinding) {
        for store in report.stores {
            for entity in store.entities {
                try require(entity.count >= 0, "\(entity.name) has \(entity.count) records")
                let names = entity.columns.map(\.name)
                try require(names.allSatisfy { !$0.isEmpty } || names.count == 1, "a column without a name")
            }
        }
    }
}
