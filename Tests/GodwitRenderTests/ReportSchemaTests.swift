import GodwitModel
import Foundation
import Testing

/// docs/schema/report-1.schema.json says what the code does: its words, its members, and nothing that no page names.
///
/// That every report fits it is shown by `Scripts/validate-reports`, which shares no code with Godwit.
struct ReportSchemaTests {
    private let schema: [String: Any]
    private let definitions: [String: [String: Any]]

    init() throws {
        let path = GoldenReport.root + "/docs/schema/report-1.schema.json"
        let value = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
        schema = try #require(value as? [String: Any])
        definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    }

    private func words(_ definition: String, _ member: String? = nil) throws -> [String] {
        var found = try #require(definitions[definition])
        if let member {
            let members = try #require(found["properties"] as? [String: [String: Any]])
            found = try #require(members[member])
        }
        return try #require(found["enum"] as? [String])
    }

    @Test("lists of words are those of the code")
    func lists() throws {
        #expect(try words("bucket") == RunReport.Legacy.KeyOutcome.allCases.map(\.rawValue))
        #expect(try words("layout") == ExportReport.Layout.allCases.map(\.rawValue))
        #expect(try words("error", "stage") == GodwitError.Stage.allCases.map(\.rawValue))
        #expect(try words("inspectReport", "kind") == InspectedKind.allCases.map(\.rawValue))
        #expect(try words("inspectReport", "layout") == InspectedLayout.allCases.map(\.rawValue))
        #expect(try words("inspectedStore", "layout") == InspectedStoreLayout.allCases.map(\.rawValue))
        #expect(try words("inspectedColumn", "kind") == ValueKind.allCases.map(\.rawValue))
        #expect(try words("inspectedColumn", "encoding") == InstantEncoding.allCases.map(\.rawValue))
        #expect(try words("inspectedKey", "role") == KeyRole.allCases.map(\.rawValue))
        #expect(try words("keyEvidence") == KeyEvidence.allCases.map(\.rawValue))
        #expect(try words("freshness", "status") == Freshness.Status.allCases.map(\.rawValue))
        #expect(try words("freshnessReason", "code") == Freshness.Code.allCases.map(\.rawValue))
        #expect(try words("syncOverview", "availability") == Freshness.Account.allCases.map(\.rawValue))
        #expect(try words("syncOverview", "network") == Freshness.Network.allCases.map(\.rawValue))
        #expect(try words("syncOverview", "status") == Freshness.Sync.Status.allCases.map(\.rawValue))
        #expect(try words("dedupeGroup", "reason") == DetailTextTests.reasons.map(\.0.rawValue))
        #expect(try Set(words("outcome")) == Set(StageTextTests.schemaLines.map(\.0.rawValue)))
    }

    @Test("the codes of errors are all exit codes except the verdicts")
    func codes() throws {
        let members = try #require(definitions["error"]?["properties"] as? [String: [String: Any]])
        let codes = try #require(members["code"]?["enum"] as? [Int])
        #expect(codes == GodwitError.Code.allCases.map { Int($0.rawValue) }.filter { $0 >= 64 })
    }

    @Test("every object is closed, every member described, and every member is on the page")
    func closed() throws {
        let path = GoldenReport.root + "/docs/report-format.md"
        let page = try String(contentsOfFile: path, encoding: .utf8)
        for (name, definition) in definitions {
            guard let members = definition["properties"] as? [String: [String: Any]] else { continue }
            #expect(definition["additionalProperties"] as? Bool == false, "\(name)")
            for (member, value) in members {
                #expect(page.contains("`\(member)`"), "\(name).\(member)")
                let target = (value["$ref"] as? String)?.split(separator: "/").last.map(String.init)
                let isDescribed =
                    value["description"] != nil || target.flatMap { definitions[$0]?["description"] } != nil
                #expect(isDescribed, "\(name).\(member)")
            }
            let required = definition["required"] as? [String] ?? []
            #expect(Set(required).isSubset(of: members.keys), "\(name)")
        }
    }

    @Test("every definition is reached from the reports")
    func reached() throws {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: schema), as: UTF8.self)
        let names = text.matches(of: /#\\?\/\$defs\\?\/([A-Za-z0-9]+)/).map { String($0.output.1) }
        #expect(Set(names) == Set(definitions.keys))
    }
}
