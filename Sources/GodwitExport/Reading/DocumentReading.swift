internal import GodwitModel

/// A document that is being read: the header, then the entities, then the integrity block.
struct DocumentReading: ~Copyable {
    var window: ReadingWindow
    private var header = HeaderReading()
    private var names: Set<[UInt8]> = []
    /// Announced records by the bytes of an entity's name: Swift's strings are equal in every Unicode form, but names
    /// in SQLite are not.
    private var counts: [[UInt8]: Int64] = [:]
    /// Nil before the end of the entities.
    var sha256: String?
    private var integrity: LegacyValue?

    init(_ window: consuming ReadingWindow) { self.window = window }

    mutating func read<H: DocumentHandler & ~Copyable>(into handler: inout H) throws(GodwitError) -> DocumentSummary {
        try window.requireNoMark()
        try window.skipBlanks()
        try window.take("{")
        try window.skipBlanks()
        var lines: LinesReading?
        if try !window.takes("}") {
            repeat {
                try readMember(&lines, into: &handler)
                try window.skipBlanks()
            } while try window.takes(",")
            try window.take("}")
        }
        if let lines {
            try readLines(lines, into: &handler)
        } else if sha256 == nil {
            try header.requireComplete(window)
            throw window.damage("it has no entities")
        }
        return try finish()
    }

    /// Reads only the members before the entities; proves nothing.
    mutating func readHeader() throws(GodwitError) -> DocumentHeader {
        try window.requireNoMark()
        try window.skipBlanks()
        try window.take("{")
        repeat {
            try window.beginUnit(limit: window.limits.header)
            try window.skipBlanks()
            let name = try readName()
            if name == "entities" {
                try header.requireComplete(window)
                return header.header
            }
            try header.take(name, try window.value(), window)
            try window.skipBlanks()
        } while try window.takes(",")
        try header.requireComplete(window)
        throw window.damage("it has no entities")
    }

    /// Reads a member's name, up to its value; throws if the name is repeated.
    private mutating func readName() throws(GodwitError) -> String {
        let place = window.place
        let name = try window.string()
        try window.skipBlanks()
        try window.take(":")
        try window.skipBlanks()
        guard names.insert(Array(name.utf8)).inserted else { throw window.damage("a member occurs twice", at: place) }
        return name
    }

    private mutating func readMember<H: DocumentHandler & ~Copyable>(
        _ lines: inout LinesReading?, into handler: inout H
    ) throws(GodwitError) {
        try window.beginUnit(limit: window.limits.header)
        try window.skipBlanks()
        let place = window.place
        let name = try readName()
        switch name {
        case "entities" where header.header.layout == .lines: lines = try LinesReading(&window)
        case "entities":
            try header.requireComplete(window)
            try handler.begin(header.header)
            try readEntities(into: &handler)
        case "integrity":
            guard sha256 != nil else { throw window.damage("the integrity block comes before the entities") }
            integrity = try window.value()
        default:
            let isLate = sha256 != nil || lines != nil
            let value = try window.value()
            // After the entities only members that no version of this reader uses.
            if isLate, HeaderReading.knows(name) {
                throw window.damage("'\(name)' comes after the entities", at: place)
            }
            try header.take(name, value, window)
        }
    }

    // MARK: Entities of a plain document

    private mutating func readEntities<H: DocumentHandler & ~Copyable>(into handler: inout H) throws(GodwitError) {
        window.beginHashing()
        try window.take("[")
        try window.skipBlanks()
        if try !window.takes("]") {
            repeat {
                try window.beginUnit(limit: window.limits.header)
                try window.skipBlanks()
                try readEntity(into: &handler)
                try window.skipBlanks()
            } while try window.takes(",")
            try window.take("]")
        }
        sha256 = window.endHashing()
    }

    private mutating func readEntity<H: DocumentHandler & ~Copyable>(into handler: inout H) throws(GodwitError) {
        try window.take("{")
        var members: [LegacyPair] = []
        while true {
            try window.skipBlanks()
            let name = try window.string()
            try window.skipBlanks()
            try window.take(":")
            try window.skipBlanks()
            if name == "records" { break }
            // Check names at once: a description can contain very many members, and each is compared with those before.
            guard DocumentEntity.knows(name) else { throw DocumentEntity.unknownMember(window) }
            guard !members.contains(where: { $0.key == name }) else {
                throw window.damage("a member of an entity occurs twice")
            }
            members.append(LegacyPair(key: name, value: try window.value()))
            try window.skipBlanks()
            try window.take(",")
        }
        let entity = try DocumentEntity(members, window)
        try announce(entity)
        try handler.begin(entity)
        let count = try readRecords(of: entity, into: &handler)
        try requireCount(count, of: entity)
        try window.skipBlanks()
        if entity.goneCount != nil { try readGone(of: entity, into: &handler) }
        try window.take("}")
        try handler.end(entity)
    }

