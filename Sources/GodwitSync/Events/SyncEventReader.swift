package import GodwitModel

/// Reads JSON lines into sync events, and reports the lines that it could not read.
///
/// An app that writes the file may stop at any instruction, so nothing in it is an error: an unreadable line, also an
/// incomplete last line, is a warning. Work is limited: of a file beyond the limits only the newest part is read,
/// because it decides the state.
package struct SyncEventReader: Sendable {
    /// Limits of a read.
    package struct Limits: Sendable {
        /// Bytes of the file.
        package var bytes: Int
        package var lines: Int
        package var lineBytes: Int
        /// Number of stores that events may name; events of further stores are skipped.
        package var stores: Int
        /// Number of unreadable lines that are reported one by one; the rest is counted.
        package var namedLines: Int

        package init(
            bytes: Int = 64 << 20, lines: Int = 1_000_000, lineBytes: Int = 64 << 10, namedLines: Int = 20,
            stores: Int = 100
        ) {
            self.stores = max(0, stores)
            self.bytes = max(0, bytes)
            self.lines = max(0, lines)
            self.lineBytes = max(0, lineBytes)
            self.namedLines = max(0, namedLines)
        }
    }

    private let limits: Limits

    package init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// All events in the order of the file, and warnings about the other lines.
    package func events(in bytes: [UInt8]) -> (events: [SyncEvent], warnings: [Warning]) {
        var events: [SyncEvent] = []
        let warnings = read(bytes) { record in
            if case .event(let event) = record { events.append(event) }
        }
        return (events, warnings)
    }

    /// The state after all lines of the file, in constant memory besides the file.
    package func state(
        in bytes: [UInt8]
    ) -> (state: SyncState, surroundings: SyncConditions, warnings: [Warning]) {
        var (state, surroundings) = (SyncState(), SyncConditions())
        let warnings = read(bytes) { record in
            switch record {
            case .event(let event): state.apply(event)
            case .observation(let observation): surroundings.apply(observation)
            }
        }
        return (state, surroundings, warnings)
    }

    /// Calls `each` with the content of each line in order; returns warnings about lines that could not be read.
    package func read(_ bytes: [UInt8], each: (SyncRecord) -> Void) -> [Warning] {
        var stores: Set<String> = []
        let window = newestPart(of: bytes)
        var number = window.skippedLines
        var warnings = WarningLimiter(limit: limits.namedLines)
        if window.skippedLines > 0 { warnings.add(truncation: window.skippedLines) }
        var rest = bytes[window.start...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: Self.newline)
            let line = rest[..<(end ?? rest.endIndex)]
            rest = rest[(end.map { $0 + 1 } ?? rest.endIndex)...]
            guard !line.allSatisfy(Self.isSpace) else { continue }
            do {
                let record = try record(in: line)
                if case .event(let event) = record, let store = event.store, !stores.contains(store) {
                    guard stores.count < limits.stores else {
                        warnings.surplus += 1
                        continue
                    }
                    stores.insert(store)
                }
                each(record)
            } catch {
                warnings.add(line: number, error, isTorn: end == nil)
            }
        }
        return warnings.warnings
    }

    private func record(in line: ArraySlice<UInt8>) throws(UnreadableLine) -> SyncRecord {
        guard line.count <= limits.lineBytes else {
            throw UnreadableLine("is longer than \(limits.lineBytes) bytes")
        }
        return try SyncRecord.read(line: line)
    }

    /// The start of the newest part within the limits, always at the start of a line.
    private func newestPart(of bytes: [UInt8]) -> (start: Int, skippedLines: Int) {
        let mark = Self.byteOrderMark
        var start = bytes.starts(with: mark) ? mark.count : 0
        var skipped = 0
        if bytes.count - start > limits.bytes {
            let edge = bytes.count - limits.bytes
            start = bytes[(edge - 1)...].firstIndex(of: Self.newline).map { $0 + 1 } ?? bytes.count
            skipped = bytes[..<start].count { $0 == Self.newline }
            if start == bytes.count, bytes.last != Self.newline { skipped += 1 }
        }
        let endsOpen = start < bytes.count && bytes.last != Self.newline
        var surplus = bytes[start...].count { $0 == Self.newline } + (endsOpen ? 1 : 0) - limits.lines
        while surplus > 0 {
            start = bytes[start...].firstIndex(of: Self.newline).map { $0 + 1 } ?? bytes.count
            skipped += 1
            surplus -= 1
        }
        return (start, skipped)
    }

    private static let newline: UInt8 = 0x0A
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0D || byte == 0x09 }
}

/// Collects the warnings of one file: the first lines by number, the rest as a count.
private struct WarningLimiter {
    private var named: [Warning] = []
    private var unnamed = 0
    /// Number of events of stores beyond the limit.
    var surplus = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(truncation lines: Int) {
        named.append(
            Warning(
                "syncEventsTruncated", "the sync events file is too long; its oldest \(count(lines)) not read",
                hint: "Let the app start a new events file regularly."))
    }

    mutating func add(line number: Int, _ problem: UnreadableLine, isTorn: Bool) {
        if isTorn {
            named.append(
                Warning(
                    "syncEventTorn", "the last line (\(number)) of the sync events file is incomplete; it was skipped",
                    hint: "Open the app once, so that it writes its next event."))
        } else if unnamed == 0, named.count(where: { $0.code == "syncEventUnreadable" }) < limit {
            named.append(
                Warning(
                    "syncEventUnreadable",
                    "line \(number) of the sync events file \(problem.reason); it was skipped",
                    hint: "Write one JSON object on each line, as docs/sync-events.md describes."))
        } else {
            unnamed += 1
        }
    }

    var warnings: [Warning] { named + unnamedLines + surplusEvents }

    private var surplusEvents: [Warning] {
        guard surplus > 0 else { return [] }
        return [
            Warning(
                "syncStoresTooMany",
                "the sync events file names too many stores; \(surplus) "
                    + "\(surplus == 1 ? "event" : "events") of further stores \(surplus == 1 ? "was" : "were") "
                    + "skipped",
                hint: "Give a store the same name in each of its events, and let the app start a new events file.")
        ]
    }

    private var unnamedLines: [Warning] {
        guard unnamed > 0 else { return [] }
        let rest = Warning(
            "syncEventUnreadable",
            "\(unnamed) more \(unnamed == 1 ? "line" : "lines") of the sync events file can't be read; "
                + "\(unnamed == 1 ? "it was" : "they were") skipped")
        return [rest]
    }

    private func count(_ lines: Int) -> String { lines == 1 ? "line was" : "\(lines) lines were" }
}
