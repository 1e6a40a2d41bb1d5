import Crypto
import Foundation

/// A document built by hand from parts, so that a test can damage one of them.
///
/// Its hash is correct unless it is set.
struct DocumentText: Sendable {
    var opening = #"{"$schema": "urn:godwit:schema:export:1", "#
    var format = #""format": "godwit-export", "formatVersion": 1, "minReaderVersion": 1, "#
    var about = #""app": "A", "schemaVersion": 1, "generator": {"name": "x", "version": "1"}, "#
    var moment = #""exportedAt": "2026-11-21T06:00:00.000Z", "exportId": "ID", "#
    var source = #""source": {"store": "cloud", "file": "C", "schemaMigration": 1, "contentVersion": "0"}, "#
    var more = ""
    var description =
        #"{"name": "Item", "key": "id", "columns": [{"name": "id", "type": "TEXT"}, {"name": "a", "type": ""}], "count": COUNT"#
    var records = [#"{"id":"k","a":1}"#]
    var count: Int?
    var counts: String?
    var hash: String?
    var ending = "}\n"

    /// The array in the plain layout.
    var entities: String {
        let list = records.isEmpty ? "" : "\n    " + records.joined(separator: ",\n    ")
        return "[\(announced),\n   \"records\": [\(list)]}]"
    }

    private var announced: String {
        description.replacingOccurrences(of: "COUNT", with: String(count ?? records.count))
    }

    private var integrity: String {
        let digits = SHA256.hash(data: Data(entities.utf8)).map { String(format: "%02x", $0) }.joined()
        let counts = counts ?? "{\"Item\": \(count ?? records.count)}"
        return #""integrity": {"counts": \#(counts), "sha256": "\#(hash ?? digits)"}"#
    }

    /// An edited plain document with a correct hash.
    static func rehashed(_ text: String) -> String {
        guard let start = text.range(of: "\"entities\": "), let end = text.range(of: ",\n \"integrity\""),
            let hash = text.range(of: "\"sha256\": \"", options: .backwards)
        else { return text }
        let entities = text[start.upperBound..<end.lowerBound]
        let digits = SHA256.hash(data: Data(entities.utf8)).map { String(format: "%02x", $0) }.joined()
        return text[..<hash.upperBound] + digits + text[hash.upperBound...].dropFirst(64)
    }

    var plain: String {
        opening + format + about + moment + source + more + "\"entities\": \(entities),\n \(integrity)" + ending
    }

    var lines: String {
        let header = opening + format + "\"layout\": \"lines\", " + about + moment + source + more
        let rows = records.map { "{\"entity\":\"Item\",\"record\":\($0)}\n" }.joined()
        return header + "\"entities\": [\(announced)}]}\n" + rows + "{\(integrity)" + ending
    }

    static func value(_ json: String) -> DocumentText {
        var text = DocumentText()
        text.records = [#"{"id":"k","a":\#(json)}"#]
        return text
    }

    init(_ change: (inout DocumentText) -> Void = { _ in }) { change(&self) }
}
