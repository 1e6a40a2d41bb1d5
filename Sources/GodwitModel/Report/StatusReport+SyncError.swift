extension StatusReport {
    /// The last error of a sync and its meaning for the user.
    package struct SyncError: Sendable, Codable, Equatable {
        /// The phase that failed: `setup`, `import` or `export`.
        package var phase: String
        /// When it failed.
        package var at: Instant
        /// The domain, such as `CKErrorDomain`; ASCII, at most 80 characters.
        package var domain: String
        /// The code, unique inside its domain.
        package var code: Int
        /// The code's name in Apple's documentation, such as `quotaExceeded`; `unknown` for an undocumented code.
        package var name: String
        /// The kind of error: `network`, `quota`, `account` and so on.
        package var category: String
        /// What happened, in one sentence in the requested language.
        package var message: String
        /// What to do next, in the requested language.
        package var nextStep: String
        /// Whether and when the same request can succeed: `automatic`, `afterNextStep` or `never`.
        package var retry: String
        /// Whether signing in or confirming the account would help.
        package var needsSignIn: Bool

        /// An error.
        package init(
            phase: String, at: Instant, domain: String, code: Int, name: String, category: String, message: String,
            nextStep: String, retry: String, needsSignIn: Bool
        ) {
            (self.phase, self.at, self.domain, self.code) = (phase, at, domain, code)
            (self.name, self.category, self.message, self.nextStep) = (name, category, message, nextStep)
            (self.retry, self.needsSignIn) = (retry, needsSignIn)
        }
    }
}
