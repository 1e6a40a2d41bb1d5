import GodwitTestSupport
import Testing

extension Scene {
    /// Leaves the container as a run does that stops between its last commit and the flag: with a receipt in the cloud
    /// store and no flag in the preferences.
    func interrupt() throws {
        let preferences = try folder.bytes(of: inFolder(Self.plist))
        let finished = try godwit("run", "-q")
        try #require(finished.code == 0, "\(finished.errorText)")
        try write(propertyList: preferences)
    }
}
