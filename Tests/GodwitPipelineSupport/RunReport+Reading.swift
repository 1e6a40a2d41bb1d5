package import GodwitModel

/// What tests ask of a report.
extension RunReport {
    /// A check of `verify` by name.
    package func check(_ name: String) -> VerifiedCheck? { verify?.checks.first { $0.name == name } }

    /// Names of the checks that failed.
    package var failedChecks: [String] { verify?.checks.filter { $0.verdict == .failed }.map(\.name) ?? [] }

    /// What became of an entity in the copy.
    package func copied(_ name: String) -> CopiedEntity? { copy?.entities.first { $0.name == name } }

    /// A line of the legacy ledger.
    package func line(_ key: String) -> LedgerLine? { legacy?.ledger.first { $0.key == key } }

    /// Codes of the warnings.
    package var warningCodes: [String] { warnings.map(\.code) }
}
