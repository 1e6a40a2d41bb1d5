#if canImport(Darwin)
    package import FoundationLite
    package import GodwitModel
    internal import GodwitPropertyList

    /// A domain of `UserDefaults`.
    ///
    /// `@unchecked Sendable`: "The UserDefaults class is thread-safe"
    /// (<https://developer.apple.com/documentation/foundation/userdefaults>).
    package struct UserDefaultsDomain: PreferencesDomain, @unchecked Sendable {
        package let name: String
        private let defaults: UserDefaults

        /// The app's own domain.
        package init(_ standard: UserDefaults) throws(GodwitError) {
            guard standard === UserDefaults.standard else {
                throw GodwitError(
                    .container, .usage, "the first preferences are not `UserDefaults.standard`",
                    hint: "Name other domains in `suites`.")
            }
            guard let name = Bundle.main.bundleIdentifier else {
                throw GodwitError(
                    .container, .usage, "this process has no bundle identifier, so it has no preferences of its own",
                    hint: "Use the preferences as files.")
            }
            (self.name, defaults) = (name, standard)
        }

        /// The domain of a suite; the system gives none for the app's own identifier and for the global domain.
        package init(suite name: String) throws(GodwitError) {
            guard !name.isEmpty, !name.contains("/"), let defaults = UserDefaults(suiteName: name) else {
                throw GodwitError(
                    .container, .usage, "no preferences of the suite `\(name)`",
                    hint: "Name an App Group of the app, or another suite.")
            }
            (self.name, self.defaults) = (name, defaults)
        }

        /// One persistent domain: `dictionaryRepresentation()` would also have the keys of the system and of arguments.
        ///
        /// The bytes come from Apple's own writer, which distinguishes booleans from numbers by their type (`CFBooleanGetTypeID`):
        /// `NSNumber` answers to both `Bool` and `Int`.
        package func propertyList() throws(GodwitError) -> [UInt8]? {
            guard let values = defaults.persistentDomain(forName: name), !values.isEmpty else { return nil }
            do {
                return Array(try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
            } catch {
                throw failure("can't be read", error)
            }
        }

        package func set(_ flag: Bool, forKey key: String) throws(GodwitError) { defaults.set(flag, forKey: key) }

        package func set(_ keys: [String], from propertyList: [UInt8]?) throws(GodwitError) {
            let values = try propertyList.map { bytes throws(GodwitError) in try entries(bytes) } ?? [:]
            for key in keys {
                if let value = values[key] {
                    defaults.set(value, forKey: key)
                } else {
                    defaults.removeObject(forKey: key)
                }
            }
        }

        /// The daemon would get the changes anyway, but perhaps only after this process was killed.
        package func synchronize() { defaults.synchronize() }

        private func entries(_ bytes: [UInt8]) throws(GodwitError) -> [String: Any] {
            do {
                let values = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
                return values as? [String: Any] ?? [:]
            } catch {
                throw failure("can't be set", error)
            }
        }

        private func failure(_ what: String, _ error: any Error) -> GodwitError {
            GodwitError(
                .legacy, .data, "the preferences `\(name)` \(what)", hint: "Start the app again, then run again.",
                underlying: "\(error)")
        }
    }
#endif
