internal import GodwitFiles
internal import GodwitJSON
internal import GodwitModel
internal import Crypto

/// JSON Lines: the header with the entities' descriptions, a line for each record, the integrity line.
///
/// The hash is that of the plain layout: descriptions and records have the same bytes there, and the text between them
/// is fixed. So equal content has an equal hash in both layouts.
struct LinesReading {
    fileprivate let entities: [DocumentEntity]
    /// Each description as written, without its last brace.
    fileprivate let openings: [[UInt8]]

    init(_ window: inout ReadingWindow) throws(GodwitError) {
        var entities: [DocumentEntity] = []
        var openings: [[UInt8]] = []
        try window.take("[")
        try window.skipBlanks()
        if try !window.takes("]") {
            repeat {
                try window.skipBlanks()
                let start = window.place
                guard let members = try window.value().pairs else { throw window.damage("an entity is not an object") }
                openings.append(
                    Array(UnsafeRawBufferPointer(start: window.unitBytes + start, count: window.place - start - 1)))
                entities.append(try DocumentEntity(members, window))
                try window.skipBlanks()
            } while try window.takes(",")
            try window.take("]")
        }
        (self.entities, self.openings) = (entities, openings)
    }
}

extension DocumentReading {
    mutating func readLines<H: DocumentHandler & ~Copyable>(
        _ lines: LinesReading, into handler: inout H
    ) throws(GodwitError) {
        try window.endLine()
        for entity in lines.entities { try announce(entity) }
        try beginLines(lines.entities, into: &handler)
        var hash = SHA256()
        hash.add("[")
        for (index, entity) in lines.entities.enumerated() {
            if index > 0 { hash.add(",\n  ") }
            lines.openings[index].withUnsafeBytes { hash.update(bufferPointer: $0) }
            hash.add(",\n   \"records\": [")
            try handler.begin(entity)
            let count = try readLines(of: entity, areGone: false, &hash, into: &handler)
            try requireCount(count, of: entity)
            if entity.goneCount != nil {
                hash.add("],\n   \"gone\": [")
                try requireGoneCount(readLines(of: entity, areGone: true, &hash, into: &handler), of: entity)
            }
            try handler.end(entity)
            hash.add("]}")
        }
        hash.add("]")
        sha256 = hexText(hash.finalize())
        try readIntegrityLine()
    }

    /// Reads the lines of one entity, records or removed keys, up to the first line of another kind.
    private mutating func readLines<H: DocumentHandler & ~Copyable>(
        of entity: DocumentEntity, areGone: Bool, _ hash: inout SHA256, into handler: inout H
    ) throws(GodwitError) -> Int64 {
        var json = JSONBuffer(capacity: 64)
        json.append("{\"entity\":")
        json.append(string: entity.name)
        json.append(areGone ? ",\"gone\":" : ",\"record\":")
        let opening = json.bytes
        var reading = RecordReading(areGone ? entity.keys : entity)
        var count: Int64 = 0
        while true {
            try window.beginUnit(limit: window.limits.header)
            try window.skipBlanks()
            guard try window.isNext(bytes: opening) else { return count }
            window.advance(opening.count)
            try window.beginUnit(limit: window.limits.record)
            if areGone { try reading.readBare(&window) } else { try reading.read(&window) }
            count += 1
            hash.add(count == 1 ? "\n    " : ",\n    ")
            hash.update(bufferPointer: UnsafeRawBufferPointer(start: window.unitBytes, count: window.place))
            if areGone {
                try handler.take(gone: reading.record(in: window))
            } else {
                try handler.take(reading.record(in: window))
            }
            try window.beginUnit(limit: window.limits.header)
            try window.skipBlanks()
            try window.take("}")
            try window.endLine()
        }
    }

    private mutating func readIntegrityLine() throws(GodwitError) {
        try window.beginUnit(limit: window.limits.header)
        try window.skipBlanks()
        if try window.isNext(prefix: "{\"entity\"") {
            throw window.damage(
                "a record line is of an entity that was not declared, or not in the order of the entities")
        }
        guard let integrity = try window.value()["integrity"] else {
            throw window.damage("a line is neither a record nor the integrity block")
        }
        take(integrity: integrity)
    }
}

extension ReadingWindow {
    mutating func isNext(bytes: [UInt8]) throws(GodwitError) -> Bool {
        try bytes.withUnsafeBufferPointer { bytes throws(GodwitError) in try isNext(UnsafeRawBufferPointer(bytes)) }
    }

    mutating func isNext(prefix: StaticString) throws(GodwitError) -> Bool {
        try isNext(UnsafeRawBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
    }
}

extension SHA256 {
    fileprivate mutating func add(_ text: StaticString) {
        update(bufferPointer: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
