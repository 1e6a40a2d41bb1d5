internal import GodwitJSON
internal import GodwitModel
internal import GodwitSQLite

/// Reads the records of one entity: the hot loop of a restore, which allocates nothing per record or value.
///
/// A record has all columns of its entity, in order, and nothing else. Godwit always writes such records, and a record
/// without a column could be restored only by guessing.
struct RecordReading: ~Copyable {
    private let entity: DocumentEntity
    private let fields: UnsafeMutablePointer<RecordField>
    private var scratch = ByteScratch()
    /// `"name":` of each column, concatenated, and the end of each.
    private let labels: UnsafeRawBufferPointer
    private let labelEnds: [Int]

    init(_ entity: DocumentEntity) {
        self.entity = entity
        fields = .allocate(capacity: entity.columns.count)
        fields.initialize(repeating: RecordField(), count: entity.columns.count)
        var json = JSONBuffer(capacity: 256)
        var ends: [Int] = []
        for column in entity.columns {
            json.append(string: column.name)
            json.append(":")
            ends.append(json.count)
        }
        labelEnds = ends
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: json.count, alignment: 1)
        memory.copyBytes(from: json.bytes)
        labels = UnsafeRawBufferPointer(memory)
    }

    deinit {
        fields.deallocate()
        labels.deallocate()
    }

    mutating func read(_ window: inout ReadingWindow) throws(GodwitError) {
        scratch.removeAll()
        try window.take("{")
        for column in labelEnds.indices {
            if column > 0 {
                guard try window.takes(",") else { throw try missing(column, in: &window) }
            }
            try passName(of: column, in: &window)
            try window.skipBlanks()
            try readValue(column, &window)
            try window.skipBlanks()
        }
        guard try window.takes("}") else {
            guard try window.takes(",") else { throw window.unexpected("the end of a record") }
            try window.skipBlanks()
            throw try misplaced(labelEnds.count, in: &window)
        }
    }

    /// Reads one value: that of the only column.
    mutating func readBare(_ window: inout ReadingWindow) throws(GodwitError) {
        scratch.removeAll()
        try readValue(0, &window)
    }

    /// The last record; valid until the next call that reads.
    func record(in window: borrowing ReadingWindow) -> DocumentRecord {
        DocumentRecord(fields: fields, count: labelEnds.count, unit: window.unitBytes, scratch: scratch.bytes)
    }

    // MARK: Names

    private mutating func passName(of column: Int, in window: inout ReadingWindow) throws(GodwitError) {
        let start = column == 0 ? 0 : labelEnds[column - 1]
        let count = labelEnds[column] - start
        if try window.isNext(UnsafeRawBufferPointer(rebasing: labels[start..<start + count])) {
            return window.advance(count)
        }
        // The name has spaces or other escapes, or is not that of the next column.
        try window.skipBlanks()
        let place = window.place
        guard try window.peek() == 0x22 else { throw try missing(column, in: &window) }
        let name = try window.string()
        guard name.utf8.elementsEqual(entity.columns[column].name.utf8) else {
            throw misplaced(name, insteadOf: column, at: place, window)
        }
        try window.skipBlanks()
        try window.take(":")
    }

    /// A record ended before its last column.
    private func missing(_ column: Int, in window: inout ReadingWindow) throws(GodwitError) -> GodwitError {
        guard try window.peek() == 0x7D else { return window.unexpected("the next column of a record") }
        return window.damage("a record of \(entity.name) has no '\(entity.columns[column].name)'")
    }

    private func misplaced(_ column: Int, in window: inout ReadingWindow) throws(GodwitError) -> GodwitError {
        guard try window.peek() == 0x22 else { return window.unexpected("the next column of a record") }
        let place = window.place
        return misplaced(try window.string(), insteadOf: column, at: place, window)
    }

    private func misplaced(
        _ name: String, insteadOf column: Int, at place: Int, _ window: borrowing ReadingWindow
    ) -> GodwitError {
        let found = entity.columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
        let what =
            switch found {
            case let index? where index < column: "has '\(name)' twice"
            case .some: "has '\(name)' outside of the order of its columns"
            // An unknown name may be any text, also a user's.
            case nil: "has a column that was not declared"
            }
        return window.damage("a record of \(entity.name) \(what)", at: place)
    }

    // MARK: Values

    @inline(__always)
    private mutating func readValue(_ column: Int, _ window: inout ReadingWindow) throws(GodwitError) {
        switch try window.peek() {
        case 0x22?: try readText(column, &window)
        case 0x2D?, 0x30?, 0x31?, 0x32?, 0x33?, 0x34?, 0x35?, 0x36?, 0x37?, 0x38?, 0x39?:
            try readNumber(column, &window)
        case 0x6E?:
            try window.take(word: "null")
            fields[column].type = .null
        case 0x7B?: try readTagged(column, &window)
        case nil: throw window.unexpected("a value")
        default: throw window.damage("'\(entity.columns[column].name)' of \(entity.name) is not a value of the format")
        }
    }

    private mutating func readText(_ column: Int, _ window: inout ReadingWindow) throws(GodwitError) {
        let span = try window.text()
        fields[column].type = .text
        fields[column].isDecoded = span.hasEscapes
        (fields[column].place, fields[column].count) = (span.start, span.count)
        guard span.hasEscapes else { return }
        let before = scratch.count
        guard scratch.append(unescaping: .init(start: window.unitBytes + span.start, count: span.count)) else {
            throw window.damage(
                "'\(entity.columns[column].name)' of \(entity.name) has an escape that is not text",
                at: span.start)
        }
        (fields[column].place, fields[column].count) = (before, scratch.count - before)
    }

    private mutating func readNumber(_ column: Int, _ window: inout ReadingWindow) throws(GodwitError) {
        let number = try window.number()
        if !number.isReal {
            guard let integer = number.integer, integer.magnitude < 1 << 53 else {
                throw damage(column, "is a whole number that must be written as $int", number.start, window)
            }
            fields[column].type = .integer
            fields[column].bits = UInt64(bitPattern: integer)
            return
        }
        guard let real = number.real(in: .init(start: window.unitBytes, count: window.place)) else {
            throw damage(column, "is larger than any number that SQLite stores", number.start, window)
        }
        fields[column].type = .real
        fields[column].bits = real.bitPattern
    }

    /// Reads `{"$blob":"…"}` or another tagged value: one member, nothing else.
    private mutating func readTagged(_ column: Int, _ window: inout ReadingWindow) throws(GodwitError) {
        let start = window.place
        try window.take("{")
        try window.skipBlanks()
        let tag = try window.string()
        try window.skipBlanks()
        try window.take(":")
        try window.skipBlanks()
        guard try window.peek() == 0x22 else { throw damage(column, "is not a value of the format", start, window) }
        let span = try window.text()
        try window.skipBlanks()
        guard try window.takes("}") else { throw damage(column, "has more than one tag", start, window) }
        let text = UnsafeRawBufferPointer(start: window.unitBytes + span.start, count: span.count)
        guard !span.hasEscapes, store(column, tag, text) else {
            throw damage(column, "is not a value of the format", start, window)
        }
    }

    /// Stores a tagged value; false if the text is invalid for the tag, or must be written without one.
    private mutating func store(_ column: Int, _ tag: String, _ text: UnsafeRawBufferPointer) -> Bool {
        switch tag {
        case "$blob":
            return storeDecoded(column, .blob, text)
        case "$text":
            guard storeDecoded(column, .text, text) else { return false }
            let field = fields[column]
            return !UnsafeRawBufferPointer(start: scratch.bytes + field.place, count: field.count)
                .isValidUTF8WithoutNUL
        case "$int":
            guard text.count <= 20, let integer = Int64(String(decoding: text, as: UTF8.self)),
                integer.magnitude >= 1 << 53, text.first != 0x2B, text[text.first == 0x2D ? 1 : 0] != 0x30
            else { return false }
            fields[column].type = .integer
            fields[column].bits = UInt64(bitPattern: integer)
        case "$real":
            guard text.elementsEqual("Infinity".utf8) || text.elementsEqual("-Infinity".utf8) else { return false }
            fields[column].type = .real
            fields[column].bits = (text.first == 0x2D ? -Double.infinity : .infinity).bitPattern
        default: return false
        }
        return true
    }

    private mutating func storeDecoded(_ column: Int, _ type: StorageClass, _ text: UnsafeRawBufferPointer) -> Bool {
        let before = scratch.count
        guard scratch.append(base64: text) else { return false }
        fields[column].type = type
        fields[column].isDecoded = true
        (fields[column].place, fields[column].count) = (before, scratch.count - before)
        return true
    }

    private func damage(
        _ column: Int, _ what: String, _ place: Int, _ window: borrowing ReadingWindow
    ) -> GodwitError {
        window.damage("'\(entity.columns[column].name)' of \(entity.name) \(what)", at: place)
    }
}
