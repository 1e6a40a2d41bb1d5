/// A backup that a run makes immediately before it first writes to a file of the app.
package protocol BackupBeforeWriting: AnyObject, Sendable {
    /// Makes the backup if the path is one of its files and no backup exists yet; throws if it cannot be made.
    func requireBackup(beforeWriting path: String) throws(GodwitError)
    var isMade: Bool { get }
}

extension RunContext {
    /// Makes the backup of this run, if it should have one, before a file of the app is written.
    package func requireBackup(beforeWriting path: String) throws(GodwitError) {
        try backup?.requireBackup(beforeWriting: path)
    }
}
