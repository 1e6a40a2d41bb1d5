/// An option or a command, as the command line and as the library name it.
package struct InterfaceName: Sendable {
    private let commandLine: String
    private let library: String

    private init(_ commandLine: String, _ library: String) {
        (self.commandLine, self.library) = (commandLine, library)
    }

    /// The name for those that the process speaks to.
    package var text: String { Wording.text(commandLine: commandLine, library: library) }
}

/// Options.
extension InterfaceName {
    package static let account = InterfaceName("--account", "`MigrationOptions.account`")
    package static let allowEmpty = InterfaceName("--allow-empty", "`MigrationOptions.allowsEmpty`")
    package static let allowOrphans = InterfaceName("--allow-orphans", "`MigrationOptions.allowsOrphans`")
    package static let backup = InterfaceName("--backup", "`MigrationOptions.backupFolder`")
    package static let baseline = InterfaceName("--baseline", "`MigrationOptions.baseline`")
    /// With the place of its value.
    package static let baselineNumber = InterfaceName("--baseline N", "`MigrationOptions.baseline`")
    package static let container = InterfaceName("--container", "`ContainerLocation`")
    package static let lockTimeout = InterfaceName("--lock-timeout", "`MigrationOptions.lockTimeout`")
    /// With a value that is longer than the default.
    package static let longerLockTimeout = InterfaceName("--lock-timeout 2m", "`MigrationOptions.lockTimeout`")
    /// The library has no such limit yet.
    package static let maxShrink = InterfaceName("--max-shrink", "a limit in percent")
    package static let minRecords = InterfaceName("--min-records", "`ExportOptions.minRecords`")
    package static let network = InterfaceName("--network", "`MigrationOptions.network`")
    package static let replace = InterfaceName("--replace", "`ExportOptions.replacesExisting`")
    package static let since = InterfaceName("--since", "`ExportOptions.since`")
    package static let store = InterfaceName("--store", "`ExportOptions.store`")
    package static let strict = InterfaceName("--strict", "`MigrationOptions.isStrict`")
}

/// Commands. What the library has no call for, as to remove duplicates, is a part of `run`.
extension InterfaceName {
    package static let dedupe = InterfaceName("`godwit dedupe`", "`Migration.run()`")
    package static let export = InterfaceName("`godwit export`", "`Migration.export(to:)`")
    package static let history = InterfaceName("`godwit history`", "`Migration.history()`")
    package static let migrate = InterfaceName("`godwit migrate`", "`Migration.run()`")
    package static let plan = InterfaceName("`godwit plan`", "`Migration.plan()`")
    package static let reopen = InterfaceName("`godwit reopen`", "`Migration.reopen()`")
    package static let reopenAll = InterfaceName("`godwit reopen --all`", "`Migration.reopen(all: true)`")
    package static let restore = InterfaceName("`godwit import`", "`Migration.restore(from:to:)`")
    package static let rollback = InterfaceName("`godwit rollback`", "`Migration.rollback(to:)`")
    package static let run = InterfaceName("`godwit run`", "`Migration.run()`")
    package static let status = InterfaceName("`godwit status`", "`Migration.status()`")
    package static let undo = InterfaceName("`godwit dedupe --undo`", "`Migration.undoDedupe(run:)`")
    package static let verify = InterfaceName("`godwit verify`", "`Migration.verify()`")
}
