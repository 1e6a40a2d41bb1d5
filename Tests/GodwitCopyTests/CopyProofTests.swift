import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// The proof, on stores that no copy made.
struct CopyProofTests {
    private static func prove(
        _ rule: ConflictRule = .keepNewest, local: String, cloud: String
    ) throws -> CopyProof.Finding {
        let fixture = try CopyFixture.items(rule)
        try fixture.local(local.isEmpty ? "" : "INSERT INTO Item VALUES \(local)").close()
        try fixture.cloud(cloud.isEmpty ? "" : "INSERT INTO Item VALUES \(cloud)").close()
        let findings = try fixture.prove()
        return try #require(findings.count == 1 ? findings.first : nil)
    }

    private static func finding(_ change: (inout CopyProof.Finding) -> Void) -> CopyProof.Finding {
        var finding = CopyProof.Finding(entity: "Item")
        change(&finding)
        return finding
    }

    @Test("equal stores, and a cloud store with more records, pass the check")
    func holds() throws {
        let found = try Self.prove(
            local: "('a', 1, 2, 3), ('b', x'', '', NULL)",
            cloud: "('b', x'', '', NULL), ('a', 1, 2, 3), ('c', 1, 1, 1)")
        let expected = Self.finding {
            $0.local = 2
            $0.equal = 2
            $0.onlyCloud = 1
        }
        #expect(found == expected)
        #expect(found.holds)
    }

    @Test(
        "kept cloud records with equal dates are counted, and those without dates",
        arguments: ConflictRule.allCases)
    func sameDate(rule: ConflictRule) throws {
        let found = try Self.prove(
            rule, local: "('a', 1, 1, 5), ('b', 1, 1, 5), ('c', 1, 1, NULL), ('d', 1, 1, 5), ('e', 1, 1, NULL)",
            cloud: "('a', 2, 1, 5), ('b', 2, 1, 6), ('c', 2, 1, NULL), ('d', 1, 1, 5), ('e', 2, 1, 5)")
        #expect(found.sameDate == (rule == .keepLocal ? 0 : 1))
        #expect(found.undated == (rule == .keepLocal ? 0 : 1))
        #expect(found.equal == 1)
    }

    @Test("in an entity without dates, all differing kept records are counted")
    func undated() throws {
        let fixture = try CopyFixture([Entity(name: "Item", key: "id")], schema: "CREATE TABLE Item(id, a);")
        try fixture.local("INSERT INTO Item VALUES (1, 'x'), (2, 'x'), (3, 'x')").close()
        try fixture.cloud("INSERT INTO Item VALUES (1, 'x'), (2, 'y'), (3, NULL), (4, 'z')").close()
        let found = try #require(try fixture.prove().first)
        #expect((found.equal, found.cloudKept, found.undated, found.sameDate) == (1, 2, 2, 0))
        #expect(found.holds)
    }

    @Test("a missing record is found at any index", arguments: ["a", "b", "c"])
    func missing(key: String) throws {
        let rows = ["a", "b", "c"].map { "('\($0)', 1, 1, 1)" }
        let found = try Self.prove(
            local: rows.joined(separator: ", "),
            cloud: rows.filter { !$0.contains("'\(key)'") }.joined(separator: ", "))
        #expect(!found.holds)
        #expect((found.local, found.missing, found.equal, found.failed.first?.key) == (3, 1, 2, key))
    }

    @Test("an empty cloud store lacks all records, and an empty source lacks none")
    func empty() throws {
        #expect(try Self.prove(local: "('a', 1, 1, 1)", cloud: "").missing == 1)
        #expect(try Self.prove(local: "", cloud: "('a', 1, 1, 1)").holds)
        #expect(try Self.prove(local: "", cloud: "").holds)
    }

    @Test(
        "a value that differs in any way is found",
        arguments: [
            ("1", "2"), ("1", "1.0"), ("1", "'1'"), ("NULL", "0"), ("NULL", "''"), ("NULL", "x''"), ("''", "x''"),
            ("'a'", "'A'"), ("'a'", "'a '"), ("'a' || char(0) || 'b'", "'a' || char(0) || 'c'"),
            ("'a' || char(0)", "'a'"), ("'é'", "'e' || char(769)"), ("x'00'", "x'0000'"), ("x'ff'", "x'fe'"),
            ("CAST(x'ff' AS TEXT)", "CAST(x'fe' AS TEXT)"), ("0.1", "0.1 + 1e-17 + 1e-16"),
            ("9007199254740993", "9007199254740992"), ("9e999", "-9e999"),
        ])
    func differences(mine: String, theirs: String) throws {
        let local = "('a', 'same', 'same', 2), ('b', \(mine), 0, 2)"
        let cloud = "('a', 'same', 'same', 2), ('b', \(theirs), 0, 1)"
        let found = try Self.prove(local: local, cloud: cloud)
        #expect(!found.holds)
        #expect((found.different, found.equal, found.failed.first?.key) == (1, 1, "b"))
    }

