package import GodwitModel
internal import GodwitPropertyList
internal import Foundation
import Synchronization

/// A stand-in for the preferences daemon of Apple's systems, with one domain.
///
/// Each process has a cache, which is stale until the process synchronizes. The daemon has the values, and writes its file
/// when it likes; what it has not written is lost when the power fails. It does not read its file again while it runs.
package final class PreferencesDaemon: Sendable {
    package let name: String
    private let file: String
    private let values: Mutex<State>

    private struct State {
        var current: [UInt8]?
        /// Number of power cuts: what a process had cached before one is gone.
        var power = 0
    }

    /// Reads the file, if it exists.
    package init(_ name: String, file: String) {
        (self.name, self.file) = (name, file)
        values = Mutex(State(current: Self.read(file)))
    }

    private static func read(_ file: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: file))).map { Array($0) }
    }

    /// The domain as a process sees it that starts now.
    package func process() -> ProcessPreferences { ProcessPreferences(self) }

    /// What the daemon has, written or not.
    package var propertyList: [UInt8]? { values.withLock { $0.current } }

    /// Writes the file, over all that another process has put in its place.
    package func writeFile() throws {
        if let bytes = propertyList {
            try Data(bytes).write(to: URL(filePath: file), options: .atomic)
        } else {
            try? FileManager.default.removeItem(atPath: file)
        }
    }

    /// Loses all that is not in the file, and ends all processes.
    package func powerCut() {
        values.withLock { $0 = State(current: Self.read(file), power: $0.power + 1) }
    }

    fileprivate var power: Int { values.withLock { $0.power } }

    fileprivate func apply(
        _ changes: [ProcessPreferences.Change], since power: Int
    ) throws(GodwitError) -> [UInt8]? {
        try values.withLock { state throws(GodwitError) in
            guard state.power == power else { return state.current }
            for change in changes { state.current = try change(state.current) }
            return state.current
        }
    }
}

/// The domain of a daemon in one process.
package final class ProcessPreferences: PreferencesDomain {
    package typealias Change = @Sendable ([UInt8]?) throws(GodwitError) -> [UInt8]?

    private let daemon: PreferencesDaemon
    private let power: Int
    private let state: Mutex<(cache: [UInt8]?, unsent: [Change])>

    fileprivate init(_ daemon: PreferencesDaemon) {
        self.daemon = daemon
        power = daemon.power
        state = Mutex((daemon.propertyList, []))
    }

    package var name: String { daemon.name }

    package func propertyList() -> [UInt8]? { state.withLock { $0.cache } }

    package func set(_ flag: Bool, forKey key: String) throws(GodwitError) {
        try change { bytes throws(GodwitError) in
            try PropertyListEditor.setting(key, to: flag, in: bytes ?? PropertyListEditor.emptyPropertyList())
        }
    }

    package func set(_ keys: [String], from propertyList: [UInt8]?) throws(GodwitError) {
        try change { bytes throws(GodwitError) in
            do {
                var entries = try Self.entries(bytes)
                let wanted = try Self.entries(propertyList)
                for key in keys { entries[key] = wanted[key] }
                guard !entries.isEmpty else { return nil }
                return Array(
                    try PropertyListSerialization.data(fromPropertyList: entries, format: .binary, options: 0))
            } catch {
                throw GodwitError(.copy, .bug, "\(error)")
            }
        }
    }

    package func synchronize() {
        let unsent = state.withLock { state in
            defer { state.unsent = [] }
            return state.unsent
        }
        guard let values = try? daemon.apply(unsent, since: power) else { return state.withLock { $0.cache = nil } }
        state.withLock { $0.cache = values }
    }

    private func change(_ change: @escaping Change) throws(GodwitError) {
        try state.withLock { state throws(GodwitError) in
            state.cache = try change(state.cache)
            state.unsent.append(change)
        }
    }

    private static func entries(_ bytes: [UInt8]?) throws -> [String: Any] {
        guard let bytes else { return [:] }
        return try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil) as? [String: Any]
            ?? [:]
    }
}
