/// All of Foundation, as on Apple platforms: it has more names than the part that Linux uses.
@_exported public import Foundation

/// Available on iOS, tvOS, watchOS and visionOS:
/// <https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)>.
extension ProcessInfo {
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

/// The folder of an App Group:
/// <https://developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)>.
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { nil }
}
