import GodwitModel
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// The maximum length of a record is the same to the byte in the warning and in the reader, in every layout and
/// position.
struct RecordLimitTests {
    private static let forms = [
        ExportForm.plain, ExportForm(layout: .lines), ExportForm(gzipLevel: 6),
        ExportForm(layout: .lines, gzipLevel: 1),
    ]

    /// A store whose longest record is the first, one in the middle, or the last.
    private static func fixture(longest index: Int) throws -> ExportFixture {
        let rows = (0..<5).map { "('k\($0)', '\(String(repeating: "x", count: $0 == index ? 3000 : 1000))', NULL)" }
        return try ExportFixture(
            [Entity(name: "Item", key: "id"), Entity(name: "Other", key: "id")],
            sql: """
                CREATE TABLE Item(id TEXT, a, b); INSERT INTO Item VALUES \(rows.joined(separator: ", "));
                CREATE TABLE Other(id TEXT); INSERT INTO Other VALUES ('o');
                """)
    }

    @Test("a record of the maximum length is read, and one byte more is rejected", arguments: forms.indices, [0, 2, 4])
    func limit(form: Int, index: Int) throws {
        let fixture = try Self.fixture(longest: index)
        let written = try fixture.export(as: Self.forms[form])
        let bytes = try fixture.folder.bytes(of: "exports/e.json")
        #expect(written.longestRecord == #"{"id":"k0","a":"","b":null}"#.utf8.count + 3000)
        var limits = ReadingLimits()
        limits.record = written.longestRecord
        #expect(!written.hasUnreadableRecord(limits))
        #expect(try RecordedDocument.read(bytes, limits: limits).summary.counts["Item"] == 5)
        limits.record -= 1
        #expect(written.hasUnreadableRecord(limits))
        let error = failure { try RecordedDocument.read(bytes, limits: limits) }
        #expect(error?.code == .data)
        #expect(error?.message.contains("more than \(limits.record.grouped) bytes") == true, "\(error?.message ?? "")")
    }

    @Test("white space around a record does not count towards its length", arguments: [true, false])
    func blanks(isLines: Bool) throws {
        let blanks = String(repeating: " ", count: 5000)
        let record = #"{"id":"k","a":1}"#
        let text = DocumentText { $0.records = [record + blanks, blanks + record] }
        var limits = ReadingLimits()
        limits.record = record.utf8.count
        // In lines, a record's object follows its label directly.
        let document = isLines ? DocumentText { $0.records = [record, record] }.lines : text.plain
        let spread =
            isLines ? document.replacingOccurrences(of: "}}\n{", with: "}\(blanks)}\(blanks)\n\(blanks){") : document
        #expect(try RecordedDocument.read(spread, limits: limits).records["Item"]?.count == 2)
        limits.record -= 1
        #expect(failure { try RecordedDocument.read(spread, limits: limits) }?.code == .data)
    }

    @Test("the limit of version 1 is that of the documentation")
    func version1() {
        #expect(ReadingLimits().record == 67_108_864)
        for (longest, isTooLong) in [(67_108_826, false), (67_108_864, false), (67_108_865, true)] {
            let written = ExportStage.Written(bytes: 1, sha256: "", longestRecord: longest)
            #expect(written.hasUnreadableRecord() == isTooLong, "\(longest)")
        }
    }
}