    private mutating func readRecords<H: DocumentHandler & ~Copyable>(
        of entity: DocumentEntity, into handler: inout H
    ) throws(GodwitError) -> Int64 {
        try window.take("[")
        try window.skipBlanks()
        if try window.takes("]") { return 0 }
        var reading = RecordReading(entity)
        var count: Int64 = 0
        repeat {
            // A record is a unit from brace to brace, without the text around it.
            try window.skipBlanks()
            try window.beginUnit(limit: window.limits.record)
            try reading.read(&window)
            count += 1
            try handler.take(reading.record(in: window))
            try window.beginUnit(limit: window.limits.header)
            try window.skipBlanks()
        } while try window.takes(",")
        try window.take("]")
        return count
    }

    /// Reads `,"gone": [` and the keys of removed records.
    private mutating func readGone<H: DocumentHandler & ~Copyable>(
        of entity: DocumentEntity, into handler: inout H
    ) throws(GodwitError) {
        try window.beginUnit(limit: window.limits.record)
        try window.skipBlanks()
        try window.take(",")
        try window.skipBlanks()
        guard try window.string() == "gone" else {
            throw window.damage("an entity has other content after its records")
        }
        try window.skipBlanks()
        try window.take(":")
        try window.skipBlanks()
        try window.take("[")
        try window.skipBlanks()
        var count: Int64 = 0
        if try !window.takes("]") {
            var reading = RecordReading(entity.keys)
            repeat {
                try window.skipBlanks()
                try window.beginUnit(limit: window.limits.record)
                try reading.readBare(&window)
                count += 1
                try handler.take(gone: reading.record(in: window))
                try window.beginUnit(limit: window.limits.header)
                try window.skipBlanks()
            } while try window.takes(",")
            try window.take("]")
        }
        try requireGoneCount(count, of: entity)
        try window.skipBlanks()
    }

    /// Adds an entity; throws if it is repeated, or if `goneCount` does not fit the document.
    mutating func announce(_ entity: DocumentEntity) throws(GodwitError) {
        guard (entity.goneCount != nil) == (header.header.since != nil) else {
            throw window.damage(
                header.header.since == nil
                    ? "an entity has a 'goneCount', but the export has no 'since'" : "an entity has no 'goneCount'")
        }
        guard counts.updateValue(entity.count, forKey: Array(entity.name.utf8)) == nil else {
            throw window.damage("the entity \(entity.name) occurs twice")
        }
        guard counts.count <= window.limits.entities else { throw window.damage("there are too many entities") }
    }

    func requireCount(_ count: Int64, of entity: DocumentEntity) throws(GodwitError) {
        guard count == entity.count else {
            throw GodwitError(
                window.stage, .data,
                "`\(window.name)` has \(count.counted("record")) of \(entity.name), but declares "
                    + "\(entity.count.grouped)",
                hint: "Copy it again, or take an older export: it was edited or cut.")
        }
    }

    func requireGoneCount(_ count: Int64, of entity: DocumentEntity) throws(GodwitError) {
        guard count == entity.goneCount else {
            throw GodwitError(
                window.stage, .data,
                "`\(window.name)` names \(count.counted("deleted record")) of \(entity.name), but declares "
                    + "\(entity.goneCount ?? 0)",
                hint: "Copy it again, or take an older export: it was edited or cut.")
        }
    }

    // MARK: The end

    /// Completes the header of a document in JSON Lines.
    mutating func beginLines<H: DocumentHandler & ~Copyable>(
        _ entities: [DocumentEntity], into handler: inout H
    ) throws(GodwitError) {
        try header.requireComplete(window)
        header.announce(entities)
        try handler.begin(header.header)
    }

    mutating func take(integrity node: LegacyValue) { integrity = node }

    /// Requires the end of the input, and the counts and hash of the integrity block.
    private mutating func finish() throws(GodwitError) -> DocumentSummary {
        try window.beginUnit(limit: window.limits.header)
        try window.skipBlanks()
        guard try window.peek() == nil else { throw window.damage("something follows its end") }
        guard let integrity, let sha256 else { throw window.damage("it has no integrity block") }
        guard let written = integrity["sha256"]?.text, let counted = integrity["counts"]?.pairs else {
            throw window.damage("its integrity block has no counts or no sha256")
        }
        guard written.utf8.elementsEqual(sha256.utf8) else {
            throw GodwitError(
                window.stage, .data,
                "`\(window.name)` has other content than was exported: its sha256 is "
                    + "\(sha256.prefix(16))…, not \(written.utf8.count == 64 ? written.prefix(16) : "a hash")…",
                hint:
                    "Copy it again, or take an older export: it was damaged, edited or formatted by "
                    + "another program."
            )
        }
        var all: [[UInt8]: Int64] = [:]
        for member in counted { all[Array(member.key.utf8)] = member.value.wholeNumber ?? -1 }
        guard all == counts else {
            throw GodwitError(
                window.stage, .data, "`\(window.name)` has other counts of records than its integrity block",
                hint: "Copy it again, or take an older export: it was damaged or edited.")
        }
        return DocumentSummary(
            header: header.header, isCompressed: window.isCompressed,
            counts: Dictionary(
                counts.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }, uniquingKeysWith: +),
            sha256: sha256,
            bytes: window.offset)
    }
}
