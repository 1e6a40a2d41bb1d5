internal import GodwitDedupe
internal import GodwitModel
internal import GodwitSQLite

/// Warnings about duplicates: those that seem to be none, and references to them that nothing names.
extension Advice {
    /// What a dedupe of this run found.
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

    /// Records that an earlier run set aside by another key than that of the manifest, in either store.
    func strandedDuplicates(_ after: ContainerSurvey) throws(GodwitError) -> [Warning] {
        var found: [StrandedDuplicates] = []
        for role in [StoreRole.local, .cloud] where role == .local ? after.hasLocal && !isCoreData : after.hasCloud {
            let store = try stores.snapshot(role, .container).connection
            found += try StrandedDuplicates.all(of: manifest, in: store).filter { !found.contains($0) }
        }
        return found.map { stranded in
            let undo = scope.commandLine("dedupe", "--undo", stranded.run)
            return Warning(
                "setAsideByOtherKey", stranded.sentence,
                hint: after.isFlagSet
                    ? "Bring them back: \(undo), then \(scope.commandLine("reopen", "--all")), then "
                        + "\(scope.commandLine("run"))." : "Bring them back: \(undo).")
        }
    }
}

extension StrandedDuplicates {
    /// How many there are, and of what.
    var sentence: String {
        let (what, have) = count == 1 ? ("a duplicate", "has") : ("duplicates", "have")
        let records = count.counted("`\(entity)` record")
        return "\(records) that an earlier run set aside as \(what) \(have) a `\(key)` that no record has now: the "
            + "manifest named another key then"
    }
}
