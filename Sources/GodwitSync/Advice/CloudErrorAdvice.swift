/// The meaning of a sync error for the user.
package struct CloudErrorAdvice: Sendable, Hashable {
    /// The code's name in Apple's documentation; Godwit's own name if it has none.
    package let name: String
    package let category: CloudErrorCategory
    /// What happened, in one sentence.
    package let message: LocalizedText
    package let step: CloudErrorStep
    /// Whether and when the same request can succeed.
    package let retry: Retryability

    /// Whether trying again may help, now or after the next step.
    package var canRetry: Bool { retry != .never }
    /// Whether signing in or confirming the account would help.
    package var needsSignIn: Bool { step == .signIn }
    package var nextStep: LocalizedText { step.text }

    init(
        _ name: String, _ category: CloudErrorCategory, _ retry: Retryability, _ step: CloudErrorStep, en: String,
        ja: String
    ) {
        (self.name, self.category, self.retry, self.step) = (name, category, retry, step)
        message = LocalizedText(en: en, ja: ja)
    }
}

/// Kinds of sync errors; stable codes for programs.
package enum CloudErrorCategory: String, Sendable, CaseIterable {
    /// The cloud cannot be reached.
    case network
    /// The cloud is busy.
    case service
    case account
    /// No space left in the cloud.
    case quota
    /// An action that the user is not allowed.
    case permission
    /// The configuration of the app or container; only the developer can change it.
    case configuration
    /// The app's version is too old.
    case appVersion
    /// Two devices changed the same record.
    case conflict
    /// The cloud does not have the item, or no longer has it.
    case missing
    /// A file of a record.
    case asset
    case sharing
    /// Some of several items failed, or there were too many items.
    case batch
    case cancelled
    /// An error in the cloud's own software.
    case `internal`
    case unknown
}

/// Whether and when a failed sync can succeed.
package enum Retryability: String, Sendable, CaseIterable {
    /// The system tries again by itself.
    case automatic
    /// After the user does the next step.
    case afterNextStep
    /// Never with this version of the app and this account.
    case never
}
