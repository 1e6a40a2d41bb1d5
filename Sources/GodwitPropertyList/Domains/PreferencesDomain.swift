internal import GodwitFiles
package import GodwitModel

/// One persistent domain of a preferences system, such as the `UserDefaults` of an app or of its App Group.
///
/// Its file belongs to a daemon, which caches it and writes it late: "Don't try to access the preferences subsystem
/// directly" (<https://developer.apple.com/documentation/foundation/userdefaults>). Nothing that is set is on the disk when
/// a call returns, and a power cut may take it back.
package protocol PreferencesDomain: Sendable {
    /// Name of the domain: a bundle identifier, or an App Group.
    var name: String { get }

    /// The values of this domain, and of no other, as a property list; nil if it has none. Its order of keys has no meaning.
    func propertyList() throws(GodwitError) -> [UInt8]?

    /// Sets a key to a boolean.
    func set(_ flag: Bool, forKey key: String) throws(GodwitError)

    /// Gives keys the values that they have in a property list; keys that it does not have are removed.
    ///
    /// - Parameter propertyList: nil for a domain that had no values.
    func set(_ keys: [String], from propertyList: [UInt8]?) throws(GodwitError)

    /// Returns when the daemon has all changes of this process, and this process sees those of all others.
    func synchronize()
}

extension PreferencesDomain {
    /// File in a container in which the daemon keeps the domain.
    package var file: String { "Library/Preferences/\(name).plist" }

    /// The values as all processes see them now; nil if the domain has none.
    package func currentPropertyList() throws(GodwitError) -> [UInt8]? {
        synchronize()
        return try propertyList()
    }

    /// The current values, sorted by the bytes of their keys; nil if the domain has none.
    package func read() throws(GodwitError) -> LegacyDocument? {
        try currentPropertyList().map { bytes throws(GodwitError) in try LegacyDocument(unordered: bytes) }
    }

    /// The values as a legacy file.
    ///
    /// - Parameter modified: when they were last written, as far as that is known.
    package func read(at path: String, modified: Instant) throws(GodwitError) -> LegacyFile? {
        let found: LegacyDocument?
        do throws(GodwitError) { found = try read() } catch { throw error.inFile(path) }
        guard let document = found else { return nil }
        let content = document.contentBytes
        return LegacyFile(
            path: path, format: .binary, size: Int64(content.count), modified: modified, sha256: sha256Hex(content),
            bytes: content, root: document.root)
    }

    /// The flag under a key; nil if the key is missing.
    ///
    /// Throws `data` if it is not a boolean.
    package func readFlag(_ key: String) throws(GodwitError) -> Bool? {
        try PropertyListEditor.readFlag(read()?.root ?? [], key)
    }

    /// Sets the flag, and returns when the daemon has it.
    ///
    /// Throws `data` if the key holds something else, and `io` if the domain does not keep the value.
    package func setFlag(_ key: String, to flag: Bool) throws(GodwitError) {
        guard try readFlag(key) != flag else { return }
        try set(flag, forKey: key)
        guard try readFlag(key) == flag else { throw notKept(key) }
    }

    /// Gives the domain the values of a property list, and returns when the daemon has them.
    ///
    /// - Returns: the keys that had other values before.
    @discardableResult
    package func setValues(from propertyList: [UInt8]?) throws(GodwitError) -> [String] {
        let keys = try keysThatDiffer(from: propertyList)
        guard !keys.isEmpty else { return [] }
        try set(keys, from: propertyList)
        if let key = try keysThatDiffer(from: propertyList).first { throw notKept(key) }
        return keys
    }

    /// Keys whose current values are not those of a property list; nil is one without keys.
    package func keysThatDiffer(from propertyList: [UInt8]?) throws(GodwitError) -> [String] {
        let other = try propertyList.map { bytes throws(GodwitError) in try LegacyDocument(unordered: bytes) }
        return LegacyDocument.keysThatDiffer(try read(), other)
    }

    private func notKept(_ key: String) -> GodwitError {
        GodwitError(
            .copy, .io, "the preferences domain `\(name)` does not keep the key '\(key.escapedForMessage)'",
            hint: "Check that the app may write this domain: an App Group requires its entitlement.")
    }
}
