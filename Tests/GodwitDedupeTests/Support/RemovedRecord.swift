import GodwitModel
import FoundationLite
import GodwitTestSupport
import Testing

extension DedupeBench {
    /// The records in `godwit_removed` with all columns, in the order they were removed.
    ///
    /// SQLite's own JSON functions parse them, independently of Godwit's writer.
    func removedRecords() throws -> [[String: Value]] {
        try rows("SELECT id FROM godwit_removed ORDER BY id").map { row in
            let fields = try rows(
                "SELECT j.key, j.type, j.value FROM godwit_removed AS r, json_each(r.record) AS j WHERE r.id = ?", row)
            var record: [String: Value] = [:]
            for field in fields {
                #expect(record[field[0].readable] == nil, "each column once")
                record[field[0].readable] = field[1] == .string("object") ? try tagged(field[2]) : field[2]
            }
            return record
        }
    }

    /// The value in `{"$blob":"…"}` and similar objects; the name of the only member is its type.
    private func tagged(_ json: Value) throws -> Value {
        let members = try rows("SELECT key, value FROM json_each(?)", [json])
        try #require(members.count == 1)
        let text = members[0][1].readable
        switch members[0][0].readable {
        case "$blob": return .blob(Array(try #require(Data(base64Encoded: text))))
        case "$text": return .text(Array(try #require(Data(base64Encoded: text))))
        case "$int": return .integer(try #require(Int64(text)))
        case "$real": return .real(try #require(Double(text)))
        case let tag:
            Issue.record("unknown tag \(tag)")
            return .null
        }
    }
}
