internal import GodwitFiles
internal import GodwitJSON
internal import GodwitModel

/// Records in the order of their keys, in memory or in a spool; those that share a key in the order SQLite gives them.
struct SortedRecords {
    enum Place {
        case memory(RecordChunk)
        case spooled(Runs)
    }

    /// The part of a spool that holds them.
    struct Runs {
        let spool: RecordSpool
        let runs: Range<Int>
        /// Whether any run has a key more than once.
        let haveRepeatedKeys: Bool
        let memory: SortMemory
    }

    private let place: Place
    private let ties: KeyTies

    init(_ place: Place, _ ties: KeyTies) { (self.place, self.ties) = (place, ties) }

    /// Calls a body for each record in order.
    ///
    /// - Parameter isLast: whether nobody asks for them afterwards: what was read of a spool is given back.
    func forEach(isLast: Bool, _ body: OrderedRecords.Body) throws(GodwitError) {
        switch place {
        case .memory(let chunk): try forEach(of: chunk, body)
        case .spooled(let runs): try forEach(of: runs, isLast, body)
        }
    }

    private func forEach(of chunk: RecordChunk, _ body: OrderedRecords.Body) throws(GodwitError) {
        try chunk.withBytes { bytes throws(GodwitError) in
            func show(_ index: Int) throws(GodwitError) {
                chunk.prefetch(after: index, bytes)
                let (header, place) = chunk.header(index, bytes)
                let start = place + header.textOffset
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
                        KeyTies.Member(rowid: chunk.header($0).header.rowid, place: Int64($0))
                    }
                    for member in try ties.ordered(group) { try show(Int(member.place)) }
                }
                index = end
            }
        }
    }

    /// Range by range of the keys: the next one is read and sorted while a body sees the records of one.
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

    /// Record by record, which takes no more memory however alike their keys are, or long their texts.
    private func merge(
        _ places: [Range<Int64>], of runs: Runs, _ isLast: Bool, _ body: OrderedRecords.Body
    ) throws(GodwitError) {
        var merge = try RecordMerge(runs.spool, places, memory: runs.memory.windows)
        var read: Int64 = 0
        var text = JSONBuffer()
        var order = JSONBuffer(capacity: RecordHeader.longestOrder)
        while merge.hasRecord {
            read += Int64(merge.header.wholeCount)
            // Here, where no group of records is being put in order, which is read twice. Asking all runs takes time, too.
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

    /// Each record is held until the next one has shown that it has another key.
    private func showGroup(
        _ merge: inout RecordMerge, _ spool: RecordSpool, _ text: inout JSONBuffer, _ order: inout JSONBuffer,
        _ body: OrderedRecords.Body
    ) throws(GodwitError) {
        let (header, place) = (merge.header, merge.textPlace)
        let prefix = merge.copyOrder(to: &order)
        try merge.copyText(to: &text)
        try merge.advance()
        guard merge.hasRecord, order.withBytes({ merge.hasOrder(prefix, $0) }) else {
            return try text.withBytes { text throws(GodwitError) in try body(text, header.key) }
        }
        var group = [KeyTies.Member(rowid: header.rowid, place: place, header: header)]
        while merge.hasRecord, order.withBytes({ merge.hasOrder(prefix, $0) }) {
            group.append(.init(rowid: merge.header.rowid, place: merge.textPlace, header: merge.header))
            try merge.advance()
        }
        for member in try ties.ordered(group) {
            text.removeAll()
            try text.append(count: Int(member.header.textCount)) { space throws(GodwitError) in
                try spool.read(space, at: member.place)
            }
            try text.withBytes { text throws(GodwitError) in try body(text, member.header.key) }
        }
    }
}
