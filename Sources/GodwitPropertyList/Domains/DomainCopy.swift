package import GodwitModel
import Synchronization

/// A domain that only this process has, in memory: a dry run reads and writes it instead of the app's.
package final class DomainCopy: PreferencesDomain {
    package let name: String
    private let bytes: Mutex<[UInt8]?>

    /// A copy of a domain as it is now.
    package init(of domain: any PreferencesDomain) throws(GodwitError) {
        name = domain.name
        bytes = Mutex(try domain.currentPropertyList())
    }

    package func propertyList() -> [UInt8]? { bytes.withLock { $0 } }

    package func set(_ flag: Bool, forKey key: String) throws(GodwitError) {
        let edited = try PropertyListEditor.setting(
            key, to: flag, in: propertyList() ?? PropertyListEditor.emptyPropertyList())
        bytes.withLock { $0 = edited }
    }

    /// All other keys have the values of the property list already, so the copy becomes it.
    package func set(_ keys: [String], from propertyList: [UInt8]?) { bytes.withLock { $0 = propertyList } }

    package func synchronize() {}
}
