internal import GodwitLedger
internal import GodwitModel

/// The CloudKit environment that a store's receipt names: whose data is in that store.
struct RecordedEnvironment: Sendable {
    let role: StoreRole
    /// The store, as reports show it.
    let file: String
    let stage: GodwitError.Stage
    /// The receipt's own word; one that this version does not know is another environment, too.
    let word: String

    /// Nil if there is no receipt, or it names none.
    init?(_ receipt: Receipt?, in files: ContainerFiles, _ role: StoreRole) {
        guard let receipt, let word = receipt.recordedEnvironment else { return nil }
        (self.role, self.stage, self.word) = (role, receipt.stage, word)
        file = files[role].name
    }
}

/// Stores of different environments are never merged: records of a test would become records of users, and go to all of
/// their devices.
extension ContainerSurvey {
    /// The conflict with the manifest, or with another receipt if the manifest names no environment; nil if there is
    /// none.
    ///
    /// The sentence names the store. An unknown environment is not a conflict.
    func environmentConflict(_ manifest: Manifest) -> String? {
        let first = environments.first
        guard let wanted = manifest.environment?.rawValue ?? first?.word,
            let other = environments.first(where: { !$0.word.utf8.elementsEqual(wanted.utf8) })
        else { return nil }
        let found =
            "`\(other.file)` has a \(other.stage.rawValue) receipt for the CloudKit environment '\(other.shown)'"
        guard manifest.environment == nil, let first else { return "\(found), but the manifest is for '\(wanted)'" }
        return "\(found), and `\(first.file)` one for '\(first.shown)'"
    }

    /// The same as a warning, for commands that only look.
    func environmentWarnings(_ manifest: Manifest) -> [Warning] {
        guard let conflict = environmentConflict(manifest) else { return [] }
        return [Warning("otherEnvironment", conflict, hint: Self.environmentHint)]
    }

    fileprivate static var environmentHint: String {
        "Use the manifest of that environment, or another container: Godwit never merges data of two "
            + "environments."
    }

    /// The environment of a store's data: what its receipts name, else what the manifest says.
    func environment(of role: StoreRole, _ manifest: Manifest) -> Manifest.Environment? {
        guard let recorded = environments.first(where: { $0.role == role }) else { return manifest.environment }
        return Manifest.Environment(rawValue: recorded.word)
    }

    /// Whether and how receipts and manifest agree, as a check; nil if none of them names an environment.
    func environmentCheck(_ manifest: Manifest) -> RunReport.Verify.Check? {
        let label = "environment"
        if let conflict = environmentConflict(manifest) { return RunReport.Verify.Check(label, .failed, conflict) }
        switch (manifest.environment, environments.first) {
        case (nil, nil): return nil
        case (nil, let recorded?):
            return RunReport.Verify.Check(
                label, .skipped, "receipts are for '\(recorded.shown)', the manifest names none")
        case (let wanted?, nil):
            return RunReport.Verify.Check(
                label, .skipped, "the manifest is for '\(wanted.rawValue)', no receipt names one")
        case (let wanted?, _?):
            return RunReport.Verify.Check(label, .passed, "manifest and receipts are for '\(wanted.rawValue)'")
        }
    }
}

extension RecordedEnvironment {
    /// The word, no longer than helps: it is read from a store.
    fileprivate var shown: String { String(String.UnicodeScalarView(word.unicodeScalars.prefix(40))) }
}

extension Admission {
    /// Throws (65) if the container has data of another environment than the manifest's, before anything is written.
    func requireOneEnvironment(for command: Command, _ survey: ContainerSurvey) throws(GodwitError) {
        guard command.writes, let conflict = survey.environmentConflict(manifest) else { return }
        throw GodwitError(
            .container, .data, "\(conflict); nothing was written", hint: ContainerSurvey.environmentHint)
    }
}
