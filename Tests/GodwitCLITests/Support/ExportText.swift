import GodwitModel
import Foundation
import GodwitTestSupport

struct ExportText {
    let text: String

    init(_ text: String) { self.text = text }

    /// The bytes of the `entities` array with its brackets: the hashed part.
    var entities: String? {
        guard let start = text.range(of: "\n \"entities\": "), let end = text.range(of: ",\n \"integrity\": ") else {
            return nil
        }
        return String(text[start.upperBound..<end.lowerBound])
    }
}

extension SampleStore {
    /// All records of a table in key order, as SQLite reads them, in the form of an export.
    func records(of table: String, key: String) throws -> [JSONValue] {
        let columns = try rows("SELECT name FROM pragma_table_info('\(table)')").map { $0[0].readable }
        return try rows("SELECT * FROM \"\(table)\" ORDER BY \"\(key)\" COLLATE BINARY").map { row in
            .object(Dictionary(uniqueKeysWithValues: zip(columns, row.map(\.exported))))
        }
    }
}

extension Value {
    /// As JSON; a whole real is compared as a number, and the committed text checks whether it has a decimal point.
    fileprivate var exported: JSONValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): Int64(exactly: number).map(JSONValue.integer) ?? .real(number)
        case .text: .string(readable)
        case .blob(let bytes): .object(["$blob": .string(Data(bytes).base64EncodedString())])
        }
    }
}
