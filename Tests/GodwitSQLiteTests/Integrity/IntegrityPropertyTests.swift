import Foundation
import GodwitModel
import GodwitTestSupport
import Synchronization
import Testing

/// On generated tables, indexes and damage, the proof by scans gives the verdict of SQLite's own `integrity_check`.
///
/// GODWIT_INTEGRITY_SEEDS sets how many, or which: `5000`, or `5000..<6000`; 300 in every `swift test`.
struct IntegrityPropertyTests {
    static let seeds = GeneratedCases.seeds("GODWIT_INTEGRITY_SEEDS", all: 300, few: 100)

    /// Similar values, and values that are equal but not identical.
    private static let values = [
        "NULL", "NULL", "0", "-0.0", "0.0", "1", "1.0", "1.5", "-1", "2", "9007199254740992", "9007199254740993",
        "9007199254740992.0", "9223372036854775807", "9223372036854775808.0", "-9223372036854775808", "1e999", "''",
        "'a'",
        "'A'", "'b'", "'1'", "'a '", "CAST(x'6100' AS TEXT)", "CAST(x'610062' AS TEXT)", "CAST(x'FF' AS TEXT)", "x''",
        "x'61'", "x'00'", "'longer than the eight bytes of a word'", "'longer than the eight bytes of a wore'",
        // As long as the longest text that is stored with a rowid in one step, and longer.
        "substr(hex(zeroblob(150)), 1, 239) || 'a'", "substr(hex(zeroblob(150)), 1, 239) || 'b'",
        "substr(hex(zeroblob(150)), 1, 239) || 'bc'", "hex(zeroblob(150))",
    ]

    @Test("the verdict on any index, right or wrong, is SQLite's")
    func sameVerdict() throws {
        let folder = try TemporaryFolder()
        var (proven, sound, damaged) = (0, 0, 0)
        var problems: [String] = []
        for seed in Self.seeds {
            var dice = IntegrityDice(seed: UInt64(seed))
            let path = folder["\(seed).store"]
            let forged = Self.forged(&dice)
            try forged.make(at: path)
            if dice.roll(4) == 0 { try Self.spoil(path, &dice) }
            let (proof, sqlite) = (Verdict(of: path, largeFrom: 0), Verdict(of: path, largeFrom: .max))
            if proof.isSound { sound += 1 } else { damaged += 1 }
            if case .sound(let tables) = proof, tables.contains("T") { proven += 1 }
            if proof.isSound != sqlite.isSound {
                problems.append("seed \(seed): \(proof), SQLite: \(sqlite); \(forged)")
            } else {
                try folder.remove("\(seed).store")
            }
        }
        #expect(problems == [])
        // A family that is always sound, or always damaged, would prove nothing.
        let least = Self.seeds.count / 5
        #expect(sound >= least && damaged >= least, "\(sound) sound, \(damaged) damaged")
        // So would a family in which the scans never decide.
        #expect(proven >= sound * 9 / 10, "\(proven) of \(sound) proven by scans")
    }

    @Test("the verdict on an index does not depend on the table's other indexes")
    func sameVerdictComputing() throws {
        let folder = try TemporaryFolder()
        let path = folder["a.store"]
        var (sound, damaged) = (0, 0)
        for seed in Self.seeds {
            var dice = IntegrityDice(seed: UInt64(seed))
            var forged = Self.forged(&dice)
            forged.more = dice.pick(["CREATE INDEX P ON T(b) WHERE a IS NOT NULL", "CREATE INDEX P ON T(a || 'x')"])
            try forged.make(at: path)
            let store = try SampleStore(path)
            // For some damage SQLite fails instead of returning a row.
            let finding = (try? store.text("PRAGMA integrity_check(1)")) ?? "malformed"
            try store.close()
            if finding == "ok" { sound += 1 } else { damaged += 1 }
            for size in [0, Int64.max] {
                let verdict = Verdict(of: path, largeFrom: size)
                #expect(verdict.isSound == (finding == "ok"), "seed \(seed): \(verdict), SQLite: \(finding); \(forged)")
            }
            try folder.remove("a.store")
        }
        let least = Self.seeds.count / 5
        #expect(sound >= least && damaged >= least, "\(sound) sound, \(damaged) damaged")
    }

    private static func forged(_ dice: inout IntegrityDice) -> ForgedIndex {
        let types = ["", "", "INTEGER", "REAL", "TEXT", "BLOB", "NUMERIC"]
        let isKeyed = dice.roll(4) == 0
        let columns = "\(isKeyed ? "k INTEGER NOT NULL PRIMARY KEY, " : "")a \(dice.pick(types)), b \(dice.pick(types))"
        let count = 1 + dice.roll(dice.roll(5) == 0 ? 300 : 20)
        let records = (1...count).map { "(\($0), \(dice.pick(values)), \(dice.pick(values)))" }
        let keys = ["(a)", "(b)", "(a DESC)", "(a, b)", "(b DESC, a)", "(a, b DESC)"]
        let row = isKeyed ? "k" : "rowid"
        var forged = ForgedIndex(
            columns: columns, options: isKeyed ? "WITHOUT ROWID" : "", stored: "\(row), a, b",
            values: records.joined(separator: ", "), made: dice.pick(keys))
        if dice.roll(8) == 0 { forged.declared = dice.pick(keys) }
        forged.isUnique = dice.roll(6) == 0
        var changes: [String] = []
        while dice.roll(2) == 0 {
            let place = 1 + dice.roll(count)
            switch dice.roll(5) {
            case 0: changes.append("DELETE FROM S WHERE \(row) = \(place)")
            case 1: changes.append("UPDATE OR IGNORE S SET \(row) = \(place + dice.roll(2)) WHERE \(row) = \(place)")
            case 2:
                changes.append(
                    "INSERT OR IGNORE INTO S(\(row), a, b) VALUES "
                        + "(\(count + dice.roll(2)), \(dice.pick(values)), \(dice.pick(values)))")
            default:
                let new = "\(dice.pick(["a", "b"])) = \(dice.pick(values))"
                changes.append("UPDATE S SET \(new) WHERE \(row) = \(place)")
            }
        }
        forged.change = changes.joined(separator: "; ")
        return forged
    }

    /// Changes bytes after the first page, which holds the schema.
    private static func spoil(_ path: String, _ dice: inout IntegrityDice) throws {
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        for _ in 0...dice.roll(3) {
            // Records fill their pages from the end.
            let page = 1 + dice.roll(bytes.count / 4096 - 1)
            let place = dice.roll(2) == 0 ? 4095 - dice.roll(300) : dice.roll(4096)
            bytes[page * 4096 + place] ^= 1 << UInt8(dice.roll(8))
        }
        try Data(bytes).write(to: URL(filePath: path))
    }
}

/// A random number generator with a seed: SplitMix64, <https://prng.di.unimi.it/splitmix64.c>.
private struct IntegrityDice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x5851_F42D_4C95_7F2D }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &self) }
    mutating func pick<T>(_ choices: [T]) -> T { choices[roll(choices.count)] }
}
