package import GodwitModel

/// What tests read from a report.
extension RunReport {
    /// The check of `verify` with this name.
    package func check(_ name: String) -> RunReport.Verify.Check? { verify?.checks.first { $0.name == name } }

    package var failedChecks: [String] { verify?.checks.filter { $0.verdict == .failed }.map(\.name) ?? [] }

    /// The copy's result for an entity.
    package func copied(_ name: String) -> RunReport.Copy.Entity? { copy?.entities.first { $0.name == name } }

    /// The ledger line for a legacy key.
    package func line(_ key: String) -> RunReport.Legacy.Key? { legacy?.ledger.first { $0.key == key } }

    package var warningCodes: [String] { warnings.map(\.code) }
}
