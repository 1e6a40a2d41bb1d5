import GodwitModel
import GodwitSync

/// The file of sync events: each line is an event, blank, or counted as unreadable.
///
/// The first byte selects the limits.
enum SyncEventsCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let choice = bytes.first else { return }
        let file = Array(bytes.dropFirst())
        let whole = SyncEventReader()
        let (events, warnings) = whole.events(in: file)
        try check(warnings)
        try checkLines(file, events, whole)
        try checkState(whole.state(in: file).state, events)
        let tight = SyncEventReader(
            limits: .init(
                bytes: Int(choice) * 4, lines: Int(choice) % 8, lineBytes: Int(choice) * 2,
                namedLines: Int(choice) % 3))
        let (fewer, complaints) = tight.events(in: file)
        try check(complaints)
        try require(fewer.count <= min(events.count, Int(choice) % 8), "more events than the limit")
        // Only the oldest lines, and lines that are too long, are left out.
        var rest = events[...]
        for event in fewer {
            guard let index = rest.firstIndex(of: event) else { throw FuzzFinding("an event that is not in the file") }
            rest = rest[(index + 1)...]
        }
    }

    private static func check(_ warnings: [Warning]) throws(FuzzFinding) {
        for warning in warnings {
            let isPlain = warning.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            try require(isPlain, "a warning with control characters: \(warning.message)")
            try require(warning.message.utf8.count <= 2000, "a warning of \(warning.message.utf8.count) bytes")
        }
        try require(warnings.count <= 24, "\(warnings.count) warnings")
    }

    /// Checks that each line gives the same by itself and in the file.
    private static func checkLines(
        _ file: [UInt8], _ events: [SyncEvent], _ reader: SyncEventReader
    ) throws(FuzzFinding) {
        let lines = file.split(separator: 0x0A, omittingEmptySubsequences: true)
        let separate = lines.flatMap { reader.events(in: Array($0)).events }
        // Events of more stores than the reader separates are skipped.
        guard Set(separate.compactMap(\.store)).count <= 100 else { return }
        // A byte order mark is only one at the start of a file.
        guard !lines.dropFirst().contains(where: { $0.starts(with: [0xEF, 0xBB, 0xBF]) }) else { return }
        guard !file.starts(with: [0x0A]) || lines.first?.starts(with: [0xEF, 0xBB, 0xBF]) != true else { return }
        try require(separate == events, "read line by line there are \(separate.count) events, not \(events.count)")
    }

    private static func checkState(_ state: SyncState, _ events: [SyncEvent]) throws(FuzzFinding) {
        try require(state == SyncState(events), "the state differs from that of the events")
        try require(state.hasBegun == !events.isEmpty, "events without a state")
        for network in [Freshness.Network.online, .offline, .unknown] {
            let overview = state.overview(account: .available, network: network)
            let isPlain = overview.lastError?.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }
            try require(isPlain ?? true, "an error that is not printable")
        }
        try require(state.phaseStatuses.count == 3, "a phase is missing")
    }
}
