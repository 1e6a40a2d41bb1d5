extension Manifest {
    /// The CloudKit environment with which a cloud store is synced; an app has other data in each of the two.
    ///
    /// Source: Apple,
    /// <https://developer.apple.com/documentation/cloudkit/managing-icloud-containers-with-cloudkit-database-app>.
    public enum Environment: String, Sendable, Codable, CaseIterable {
        /// Builds that run from Xcode.
        case development
        /// Builds from TestFlight and the App Store.
        case production

        /// Whether data of two stores or exports may be combined; an unknown environment is accepted.
        package static func mayMeet(_ a: Manifest.Environment?, _ b: Manifest.Environment?) -> Bool {
            guard let a, let b else { return true }
            return a == b
        }
    }
}

extension Manifest.Environment? {
    /// The name for messages.
    package var named: String { self?.rawValue ?? "no known environment" }
}
