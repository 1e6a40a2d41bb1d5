import GodwitModel
import Foundation
import GodwitExport
import Testing

/// The JSON Schema has the same words and limits as the code; `Scripts/test` checks that documents match it.
struct ExportSchemaTests {
    private static let repository = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    private static func read(_ name: String) throws -> [String: Any] {
        let file = repository.appending(path: "docs/schema/\(name).schema.json")
        return try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    /// A part of the schema, by the names on its path.
    private static func part(_ path: String) throws -> [String: Any] {
        var part = try read("export-1")
        for name in path.split(separator: ".") {
            part = try #require(part[String(name)] as? [String: Any], "\(path)")
        }
        return part
    }

    static let lists: [(path: String, words: [String])] = [
        ("source.properties.store", [StoreRole.local, .cloud].map(\.rawValue)),
        ("freshness.properties.status", Freshness.Status.allCases.map(\.rawValue)),
        ("reason.properties.code", Freshness.Code.allCases.map(\.rawValue)),
        ("sync.properties.availability", Freshness.Account.allCases.map(\.rawValue)),
        ("sync.properties.network", Freshness.Network.allCases.map(\.rawValue)),
        ("sync.properties.status", Freshness.Sync.Status.allCases.map(\.rawValue)),
    ]

    @Test("the schema has exactly the words that the code may write", arguments: lists)
    func words(_ path: String, _ words: [String]) throws {
        let listed = try #require(Self.part("$defs." + path)["enum"] as? [String])
        #expect(listed.sorted() == words.sorted())
    }

    @Test("the header's limits are those of the reader")
    func bounds() throws {
        let limits = ReadingLimits()
        #expect(try Self.part("properties.entities")["maxItems"] as? Int == limits.entities)
        #expect(try Self.part("$defs.columns")["maxItems"] as? Int == limits.columns)
        let reader = try Self.part("$defs.header.properties.minReaderVersion")["const"] as? Int
        #expect(reader == Int(DocumentHeader.readerVersion))
    }

    @Test("every member of an export is described by the schema")
    func members() throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES ('k', 1, 2)")
        try fixture.export()
        let document = try fixture.document()
        let header = try Self.part("$defs.header.properties")
        for name in document.keys where !["entities", "integrity"].contains(name) {
            #expect(header[name] != nil, "\(name)")
        }
        // The members of `source` that only some exports have.
        let optional: Set = ["environment", "storeMigration", "userVersion", "applicationId"]
        for section in ["source", "freshness", "integrity"] {
            let described = try Set(Self.part("$defs.\(section).properties").keys)
            let members = try Set(#require(document[section] as? [String: Any]).keys)
            #expect(members == (section == "source" ? described.subtracting(optional) : described), "\(section)")
            #expect(section != "source" || optional.isSubset(of: described))
        }
    }

    @Test("the page of the format links to the schemas at their paths")
    func links() throws {
        let page = try String(contentsOf: Self.repository.appending(path: "docs/export-format.md"), encoding: .utf8)
        for name in ["export-1", "export-lines-1"] {
            #expect(page.contains("(schema/\(name).schema.json)"))
            #expect(try Self.read(name)["$id"] as? String == "urn:godwit:schema:\(name.dropLast(2)):1")
        }
    }
}
