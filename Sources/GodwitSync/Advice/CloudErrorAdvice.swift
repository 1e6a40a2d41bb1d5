/// What an error of a sync means for the person in front of it.
package struct CloudErrorAdvice: Sendable, Hashable {
    /// The code's name in Apple's documentation, or of ours where the error has none there.
    package let name: String
    /// What kind of trouble it is.
    package let category: CloudErrorCategory
    /// What happened, in one sentence.
    package let message: LocalizedText
    /// What to do about it.
    package let step: CloudErrorStep
    /// Whether and when the same request may succeed.
    package let retry: Retryability

    /// Whether trying again may help, at once or after the next step.
    package var canRetry: Bool { retry != .never }
    /// Whether signing in, or confirming the account, would help.
    package var needsSignIn: Bool { step == .signIn }
    /// What to do next, in one sentence.
    package var nextStep: LocalizedText { step.text }

    init(
        _ name: String, _ category: CloudErrorCategory, _ retry: Retryability, _ step: CloudErrorStep, en: String,
        ja: String
    ) {
        self.name = name
        self.category = category
        self.retry = retry
        self.step = step
        message = LocalizedText(en: en, ja: ja)
    }
}

/// Kinds of trouble with a sync; stable words for programs.
package enum CloudErrorCategory: String, Sendable, CaseIterable {
    /// The cloud can't be reached.
    case network
    /// The cloud is there, but busy.
    case service
    /// The account.
    case account
    /// No space left in the cloud.
    case quota
    /// Something the user may not do.
    case permission
    /// The app's or container's set-up; only its developer can change it.
    case configuration
    /// The app is too old.
    case appVersion
    /// Two devices changed the same.
    case conflict
    /// Something the cloud does not have, or has no longer.
    case missing
    /// A file that belongs to a record.
    case asset
    /// A share with others.
    case sharing
    /// Some of several items, or too many of them.
    case batch
    /// Stopped before its end.
    case cancelled
    /// An error inside the cloud's own software.
    case `internal`
    /// Not in the guide.
    case unknown
}

/// Whether and when a failed sync may succeed.
package enum Retryability: String, Sendable, CaseIterable {
    /// By itself, after a while; the system tries again.
    case automatic
    /// Once the next step has been done.
    case afterNextStep
    /// Not with this version of the app and this account.
    case never
}
