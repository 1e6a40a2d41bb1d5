package import GodwitModel

extension SyncState {
    /// The error that ended last, of the phases that stand failed now, explained; of two at one time the earlier phase's.
    package func lastErrorStatus(in language: MessageLanguage) -> SyncErrorStatus? {
        var last: (phase: SyncPhase, ended: Instant, error: SyncError)?
        for phase in SyncPhase.allCases {
            guard let failure = self[phase].failure else { continue }
            if let known = last, known.ended >= failure.ended { continue }
            last = (phase, failure.ended, failure.error)
        }
        return last.map { SyncErrorStatus($0.error, of: $0.phase, at: $0.ended, in: language) }
    }
}

extension SyncErrorStatus {
    /// An error as the guide explains it.
    init(_ error: SyncError, of phase: SyncPhase, at ended: Instant, in language: MessageLanguage) {
        let advice = CloudErrorGuide.advice(on: error)
        // The description leaves out what can't be part of a domain's name, and ends with the code.
        let domain = error.description.dropLast(" \(error.code)".count)
        self.init(
            phase: phase.rawValue, at: ended, domain: String(domain), code: error.code, name: advice.name,
            category: advice.category.rawValue, message: advice.message.text(in: language),
            nextStep: advice.nextStep.text(in: language), retry: advice.retry.rawValue,
            needsSignIn: advice.needsSignIn)
    }
}
