internal import GodwitModel
internal import GodwitSQLite

/// Counts properties of a column's values in one pass; memory does not grow with the table.
struct ColumnTally {
    private(set) var missing: Int64 = 0
    private(set) var numbers = NumberTally()
    private(set) var texts = TextTally()
    private(set) var blobs = BlobTally()
    private(set) var longest: Int64 = 0
    /// The first values, if they may be shown.
    private(set) var samples: [Value] = []
    private let keptSamples: Int

    init(keepingSamples count: Int = 0) { keptSamples = count }

    /// Number of values that are not NULL.
    var present: Int64 { numbers.count + texts.count + blobs.count }

    /// Counts the value of a column in the current row.
    mutating func add(_ row: borrowing SQLiteCursor, _ column: Int, now: Instant) {
        switch row.type(column) {
        case .null: missing += 1
        case .integer:
            let number = row.integer(column)
            numbers.add(integer: number)
            keep { .integer(number) }
        case .real:
            let number = row.real(column)
            numbers.add(real: number)
            keep { .real(number) }
        case .text:
            let size = row.withBytes(column) { bytes in
                texts.add(bytes, now: now)
                return bytes.count
            }
            longest = max(longest, Int64(size))
            if samples.count < keptSamples { keep { row.value(column) } }
        case .blob:
            let size = row.withBytes(column) { bytes in
                blobs.add(bytes)
                return bytes.count
            }
            longest = max(longest, Int64(size))
            keep { .blob([UInt8](repeating: 0, count: min(size, 1 << 20))) }
        }
    }

    private mutating func keep(_ value: () -> Value) {
        guard samples.count < keptSamples else { return }
        let value = value()
        if !samples.contains(value) { samples.append(value) }
    }
}

/// Counts numbers: their range, and whether they are not booleans or integers.
struct NumberTally {
    private(set) var count: Int64 = 0
    private(set) var reals: Int64 = 0
    /// Number of values other than 0 and 1.
    private(set) var others: Int64 = 0
    /// Without 0, which many apps write for "no date".
    private(set) var lowest = Double.infinity
    private(set) var highest = -Double.infinity

    mutating func add(integer: Int64) {
        count += 1
        if integer != 0, integer != 1 { others += 1 }
        take(Double(integer))
    }

    mutating func add(real: Double) {
        count += 1
        reals += 1
        if real != 0, real != 1 { others += 1 }
        take(real)
    }

    private mutating func take(_ number: Double) {
        guard number != 0 else { return }
        lowest = min(lowest, number)
        highest = max(highest, number)
    }

    var hasRange: Bool { lowest <= highest }
}

/// Counts texts: how many are dates, UUIDs or JSON.
struct TextTally {
    private(set) var count: Int64 = 0
    private(set) var dates: Int64 = 0
    private(set) var uuids: Int64 = 0
    private(set) var documents: Int64 = 0
    private(set) var earliest: Instant?
    private(set) var latest: Instant?
    private(set) var future: Int64 = 0

    mutating func add(_ bytes: UnsafeRawBufferPointer, now: Instant) {
        count += 1
        if ByteShape.isUUID(bytes) { uuids += 1 }
        if ByteShape.isDocument(bytes) { documents += 1 }
        // A year or number without more is not a date, and no date is longer than 40 bytes.
        guard (10...40).contains(bytes.count), bytes[4] == UInt8(ascii: "-") else { return }
        var text = Array(bytes)[...]
        guard let date = Instant(iso8601Bytes: &text) else { return }
        dates += 1
        earliest = min(earliest ?? date, date)
        latest = max(latest ?? date, date)
        if date > now { future += 1 }
    }
}

/// Counts blobs: how many are UUIDs, JSON, property lists or keyed archives.
struct BlobTally {
    private(set) var count: Int64 = 0
    private(set) var uuids: Int64 = 0
    /// Values of 16 bytes, with or without a known UUID version.
    private(set) var sixteens: Int64 = 0
    private(set) var documents: Int64 = 0
    private(set) var propertyLists: Int64 = 0
    private(set) var archives: Int64 = 0
    /// Data in the row with Core Data's mark, and references to files.
    private(set) var marked: Int64 = 0
    private(set) var references: Int64 = 0
    /// Marked values that continue like a file.
    private(set) var markedFiles: Int64 = 0
    private(set) var empty: Int64 = 0

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        count += 1
        if bytes.isEmpty { empty += 1 }
        if bytes.first == 1 { marked += 1 }
        if ByteShape.isExternalReference(bytes) { references += 1 }
        if ByteShape.isMarkedFile(bytes) { markedFiles += 1 }
        if bytes.count == 16 { sixteens += 1 }
        if ByteShape.isUUIDBytes(bytes) { uuids += 1 }
        if ByteShape.isDocument(bytes) { documents += 1 }
        guard ByteShape.isPropertyList(bytes) else { return }
        propertyLists += 1
        if ByteShape.isArchive(bytes) { archives += 1 }
    }
}
