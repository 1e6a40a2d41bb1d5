/// The last error of a sync, with what it means for the person in front of it.
public struct SyncErrorStatus: Sendable, Codable, Equatable {
    /// `setup`, `import` or `export`: what failed.
    public var phase: String
    /// When it failed.
    public var at: Instant
    /// The domain, such as `CKErrorDomain`; ASCII, at most 80 characters.
    public var domain: String
    /// The code, unique inside its domain.
    public var code: Int
    /// The code's name in Apple's documentation, such as `quotaExceeded`; `unknown` where it is in no guide.
    public var name: String
    /// The kind of trouble: `network`, `quota`, `account` and so on.
    public var category: String
    /// What happened, in one sentence, in the language asked for.
    public var message: String
    /// What to do about it, in the language asked for.
    public var nextStep: String
    /// Whether and when the same request may succeed: `automatic`, `afterNextStep` or `never`.
    public var retry: String
    /// Whether signing in, or confirming the account, would help.
    public var needsSignIn: Bool

    /// An error.
    public init(
        phase: String, at: Instant, domain: String, code: Int, name: String, category: String, message: String,
        nextStep: String, retry: String, needsSignIn: Bool
    ) {
        self.phase = phase
        self.at = at
        self.domain = domain
        self.code = code
        self.name = name
        self.category = category
        self.message = message
        self.nextStep = nextStep
        self.retry = retry
        self.needsSignIn = needsSignIn
    }
}
