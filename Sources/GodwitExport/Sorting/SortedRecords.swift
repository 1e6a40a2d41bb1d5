internal import GodwitFiles
internal import GodwitJSON
internal import GodwitModel

/// Records in the order of their keys, in memory or in a spool; SQLite orders those with equal keys.
struct SortedRecords {
    enum Storage {
        case memory(RecordChunk)
        case spooled(Runs)
    }

    struct Runs {
        let spool: RecordSpool
        let runs: Range<Int>
        let haveRepeatedKeys: Bool
        let memory: SortMemory
    }

    private let storage: Storage
    private let ties: KeyTies

    init(_ storage: Storage, _ ties: KeyTies) { (self.storage, self.ties) = (storage, ties) }

    /// Calls a body for each record in order.
    ///
    /// - Parameter isLast: whether this is the last read; then parts of the spool are freed.
    func forEach(isLast: Bool, _ body: OrderedRecords.Body) throws(GodwitError) {
        switch storage {
        case .memory(let chunk): try forEach(of: chunk, body)
        case .spooled(let runs): try forEach(of: runs, isLast, body)
        }
    }

    private func forEach(of chunk: RecordChunk, _ body: OrderedRecords.Body) throws(GodwitError) {
        try chunk.withBytes { bytes throws(GodwitError) in
            func show(_ index: Int) throws(GodwitError) {
                chunk.prefetch(after: index, bytes)
                let (header, offset) = chunk.header(index, bytes)
                let start = offset + header.textOffset
                try body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(header.textCount)]), header.key)
            }
            guard chunk.repeatedKeys > 0 else {
                for index in 0..<chunk.count { try show(index) }
                return
            }
            var index = 0
            while index < chunk.count {
                var end = index + 1
                while end < chunk.count, chunk.haveSameKey(index, end) { end += 1 }
                if end == index + 1 {
                    try show(index)
                } else {
                    let group = (index..<end).map {
                        KeyTies.Member(rowid: chunk.header($0).header.rowid, location: Int64($0))
                    }
                    for member in try ties.ordered(group) { try show(Int(member.location)) }
                }
                index = end
            }
        }
    }

    /// Reads ranges of keys: loads and sorts the next one while a body receives the records of one.
    private func forEach(of runs: Runs, _ isLast: Bool, _ body: OrderedRecords.Body) throws(GodwitError) {
        try runs.spool.beginReading(runs.runs, isLast: isLast)
        let reader = KeyRangeReader(runs.spool, runs.runs, runs.memory, isLast: isLast)
        try readRanges(reader, body)
        if reader.isTooDense { try merge(reader.rest, of: runs, isLast, body) }
    }

    private func readRanges(_ reader: KeyRangeReader, _ body: OrderedRecords.Body) throws(GodwitError) {
        let worker = BackgroundWorker()
        defer { worker.end() }
        var (shown, loading) = (reader.makeChunk(), reader.makeChunk())
        while true {
            worker.begin { [loading] in reader.load(loading) }
            try forEach(of: shown, body)
            worker.wait()
            try reader.requireLoaded()
            guard loading.count > 0 else { break }
            (shown, loading) = (loading, shown)
        }
    }

    /// Reads record by record, in constant memory, even if keys are very similar or texts very long.
    private func merge(
        _ ranges: [Range<Int64>], of runs: Runs, _ isLast: Bool, _ body: OrderedRecords.Body
    ) throws(GodwitError) {
        var merge = try RecordMerge(runs.spool, ranges, memory: runs.memory.windows)
        var read: Int64 = 0
        var text = JSONBuffer()
        var order = JSONBuffer(capacity: RecordHeader.longestOrder)
        while merge.hasRecord {
            read += Int64(merge.header.wholeCount)
            // Only here, because a group of equal keys is read twice. Not for each record, because it visits all runs.
            if isLast, read > 4 * runs.memory.givenBack {
                merge.giveBackRead(runs.memory.givenBack)
                read = 0
            }
            if !runs.haveRepeatedKeys, merge.isAlone, let text = try merge.text() {
                try body(text, merge.header.key)
                try merge.advance()
                continue
            }
            text.removeAll()
            order.removeAll()
            try showGroup(&merge, runs.spool, &text, &order, body)
        }
    }

    /// Keeps each record until the next one has another key.
    private func showGroup(
        _ merge: inout RecordMerge, _ spool: RecordSpool, _ text: inout JSONBuffer, _ order: inout JSONBuffer,
        _ body: OrderedRecords.Body
    ) throws(GodwitError) {
        let (header, location) = (merge.header, merge.textPlace)
        let prefix = merge.copyOrder(to: &order)
        try merge.copyText(to: &text)
        try merge.advance()
        guard merge.hasRecord, order.withBytes({ merge.hasOrder(prefix, $0) }) else {
            return try text.withBytes { text throws(GodwitError) in try body(text, header.key) }
        }
        var group = [KeyTies.Member(rowid: header.rowid, location: location, header: header)]
        while merge.hasRecord, order.withBytes({ merge.hasOrder(prefix, $0) }) {
            group.append(.init(rowid: merge.header.rowid, location: merge.textPlace, header: merge.header))
            try merge.advance()
        }
        for member in try ties.ordered(group) {
            text.removeAll()
            try text.append(count: Int(member.header.textCount)) { space throws(GodwitError) in
                try spool.read(space, at: member.location)
            }
            try text.withBytes { text throws(GodwitError) in try body(text, member.header.key) }
        }
    }
}
