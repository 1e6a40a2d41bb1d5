package import GodwitModel

extension SyncState {
    /// The latest error of the phases that are failed now, with its meaning; at equal times that of the earlier phase.
    package func lastErrorStatus(in language: MessageLanguage) -> StatusReport.SyncError? {
        var last: (phase: SyncPhase, ended: Instant, error: SyncError)?
        for phase in SyncPhase.allCases {
            guard let failure = self[phase].failure else { continue }
            if let known = last, known.ended >= failure.ended { continue }
            last = (phase, failure.ended, failure.error)
        }
        return last.map { StatusReport.SyncError($0.error, of: $0.phase, at: $0.ended, in: language) }
    }
}

extension StatusReport.SyncError {
    init(_ error: SyncError, of phase: SyncPhase, at ended: Instant, in language: MessageLanguage) {
        let advice = CloudErrorGuide.advice(on: error)
        // The description omits characters that a domain cannot have, and ends with the code.
        let domain = error.description.dropLast(" \(error.code)".count)
        self.init(
            phase: phase.rawValue, at: ended, domain: String(domain), code: error.code, name: advice.name,
            category: advice.category.rawValue, message: advice.message.text(in: language),
            nextStep: advice.nextStep.text(in: language), retry: advice.retry.rawValue,
            needsSignIn: advice.needsSignIn)
    }
}
