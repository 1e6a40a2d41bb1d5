import GodwitModel
import GodwitSQLite
import GodwitTestSupport

/// A table made from a seed: odd names, types and values.
struct GeneratedTable {
    let name: String
    let key: String
    let sql: String
    /// The columns with values, and their rows.
    let columns: [String]
    private(set) var rows: [[Value]]

    /// The same table later, in another order: some rows were removed, changed or added, others stayed.
    func later(using dice: inout SeededGenerator) -> GeneratedTable {
        var later = self
        later.rows = rows.filter { _ in Int.random(in: 0..<4, using: &dice) > 0 }
        for row in later.rows.indices where Int.random(in: 0..<3, using: &dice) == 0 {
            later.rows[row][Int.random(in: columns.indices, using: &dice)] = Self.value(&dice)
        }
        later.rows += (0..<Int.random(in: 0...3, using: &dice)).map { _ in columns.map { _ in Self.value(&dice) } }
        later.rows.shuffle(using: &dice)
        return later
    }

    var entity: Entity { Entity(name: name, key: key) }

    private static let names = [
        "id", "select", "Order", "a b", "quo\"te", "it's", "naïve", "日本", "e\u{301}", "é", "🏋", "[x]", "`y`", "\\",
        "a\tb",
        "group", "values", "x;--", "rowid", "$blob", "records", "%s", "A", "zz", "-", "1", "?", ":p", "entities",
    ]
    private static let types = [
        "", "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC", "DATE", "BOOLEAN", "VARCHAR(20)", "TEXT COLLATE NOCASE",
        "INT COLLATE RTRIM", "FLOATING POINT", "DOUBLE", "DECIMAL(10,5)", "ANY", "CLOB", "STRING", "JSON",
    ]
    private static let strictTypes = ["INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY", "TEXT COLLATE NOCASE"]

    /// A table; `number` separates the names in one store.
    init(number: Int, using dice: inout SeededGenerator) {
        let isStrict = Int.random(in: 0..<4, using: &dice) == 0
        let hasPrimaryKey = Int.random(in: 0..<3, using: &dice) == 0
        let isWithoutRowid = hasPrimaryKey && Bool.random(using: &dice)
        var pool = Self.names.shuffled(using: &dice)
        // For SQLite these are the same name.
        if let first = pool.firstIndex(of: "A") { pool.remove(at: first) }
        let count = Int.random(in: 1...6, using: &dice)
        let names = Array(pool.prefix(count))
        var parts: [String] = []
        for (index, column) in names.enumerated() {
            let type = (isStrict ? Self.strictTypes : Self.types).randomElement(using: &dice) ?? ""
            let isKey = hasPrimaryKey && index == 0
            let plain = type.split(separator: " ").first.map(String.init) ?? ""
            parts.append("\(quoted(column)) \(isKey ? plain + " PRIMARY KEY" : type)")
        }
        if Int.random(in: 0..<4, using: &dice) == 0 {
            let kind = Bool.random(using: &dice) ? "STORED" : "VIRTUAL"
            let type = isStrict ? "TEXT" : ["TEXT", "", "INTEGER"].randomElement(using: &dice) ?? ""
            parts.insert(
                "\"made\" \(type) AS (typeof(\(quoted(names[0])))) \(kind)",
                at: Int.random(in: 0...parts.count, using: &dice))
        }
        name = "\(Self.names.randomElement(using: &dice) ?? "T") \(number)"
        key = names.randomElement(using: &dice) ?? "id"
        let options = [isStrict ? "STRICT" : nil, isWithoutRowid ? "WITHOUT ROWID" : nil].compactMap { $0 }
        sql = "CREATE TABLE \(quoted(name))(\(parts.joined(separator: ", "))) \(options.joined(separator: ", "))"
        columns = names
        rows = (0..<Int.random(in: 0...8, using: &dice)).map { _ in names.map { _ in Self.value(&dice) } }
    }

