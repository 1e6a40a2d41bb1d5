internal import GodwitFiles
internal import GodwitModel

/// The dates and sizes of the files for a status or an export; differs if a file changed.
///
/// It only uses `stat` and opens no file, so it may be made often.
package struct ContainerStamp: Sendable {
    private let files: [FileStatus?]
    /// Why the files could not be looked at; empty if they could.
    private let failure: String
    /// Whether every change up to now would show: one within the tick of the kernel's clock in which a file was dated
    /// leaves its dates as they are.
    package let isSettled: Bool

    /// Longer than any tick of the clock by which a kernel dates files, in nanoseconds.
    private static let tick: Int64 = 50_000_000

    init(_ files: [FileStatus?], failure: String = "", asOf now: Instant) {
        self.files = files
        self.failure = failure
        isSettled = !files.contains { status in
            guard let status else { return false }
            let (seconds, overflow) = now.seconds.subtractingReportingOverflow(status.changedSeconds)
            guard !overflow, (0...1).contains(seconds) else { return false }
            let nanoseconds = seconds * 1_000_000_000 + now.attoseconds / 1_000_000_000 - status.changedNanoseconds
            return (0..<Self.tick).contains(nanoseconds)
        }
    }
}

extension ContainerStamp {
    /// A stamp of only these files, which need not exist.
    package init(of paths: [String]) {
        do throws(GodwitError) {
            var files: [FileStatus?] = []
            for path in paths { files.append(try FileStatus.of(path)) }
            self.init(files, asOf: SystemEnvironment.now)
        } catch {
            self.init([], failure: error.message, asOf: SystemEnvironment.now)
        }
    }

    /// Whether nothing can have been written since an earlier stamp.
    package func proves(unchangedSince earlier: ContainerStamp) -> Bool {
        failure.isEmpty && earlier.isSettled && self == earlier
    }
}

extension ContainerStamp: Equatable {
    /// Whether nothing was changed between the two.
    package static func == (one: ContainerStamp, other: ContainerStamp) -> Bool {
        one.files == other.files && one.failure == other.failure
    }
}

extension Migration {
    /// The files that `status` is made of, as they are now: stores with their logs and journals, preferences, sync
    /// events.
    package func stamp() -> ContainerStamp {
        do throws(GodwitError) {
            let container = try Container(location, groups: options.groupContainers)
            var paths = [container.root]
            for name in manifest.container.preferences { paths.append(try container.resolve(name)) }
            for name in [manifest.container.local, manifest.container.cloud] {
                let path = try container.resolve(name)
                paths += [path, path + "-wal", path + "-journal"]
            }
            if let events = manifest.container.syncEvents { paths.append(try container.resolve(events)) }
            return ContainerStamp(of: paths)
        } catch {
            return ContainerStamp([], failure: error.message, asOf: SystemEnvironment.now)
        }
    }

    /// Throws the error of any command if the container, or a file in it, does not fit the manifest.
    package func requireContainer() throws(GodwitError) {
        _ = try ContainerFiles(manifest, in: Container(location, groups: options.groupContainers))
    }

    /// The time that reports speak of: the one given, or the clock's.
    package var presentTime: Instant { options.now ?? SystemEnvironment.now }

    /// Whether the clock is fixed, as in tests.
    package var isTimeFixed: Bool { options.now != nil }

    /// The clock, if it was set by hand.
    package var clock: SetClock? { options.clock }
}
