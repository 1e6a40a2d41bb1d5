import GodwitModel
import GodwitPropertyList
import Testing

/// The check between an edit and the disk finds every wrong result.
struct EditProofTests {
    private static let original = "{\"a\": 1, \"in\": {\"b\": [true, 0.0]}, \"t\": \"caf\u{E9}\"}"

    private func verdict(
        _ edited: String, flag: Bool = true, limits: LegacyLimits = .standard
    ) throws -> GodwitError.Code? {
        let before = try LegacyDocument(Array(Self.original.utf8))
        do throws(GodwitError) {
            try PropertyListEditor.prove(
                Array(edited.utf8), comesFrom: before, with: "done", setTo: flag, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    private static let edited = String(original.dropLast()) + ", \"done\": true}"

    /// The right result with a piece replaced.
    private static func with(_ old: String, _ new: String) -> String {
        edited.replacing(old, with: new)
    }

    @Test("a correct edit passes its check")
    func right() throws {
        #expect(try verdict(Self.edited) == nil)
        #expect(try verdict(Self.with("true}", "false}"), flag: false) == nil)
    }

    @Test(
        "an edit that changed anything else is reported as a bug",
        arguments: [
            ("\"a\": 1", "\"a\": 2"), ("\"a\": 1", "\"a\": 1.0"), ("\"a\": 1, ", ""), ("\"a\"", "\"b\""),
            ("0.0", "-0.0"), ("[true", "[false"),
            ("[true, 0.0]", "[true]"), ("[true, 0.0]", "[0.0, true]"), ("[true, 0.0]", "{}"),
            ("{\"b\": [true, 0.0]}", "[]"),
            ("caf\u{E9}", "cafe\u{301}"), ("\"done\": true", "\"done\": false"), ("\"done\": true", "\"done\": 1"),
            (", \"done\": true", ""),
            ("\"done\": true", "\"done\": true, \"more\": true"), ("\"done\"", "\"Done\""), ("}", "]"),
        ])
    func wrong(old: String, new: String) throws {
        #expect(try verdict(Self.with(old, new)) == .bug)
    }

    @Test("the error of a wrong edit has no values")
    func message() throws {
        let before = try LegacyDocument(Array("{\"token\": \"secret-value\"}".utf8))
        let error = #expect(throws: GodwitError.self) {
            try PropertyListEditor.prove(
                Array("{}".utf8), comesFrom: before, with: "done", setTo: true, limits: .standard)
        }
        #expect(error?.message == "setting 'done' would have damaged the file; nothing was written")
        #expect(error?.description.contains("secret-value") == false)
        #expect(error?.hint?.contains("Report this") == true)
    }

    @Test("a result beyond the limits is a data error, not a bug")
    func limits() throws {
        #expect(try verdict(Self.edited, limits: .init(nodes: 5)) == .data)
        #expect(try verdict(Self.edited, limits: .init(bytes: 20)) == .data)
        #expect(try verdict(Self.edited, limits: .init(depth: 2)) == .data)
    }

    @Test("an edit that changed the order of keys is reported as a bug")
    func order() throws {
        #expect(try verdict("{\"done\": true, " + Self.original.dropFirst()) == .bug)
    }
}
