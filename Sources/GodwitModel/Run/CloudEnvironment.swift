/// Which of CloudKit's two environments a cloud store is synced with: the same app has other data in each.
///
/// Source: Apple, <https://developer.apple.com/documentation/cloudkit/managing-icloud-containers-with-cloudkit-database-app>.
public enum CloudEnvironment: String, Sendable, Codable, CaseIterable {
    /// Of builds that run from Xcode.
    case development
    /// Of what TestFlight and the App Store deliver.
    case production

    /// Whether what is known of two stores or documents lets their data meet; what is not known passes.
    package static func mayMeet(_ a: CloudEnvironment?, _ b: CloudEnvironment?) -> Bool {
        guard let a, let b else { return true }
        return a == b
    }
}

extension CloudEnvironment? {
    /// As messages have it.
    package var named: String { self?.rawValue ?? "no known environment" }
}
