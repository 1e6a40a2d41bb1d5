import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

struct ExportFormTests {
    private static func fixture() throws -> ExportFixture {
        try ExportFixture(
            [Entity(name: "Stop", key: "id"), Entity(name: "Empty", key: "id"), Entity(name: "Trip \"x\"", key: "id")],
            sql: #"""
                CREATE TABLE "Trip ""x"""(id TEXT, name TEXT); INSERT INTO "Trip ""x""" VALUES ('t', 'Über/all');
                CREATE TABLE Empty(id);
                CREATE TABLE Stop(id INTEGER PRIMARY KEY, at); INSERT INTO Stop VALUES (2, x'00'), (1, 'a' || char(10));
                """#)
    }

    @Test("JSON Lines have a header, records and the integrity block, each on one line")
    func golden() throws {
        let fixture = try Self.fixture()
        let plain = try fixture.export(to: "plain.json")
        let written = try fixture.export(as: ExportForm(layout: .lines))
        #expect(written.sha256 == plain.sha256)
        let lines = try fixture.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == 6 && lines[5].isEmpty)
        #expect(
            lines[0].hasPrefix(
                #"{"$schema": "urn:godwit:schema:export:1", "format": "godwit-export", "formatVersion": 1, "#))
        #expect(lines[0].contains(#""minReaderVersion": 1, "layout": "lines", "app": "Sämple \"App\"", "#))
        #expect(lines[0].contains(#""contentVersion": "\#(written.sha256)"}, "freshness": {"status": "warn""#))
        #expect(
            lines[0].hasSuffix(
                #"""
                "entities": [{"name": "Stop", "key": "id", "columns": [{"name": "id", "type": "INTEGER"}, \#
                {"name": "at", "type": ""}], "count": 2}, {"name": "Empty", "key": "id", "columns": \#
                [{"name": "id", "type": ""}], "count": 0}, {"name": "Trip \"x\"", "key": "id", "columns": \#
                [{"name": "id", "type": "TEXT"}, {"name": "name", "type": "TEXT"}], "count": 1}]}
                """#))
        #expect(
            Array(lines[1...4]) == [
                #"{"entity":"Stop","record":{"id":1,"at":"a\n"}}"#,
                #"{"entity":"Stop","record":{"id":2,"at":{"$blob":"AA=="}}}"#,
                #"{"entity":"Trip \"x\"","record":{"id":"t","name":"Über/all"}}"#,
                #"{"integrity": {"counts": {"Stop": 2, "Empty": 0, "Trip \"x\"": 1}, "sha256": "\#(written.sha256)"}}"#,
            ])
        for line in lines.dropLast() { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test("the hash of JSON Lines equals that of the plain array")
    func hashOfLines() throws {
        let fixture = try Self.fixture()
        try fixture.export(to: "plain.json")
        let written = try fixture.export(as: ExportForm(layout: .lines))
        let plain = try fixture.folder.bytes(of: "exports/plain.json")
        let range = try #require(try StrictJSON(document: plain).member("entities")).range
        #expect(sha256Hex(Array(plain[range])) == written.sha256)
    }

    @Test(
        "a compressed export is the same document, for every tool", arguments: ExportReport.Layout.allCases, [1, 6, 9])
    func gzip(layout: ExportReport.Layout, level: Int) throws {
        let fixture = try Self.fixture()
        try fixture.export(to: "plain", as: ExportForm(layout: layout))
        let written = try fixture.export(to: "packed", as: ExportForm(layout: layout, gzipLevel: level))
        let packed = try fixture.folder.bytes(of: "exports/packed")
        #expect(written.bytes == Int64(packed.count))
        #expect(try Gzip.unpack(packed) == fixture.folder.bytes(of: "exports/plain"))
        // One member without name and time, so that equal content gives equal bytes.
        #expect(Array(packed[..<10]) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        try fixture.export(to: "again", as: ExportForm(layout: layout, gzipLevel: level))
        #expect(try fixture.folder.bytes(of: "exports/again") == packed)
    }

    @Test("many megabytes are compressed as one stream, and become smaller")
    func large() throws {
        let fixture = try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
            INSERT INTO Item SELECT printf('%05d', i), printf('%01000d', i), CASE i WHEN 1500 THEN zeroblob(2000000) END FROM n
            """)
        let plain = try fixture.export(to: "plain")
        for layout in ExportReport.Layout.allCases {
            let packed = try fixture.export(to: "\(layout)", as: ExportForm(layout: layout, gzipLevel: 6))
            #expect(packed.sha256 == plain.sha256 && packed.bytes < plain.bytes / 10)
            let unpacked = try #require(try Gzip.unpack(fixture.folder.bytes(of: "exports/\(layout)")))
            if layout == .document { #expect(try unpacked == fixture.folder.bytes(of: "exports/plain")) }
            #expect(try RecordedDocument.read(unpacked).summary.counts == ["Item": 6000])
        }
    }

    @Test("with a given time the identifier depends on the content, and otherwise it is generated")
    func identifier() throws {
        let fixture = try Self.fixture()
        let first = try fixture.identifier(nil)
        #expect(try fixture.identifier(nil) == first)
        #expect(first.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-8[0-9A-F]{3}-[0-9A-F]{12}/) != nil)
        let mine = "11111111-AAAA-4AAA-8AAA-AAAAAAAAAAAA"
        #expect(try fixture.identifier(mine) == mine)
        #expect(try ExportFixture.items("").identifier(nil) != first)
    }

    @Test("records that differ only in the sign of zero have one order")
    func signOfZero() throws {
        func export(_ values: [Value]) throws -> String {
            let restoration = try Restoration(
                [Entity(name: "Item", key: "id")], schema: ["CREATE TABLE Item(id, a, b)"])
            try restoration.make { store in
                for value in values { try store.execute("INSERT INTO Item VALUES (1, ?, 'x')", [value]) }
            }
            return try restoration.export().sha256
        }
        #expect(try export([.real(0), .real(-0.0)]) == export([.real(-0.0), .real(0)]))
    }

    @Test("records with one key have the same order in UTF-16 stores", arguments: ["UTF-16le", "UTF-16be"])
    func utf16Duplicates(encoding: String) throws {
        let rows = "INSERT INTO Item VALUES (1, 'Ａ', 1), (1, '😀', 1), (1, 'Ā', 1)"
        let plain = try ExportFixture.items(rows).export()
        #expect(try ExportFixture.items(encoding: encoding, rows).export().sha256 == plain.sha256)
    }

    @Test("a cancelled export of any form leaves no file", arguments: ExportReport.Layout.allCases, [nil, 1])
    func cancelled(layout: ExportReport.Layout, level: Int?) throws {
        let fixture = try ExportFixture.items("INSERT INTO Item VALUES (1, 2, 3)")
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        let error = failure {
            try fixture.export(
                context: .sample(cancellation: cancellation), as: ExportForm(layout: layout, gzipLevel: level))
        }
        #expect(error?.code == .terminated && error?.stage == .export)
        #expect(fixture.folder.names(in: "exports").isEmpty)
    }
}

extension ExportFixture {
    /// The identifier of an export that is given one, or none.
    fileprivate func identifier(_ identifier: String?) throws -> String {
        let name = "id-\(UUID().uuidString)"
        let finished = try write(to: name, identifier: identifier)
        try finished.commit(replacing: false)
        try MadeExports.keep(folder["exports/" + name])
        let bytes = try folder.bytes(of: "exports/" + name)
        return try StrictJSON(document: bytes)["exportId"]?.text ?? ""
    }
}
