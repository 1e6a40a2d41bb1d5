import GodwitModel
import GodwitTestSupport

/// A model of the merge with dictionaries and plain numbers: the expected contents of the stores.
struct MergeModel {
    /// A record of the model; its date is a number that was not read from the column.
    struct Record: Equatable {
        var values: [Value]
        var milliseconds: Int64?
    }

    private(set) var cloud: [Value: Record]
    private(set) var inserted = 0
    private(set) var updated = 0
    private(set) var equal = 0
    private(set) var cloudKept = 0
    /// The records that a local one replaced.
    private(set) var replaced: [Value: Record] = [:]

    init(local: [Value: Record], cloud: [Value: Record], rule: ConflictRule) {
        self.cloud = cloud
        for (key, mine) in local {
            guard let theirs = cloud[key] else {
                self.cloud[key] = mine
                inserted += 1
                continue
            }
            if mine.values == theirs.values {
                equal += 1
            } else if Self.localWins(mine.milliseconds ?? .min, theirs.milliseconds ?? .min, rule) {
                self.cloud[key] = mine
                replaced[key] = theirs
                updated += 1
            } else {
                cloudKept += 1
            }
        }
    }

    private static func localWins(_ mine: Int64, _ theirs: Int64, _ rule: ConflictRule) -> Bool {
        switch rule {
        case .keepLocal: true
        case .keepCloud: false
        case .keepNewest: mine > theirs
        case .keepEarliest: mine < theirs
        }
    }
}

/// Random records with many ties: few keys, few values, and few instants, each written in many ways.
struct RandomRecords {
    var generator: SeededGenerator
    let keys: [Value]

    static let texts = ["", "a", "A", "b", "B", "a ", "aa", "é", "e\u{301}", "日本", "😀", "ｚ", "10", "9", "\n\"'\\"]
    static let integers: [Int64] = [0, 1, -1, 9, 10, 255, .max, .min, 9_007_199_254_740_993]
    static let reals: [Double] = [0.5, -0.5, 1, 1e300, .leastNonzeroMagnitude, .infinity, 9_007_199_254_740_992, 0.1]
    static let blobs: [[UInt8]] = [[], [0], [0, 1], [97], [255], [255, 0]]

    /// The kinds of keys that a table may have, with the declared type of the column; without a type, keys are of any
    /// kind.
    static var kinds: [(type: String, keys: [Value])] {
        let (text, integer) = (texts.map { Value.string($0) }, integers.map { Value.integer($0) })
        let (real, blob) = (reals.map { Value.real($0) }, blobs.map { Value.blob($0) })
        return [("TEXT", text), ("INTEGER", integer), ("BLOB", blob), ("", text + integer + real + blob)]
    }

    mutating func store() -> [Value: MergeModel.Record] {
        var records: [Value: MergeModel.Record] = [:]
        for key in keys where Int.random(in: 0..<3, using: &generator) > 0 {
            let (date, milliseconds) = date()
            records[key] = MergeModel.Record(values: [key, value(), value(), date], milliseconds: milliseconds)
        }
        return records
    }

    /// Another store that shares some records with a first one.
    mutating func store(resembling other: [Value: MergeModel.Record]) -> [Value: MergeModel.Record] {
        var records = store()
        for key in keys where records[key] != nil {
            if let same = other[key], Int.random(in: 0..<4, using: &generator) == 0 { records[key] = same }
        }
        return records
    }

    private mutating func value() -> Value {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: .string(Self.texts.randomElement(using: &generator) ?? "")
        case 1: .integer(Self.integers.randomElement(using: &generator) ?? 0)
        case 2: .real(Self.reals.randomElement(using: &generator) ?? 0)
        case 3: .blob(Self.blobs.randomElement(using: &generator) ?? [])
        default: .null
        }
    }

    /// A date and its milliseconds: one of six instants in January 2026, as text with any offset or as a number;
    /// sometimes none.
    private mutating func date() -> (Value, Int64?) {
        let start: Int64 = 1_767_225_600  // 2026-01-01T00:00:00Z
        let halves = Int64.random(in: 0..<6, using: &generator) * 3 + 10 * 86_400 * 2
        let milliseconds = start * 1000 + halves * 500
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return (.null, nil)
        case 1: return (.string("2026-02-30T00:00:00Z"), nil)
        case 2: return (.real(Double(start) + Double(halves) / 2), milliseconds)
        case 3 where halves % 2 == 0: return (.integer(start + halves / 2), milliseconds)
        default: return (.string(text(halves)), milliseconds)
        }
    }

    private mutating func text(_ halves: Int64) -> String {
        let minutes = Int64.random(in: -840...840, using: &generator)
        let shifted = halves + minutes * 120
        let seconds = shifted / 2
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (day, time) = (seconds / 86_400 + 1, seconds % 86_400)
        let fraction = shifted % 2 == 0 ? ["", ".0", ".000"].randomElement(using: &generator) ?? "" : ".5"
        let offset = "\(minutes < 0 ? "-" : "+")\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
        return "2026-01-\(two(day))T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))\(fraction)\(offset)"
    }
}