    @Test("a wrong winner is found, and a right one is not reported", arguments: ConflictRule.allCases)
    func winners(rule: ConflictRule) throws {
        let localNewer = try Self.prove(rule, local: "('a', 'l', 1, 2)", cloud: "('a', 'c', 1, 1)")
        #expect(localNewer.holds == (rule == .keepEarliest || rule == .keepCloud))
        let cloudNewer = try Self.prove(rule, local: "('a', 'l', 1, 1)", cloud: "('a', 'c', 1, 2)")
        #expect(cloudNewer.holds == (rule == .keepNewest || rule == .keepCloud))
        let tie = try Self.prove(rule, local: "('a', 'l', 1, 1)", cloud: "('a', 'c', 1, 1)")
        #expect(tie.holds == (rule != .keepLocal))
        for found in [localNewer, cloudNewer, tie] {
            #expect(found.cloudKept + found.different == 1)
            #expect(found.failed.first?.key == (found.holds ? nil : "a"))
        }
    }

    @Test("a cloud store without the table lacks every record")
    func missingTable() throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 1, 1, 1), ('b', 1, 1, 1)").close()
        try SampleStore.make(fixture.cloudPath, "CREATE TABLE Other(x)")
        let found = try #require(try fixture.prove().first)
        #expect((found.local, found.missing, found.holds) == (2, 2, false))
    }

    @Test("an entity that the local store never had is not checked")
    func missingLocally() throws {
        let fixture = try CopyFixture.items()
        try SampleStore.make(fixture.localPath, "CREATE TABLE Other(x)")
        try fixture.cloud().close()
        #expect(try fixture.prove().isEmpty)
    }

    // MARK: Findings against what the copy says

    private static let proof = CopyProof(
        manifest: Manifest(
            app: "Sample", file: "", sha256: "",
            container: .init(preferences: [], local: "", cloud: "", syncEvents: nil),
            schemaDirectory: "", entities: [], legacy: LegacyRules(), copy: CopyRules(), export: ExportRules(),
            historyKept: 1, positions: [:]),
        context: .sample())

    private static var copied: RunReport.Copy.Entity {
        var entity = RunReport.Copy.Entity(name: "Item", local: 12)
        (entity.inserted, entity.updated, entity.equal, entity.cloudKept, entity.duplicates) = (4, 3, 2, 1, 2)
        (entity.cloudBefore, entity.cloudAfter) = (8, 12)
        return entity
    }

    private static var matching: CopyProof.Finding {
        finding {
            $0.local = 10
            $0.equal = 9
            $0.cloudKept = 1
            $0.onlyCloud = 2
        }
    }

    @Test("findings that match the copy's counts pass")
    func matches() throws {
        try Self.proof.require([Self.matching], matching: [Self.copied])
        try Self.proof.require([], matching: [])
    }

    static let mismatches: [@Sendable (inout CopyProof.Finding, inout RunReport.Copy.Entity) -> Void] = [
        { finding, _ in finding.missing = 1 }, { finding, _ in finding.different = 1 },
        { finding, _ in finding.equal += 1 }, { finding, _ in finding.cloudKept += 1 },
        { finding, _ in finding.onlyCloud -= 1 }, { _, entity in entity.name = "Other" },
        { _, entity in entity.inserted += 1 }, { _, entity in entity.cloudBefore += 1 },
        { _, entity in entity.local += 1 }, { _, entity in entity.duplicates += 1 },
        { _, entity in entity.cloudAfter += 1 },
    ]

    @Test("findings that do not match the copy's counts are rejected", arguments: mismatches.indices)
    func refuses(index: Int) {
        var (finding, entity) = (Self.matching, Self.copied)
        Self.mismatches[index](&finding, &entity)
        let error = failure { try Self.proof.require([finding], matching: [entity]) }
        #expect(error?.code == .data)
        #expect(error?.message.contains("no flag") == true)
    }

    @Test("an entity that was copied but not checked is rejected, and so is the reverse")
    func unproven() {
        #expect(failure { try Self.proof.require([], matching: [Self.copied]) }?.code == .data)
        #expect(failure { try Self.proof.require([Self.matching], matching: []) }?.code == .data)
    }
}