    /// Makes the table and inserts the values that it accepts: STRICT tables and keys reject some.
    ///
    /// - Parameter encoding: the store's encoding. In UTF-16, bytes that are not UTF-8 are read as code units, paired
    ///   or not, and only SQLite makes the texts.
    func make(in store: SQLiteConnection, encoding: String = "UTF-8") throws {
        try store.execute(sql)
        let list = columns.map(quoted).joined(separator: ", ")
        for row in rows {
            let literals = row.map { Self.literal($0, encoding) }
            let parameters = literals.map { $0 ?? "?" }.joined(separator: ", ")
            let bound = zip(row, literals).filter { $0.1 == nil }.map(\.0)
            try? store.execute("INSERT INTO \(quoted(name)) (\(list)) VALUES (\(parameters))", bound)
        }
    }

    /// A text as the exact bytes of a UTF-16 store; nil for a value that is bound.
    private static func literal(_ value: Value, _ encoding: String) -> String? {
        guard encoding != "UTF-8", case .text(let bytes) = value else { return nil }
        let units =
            String(validating: bytes, as: UTF8.self).map { Array($0.utf16) }
            ?? stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return WideSample(units: units, bytes: bytes).sql(in: encoding)
    }

    static func value(_ dice: inout SeededGenerator) -> Value {
        switch Int.random(in: 0..<17, using: &dice) {
        case 0: return .null
        case 1: return .integer(Int64(bitPattern: dice.next()))
        case 2: return .integer(Int64.random(in: -2...2, using: &dice))
        case 3: return .integer(Int64(1) << 53 + Int64.random(in: -2...2, using: &dice))
        case 4: return .integer([.max, .min, .max - 1, .min + 1].randomElement(using: &dice) ?? 0)
        case 5, 6:
            let real = Double(bitPattern: dice.next())
            return real.isNaN ? .null : .real(real)
        case 7:
            return .real(
                [
                    -0.0, 0.0, .infinity, -.infinity, .leastNonzeroMagnitude, 0.1, 1e15, -1e22, 9_007_199_254_740_994,
                    4e18, 9.3e18,
                ]
                .randomElement(using: &dice) ?? 0)
        case 8: return .real(Double(Int64.random(in: -1000...1000, using: &dice)) / 8)
        case 9: return .blob((0..<Int.random(in: 0..<9, using: &dice)).map { _ in .random(in: 0...255, using: &dice) })
        case 10: return .text((0..<Int.random(in: 0..<9, using: &dice)).map { _ in .random(in: 0...255, using: &dice) })
        case 11:
            // Read as code units, with many surrogates and byte order marks.
            let highs: [UInt8] = [0xD8, 0xDB, 0xDC, 0xDF, 0xFE, 0xFF]
            return .text(
                (0..<Int.random(in: 1..<5, using: &dice)).flatMap { _ in
                    [highs.randomElement(using: &dice) ?? 0, [0, 0x41, 0xFE, 0xFF].randomElement(using: &dice) ?? 0]
                })
        case 12: return .string(numbers.randomElement(using: &dice) ?? "")
        default: return .string(texts.randomElement(using: &dice) ?? "")
        }
    }

    private static let numbers = [
        "1", " 1", "1 ", "+1", "-0", "1.0", "1e3", ".5", "5.", "0x10", "1e", "1e999", "١", "9223372036854775807",
        "9223372036854775808", "00", "\t7\n", "1\u{A0}", "- 1", "1_000", "Infinity", "2026-11-21",
    ]
    private static let texts = [
        "", "a", "A", "a ", "é", "e\u{301}", "日本語", "🏋️‍♀️", "\u{0}", "a\u{0}b", "\"", "\\", "/", "\u{1}\u{1f}\u{7f}",
        "\r\n\t",
        "{\"$blob\":\"AA==\"}", "null", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "\u{10FFFF}", "</script>",
        "'; DROP TABLE x; --",
        String(repeating: "long ", count: 60),
    ]
}
