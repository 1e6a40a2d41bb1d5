internal import GodwitDedupe
internal import GodwitModel
internal import GodwitSQLite

/// Warnings about duplicates: those that seem to be none, and references to them that nothing names.
extension Advice {
    /// The warnings about the duplicates of this run.
    static func dedupeWarnings(_ report: RunReport) -> [Warning] {
        var found: [UnnamedReference] = []
        let all = [
            report.dedupe?.unnamedReferences, report.copy?.dedupe?.unnamedReferences, report.copy?.unnamedReferences,
        ]
        for reference in all.compactMap(\.self).joined() where !found.contains(reference) { found.append(reference) }
        let unlike = [
            report.dedupe?.unlikeDuplicates, report.copy?.dedupe?.unlikeDuplicates, report.copy?.unlikeDuplicates,
        ]
        return found.map(\.warning) + unlike.compactMap(\.self).joined().map(\.warning)
    }

    /// Records that an earlier run set aside by a key that the manifest no longer has, in either store.
    ///
    /// A ledger that cannot be read does not fail the run: `verify` reports it.
    func strandedDuplicates(_ after: ContainerSurvey) -> [Warning] {
        strandedRecords(after).map { stranded, needsUndo in
            let commands = wayBack(of: stranded, needsUndo: needsUndo, after).map(\.command)
            return Warning(
                "setAsideByOtherKey", stranded.sentence,
                hint: "Bring them back: \(commands.joined(separator: ", then "))"
            )
        }
    }

    /// The way back to the first of these records, a step for each command; empty if there are none.
    func stepsBackToStrandedDuplicates(_ after: ContainerSurvey) -> [String] {
        guard let first = strandedRecords(after).first else { return [] }
        return wayBack(of: first.stranded, needsUndo: first.needsUndo, after).map { "\($0.purpose): \($0.command)" }
    }

    private func wayBack(
        of stranded: StrandedDuplicates, needsUndo: Bool, _ after: ContainerSurvey
    ) -> [(purpose: String, command: String)] {
        let undo = ("Put the records back", scope.commandLine("dedupe", "--undo", stranded.run))
        let reopen = ("Make the copy pending again", scope.commandLine("reopen", "--all"))
        let run = ("Copy the records", scope.commandLine("run"))
        let copy = after.isFlagSet ? [reopen, run] : needsUndo ? [] : [run]
        return (needsUndo ? [undo] : []) + copy
    }

    private func strandedRecords(_ after: ContainerSurvey) -> [(stranded: StrandedDuplicates, needsUndo: Bool)] {
        var found: [(stranded: StrandedDuplicates, needsUndo: Bool)] = []
        if after.hasLocal, !isCoreData { found = stranded(in: .local).map { ($0, true) } }
        guard after.hasCloud else { return found }
        for stranded in stranded(in: .cloud)
        where !found.contains(where: { $0.stranded.entity == stranded.entity && $0.stranded.run == stranded.run }) {
            // Those of the local store are back there.
            found.append((stranded, !(stranded.isCarried && after.hasLocal)))
        }
        return found
    }
}

extension Advice {
    private func stranded(in role: StoreRole) -> [StrandedDuplicates] {
        guard let store = try? stores.snapshot(role, .container).connection else { return [] }
        return (try? StrandedDuplicates.all(of: manifest, in: store)) ?? []
    }
}

extension StrandedDuplicates {
    /// The number of records and their entity.
    var sentence: String {
        let what = count == 1 ? "a duplicate" : "duplicates"
        let records = count.counted("`\(entity)` record")
        return "\(records) that an earlier run set aside as \(what), and whose `\(key)` no record has now: the "
            + "manifest named another key then"
    }
}
