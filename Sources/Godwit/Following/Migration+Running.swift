internal import GodwitFiles
package import GodwitModel

extension Migration {
    /// The run that uses the container now, and its progress; nil if there is none, or if it does not report: a short
    /// run, or a run of another user.
    package func running() -> StatusReport.Running? {
        guard let container = try? Container(location, groups: options.groupContainers),
            let identity = try? FileStatus.of(container.root)
        else { return nil }
        return ProgressFile.read(of: identity)
    }
}

extension ProgressFile {
    /// The file in which a run on a locked container shows its progress.
    convenience init?(
        of container: Container, _ run: RunReport.Identity, _ options: MigrationOptions
    ) throws(GodwitError) {
        guard let identity = try FileStatus.of(container.root) else { return nil }
        self.init(
            of: identity, command: run.command, runIdentifier: run.id, startedAt: run.startedAt,
            delay: .milliseconds(options.silentMilliseconds), now: { options.now ?? SystemEnvironment.now })
    }
}
