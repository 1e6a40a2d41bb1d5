internal import GodwitFiles
package import GodwitModel
internal import GodwitSync

/// The app's last network event, read again only if its events file has changed.
package struct SyncEventsWatch: Sendable {
    private var stamp: ContainerStamp?
    private var seen = Freshness.Network.unknown

    /// Nothing was read yet.
    package init() {}

    /// The last network state that the app saw; unknown without an event, or if the file cannot be read.
    package mutating func network(of migration: Migration) -> Freshness.Network {
        guard let path = migration.syncEventsPath else { return .unknown }
        let now = ContainerStamp(of: [path])
        if let stamp, now.proves(unchangedSince: stamp) { return seen }
        stamp = now
        let bytes = try? readBytes(path, limit: 64 << 20, stage: .status)
        seen = bytes.map { SyncEventReader().state(in: $0).surroundings.network(orGiven: .unknown) } ?? .unknown
        return seen
    }
}

extension Migration {
    /// Where the app writes down its sync events; nil if the manifest names no such file.
    fileprivate var syncEventsPath: String? {
        guard let name = manifest.container.syncEvents,
            let container = try? Container(location, groups: options.groupContainers),
            let path = try? container.resolve(name)
        else { return nil }
        return path
    }
}
