package import GodwitModel
package import GodwitPropertyList

/// The flag in a domain of the preferences system: set through the system, never in its file.
///
/// It is not on the disk when it is set: a power cut may take it back. Then it is false although the receipt is durable, and
/// the next run sets it again.
package struct FlagDomain: FlagStore {
    private let domain: any PreferencesDomain
    private let path: String

    /// - Parameter path: the file in which the system keeps the domain, as a backup names it.
    package init(_ domain: any PreferencesDomain, path: String) { (self.domain, self.path) = (domain, path) }

    package func readFlag(_ key: String) throws(GodwitError) -> Bool? { try domain.readFlag(key) }

    package func setFlag(
        _ key: String, to value: Bool, context: RunContext, confirm: () throws(GodwitError) -> Void
    ) throws(GodwitError) {
        try context.requireBackup(beforeWriting: path)
        _ = try domain.readFlag(key)
        try confirm()
        try domain.setFlag(key, to: value)
    }
}
