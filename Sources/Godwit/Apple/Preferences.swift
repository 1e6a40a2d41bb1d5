internal import GodwitModel
package import GodwitPropertyList
#if canImport(Darwin)
    public import FoundationLite
#endif

/// How a run reads legacy values and sets the completion flag.
///
/// Inside an app use `userDefaults(_:suites:)`: the system caches the files of preferences, so an app does not see
/// changes in such a file, and may write the old file back.
public struct Preferences: Sendable {
    let domains: Result<[any PreferencesDomain], GodwitError>

    /// The files that the manifest names under `container.preferences`: for use from outside of the app.
    public static let files = Preferences([])

    /// Domains in place of their files; other files of the manifest come after them.
    package init(_ domains: [any PreferencesDomain]) { self.domains = .success(domains) }

    #if canImport(Darwin)
        /// The app's own `UserDefaults`, and those of suites such as App Groups.
        ///
        /// They take the place of the files `Library/Preferences/NAME.plist` of the manifest, in this order: the first one
        /// that has a key wins, and the first of all gets the flag. Registered defaults, arguments and
        /// the keys of the system are not read.
        ///
        /// - Parameters:
        ///   - standard: `UserDefaults.standard`.
        ///   - suites: names of suites, such as `group.com.example.trainlog`.
        ///
        /// `Migration.init` throws `GodwitError` 64 if `standard` is another object, if the process has no bundle identifier,
        /// or if the system has no suite of that name.
        public static func userDefaults(_ standard: UserDefaults = .standard, suites: [String] = []) -> Preferences {
            do throws(GodwitError) {
                var domains: [any PreferencesDomain] = [try UserDefaultsDomain(standard)]
                for suite in suites { domains.append(try UserDefaultsDomain(suite: suite)) }
                return Preferences(domains)
            } catch {
                return Preferences(fault: error)
            }
        }

        private init(fault: GodwitError) { domains = .failure(fault) }
    #endif
}
