import GodwitModel
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// Invalid documents of every kind are rejected with 65, in one line.
@Suite(.hangGuard)
struct HostileDocumentTests {
    private func expectRefused(_ bytes: [UInt8], _ part: String, _ note: String) {
        let error = failure { try RecordedDocument.read(bytes) }
        #expect(error?.code == .data, "\(note): \(error?.description ?? "was read")")
        #expect(error?.stage == .import, "\(note)")
        #expect(part.isEmpty || error?.message.contains(part) == true, "\(note): \(error?.message ?? "")")
        #expect(error?.hint != nil && error?.message.contains("\n") == false, "\(note)")
    }

    @Test("an invalid header is rejected", arguments: SpoiledDocument.headers)
    func header(_ spoiled: SpoiledDocument) throws {
        expectRefused(Array(spoiled.text.plain.utf8), spoiled.part, "plain")
        // In a document of lines, the layout can't be given twice either.
        expectRefused(
            Array(spoiled.text.lines.utf8), spoiled.name == "unknown layout" ? "twice" : spoiled.part, "lines")
    }

    @Test("a layout is accepted only for JSON Lines", arguments: ["document", "Lines", "", "lines "])
    func layout(_ name: String) {
        for document in [DocumentText({ $0.more = "\"layout\": \"\(name)\", " }).plain] {
            expectRefused(Array(document.utf8), "its layout is not one of version 1", name)
        }
    }

    @Test(
        "text that an editor saved as UTF-16 is recognized",
        arguments: [[0xFF, 0xFE], [0xFE, 0xFF]])
    func wideText(_ mark: [UInt8]) throws {
        let units = Array(DocumentText().plain.utf16)
        let bytes = mark + units.flatMap { mark[0] == 0xFF ? [UInt8($0 & 0xFF), 0] : [0, UInt8($0 & 0xFF)] }
        expectRefused(bytes, "begins with a byte-order mark", "UTF-16")
        expectRefused(try Gzip.pack(bytes), "begins with a byte-order mark", "UTF-16, packed")
    }

    @Test(
        "a document that another program reformatted is rejected with a hint", arguments: [true, false])
    func formattedAnew(hasBreaks: Bool) throws {
        let text = DocumentText().plain
        let other =
            hasBreaks
            ? text.replacingOccurrences(of: "\n", with: "\r\n") : text.replacingOccurrences(of: "\n", with: "")
        let error = failure { try RecordedDocument.read(other) }
        #expect(error?.message.contains("has other content than was exported") == true)
        #expect(error?.hint?.contains("formatted by another program") == true, "\(error?.hint ?? "")")
        let mark = failure { try RecordedDocument.read("\u{FEFF}" + text) }
        #expect(mark?.hint?.contains("editor") == true)
        // jq 1.5 writes the whole real 1.0 as 1, which is no longer a value of the format.
        let value = failure { try RecordedDocument.read(DocumentText.value("9007199254740993").plain) }
        #expect(value?.hint?.contains("formatted by another program") == true, "\(value?.hint ?? "")")
    }

    @Test("invalid entities and sums are rejected", arguments: SpoiledDocument.entities)
    func entity(_ spoiled: SpoiledDocument) throws {
        expectRefused(Array(spoiled.text.plain.utf8), spoiled.part, "plain")
        if spoiled.name != "two braces behind it" { expectRefused(Array(spoiled.text.lines.utf8), "", "lines") }
        expectRefused(try Gzip.pack(Array(spoiled.text.plain.utf8)), spoiled.part, "gzip")
    }

    @Test("an unknown member of an entity is rejected before the rest is read")
    func unknownMember() {
        let text = DocumentText { $0.description += #", "rowids": ]"# }
        expectRefused(Array(text.plain.utf8), "an entity has a member that version 1 does not have", "plain")
    }

    @Test("invalid records and values are rejected", arguments: SpoiledDocument.records)
    func record(_ spoiled: SpoiledDocument) throws {
        expectRefused(Array(spoiled.text.plain.utf8), spoiled.part == "the next column" ? "" : spoiled.part, "plain")
        expectRefused(Array(spoiled.text.lines.utf8), "", "lines")
    }

    @Test(
        "bytes that are not UTF-8 are rejected, in values and in names",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0x80], [0xE2, 0x82],
        ] as [[UInt8]])
    func encoding(_ bytes: [UInt8]) throws {
        let marked = DocumentText { $0.records = [#"{"id":"k","a":"@"}"#] }.plain
        expectRefused(marked.utf8.flatMap { $0 == 0x40 ? bytes : [$0] }, "not valid UTF-8", "value")
        let named = DocumentText { $0.more = #""@": 1, "# }.plain
        expectRefused(named.utf8.flatMap { $0 == 0x40 ? bytes : [$0] }, "not valid UTF-8", "name")
    }

    @Test(
        "a document truncated anywhere is rejected", arguments: ["plain", "lines", "gzip", "lines gzip"])
    func truncated(_ kind: String) throws {
        let text = DocumentText { $0.records += [#"{"id":"é🏋\n","a":{"$blob":"AP8="}}"#, #"{"id":"l","a":-1.5e3}"#] }
        var bytes = Array((kind.hasPrefix("lines") ? text.lines : text.plain).utf8)
        if kind.hasSuffix("gzip") { bytes = try Gzip.pack(bytes) }
        _ = try RecordedDocument.read(bytes)
        // The line feed at the end has no meaning.
        let end = kind.hasSuffix("gzip") ? bytes.count : bytes.count - 1
        for count in 0..<end { expectRefused(Array(bytes[..<count]), "", "\(count) of \(bytes.count)") }
    }

    @Test("every changed byte that matters is found", arguments: [true, false])
    func changedByte(isLines: Bool) throws {
        let text = DocumentText { $0.records += [#"{"id":"l","a":2}"#] }
        let bytes = Array((isLines ? text.lines : text.plain).utf8)
        let whole = try RecordedDocument.read(bytes)
        for offset in bytes.indices {
            for change: UInt8 in [0x01, 0x20, 0x80] {
                var other = bytes
                other[offset] ^= change
                // It may still be readable: one whitespace character for another, or a change in the header, which is
                // not part of the content.
                guard let read = try? RecordedDocument.read(other) else { continue }
                #expect(read.found.records == whole.found.records, "byte \(offset)")
                #expect(read.found.entities == whole.found.entities, "byte \(offset)")
            }
        }
    }

    @Test("a damaged gzip file, or one with trailing bytes, is rejected")
    func gzip() throws {
        let good = try Gzip.pack(Array(DocumentText().plain.utf8))
        expectRefused(good + [0], "other bytes after its gzip stream", "NUL behind")
        expectRefused(good + Array("junk".utf8), "other bytes after its gzip stream", "junk behind")
        expectRefused(good + [0x1F], "middle of its gzip stream", "half a member behind")
        expectRefused(good + [0x1F, 0x8B, 9, 9, 9], "damaged gzip", "a member that is none")
        expectRefused(good + good, "something follows its end", "the document twice")
        expectRefused(try good + Gzip.pack(Array("x".utf8)), "something follows its end", "junk in a member of its own")
        expectRefused(try Gzip.pack(good), "'{'", "packed twice")
        expectRefused([0x1F, 0x8B], "middle of its gzip stream", "two bytes")
        expectRefused(try Gzip.pack([]), "'{'", "nothing, packed")
        for offset in [3, 10, good.count / 2, good.count - 8, good.count - 1] {
            var bad = good
            bad[offset] ^= 0x55
            expectRefused(bad, "", "byte \(offset)")
        }
    }

    @Test("a gzip bomb is rejected before it fills the memory")
    func bombs() throws {
        let limits = ReadingLimits()
        let blanks = try Gzip.pack([UInt8](repeating: 0x20, count: 40 << 20))
        expectRefused(blanks, "too many blanks", "blanks")
        let name = Array(#"{"x": ""#.utf8) + [UInt8](repeating: 0x61, count: 24 << 20)
        expectRefused(try Gzip.pack(name), "more than \(limits.header.grouped) bytes", "a member of the header")
        let record = Array(DocumentText().plain.components(separatedBy: #""k""#)[0].utf8) + [0x22]
        let long = record + [UInt8](repeating: 0x61, count: (64 << 20) + 10)
        expectRefused(try Gzip.pack(long, level: 1), "more than \(limits.record.grouped) bytes", "a record")
        let many = (0..<3000).map { #"{"name": "c\#($0)", "type": ""}"# }.joined(separator: ", ")
        expectRefused(
            Array(
                DocumentText {
                    $0.description = #"{"name": "Item", "key": "c1", "columns": [\#(many)], "count": COUNT"#
                }.plain.utf8), "declares 3000 columns", "columns")
    }

    @Test("nesting is limited and does not overflow the stack", arguments: [512, 513, 100_000])
    func nesting(_ depth: Int) throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let nested = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            let bytes = Array(DocumentText { $0.more = "\"x\": \(nested), " }.plain.utf8)
            if depth <= 512 {
                _ = try RecordedDocument.read(bytes)
            } else {
                expectRefused(bytes, "nested more than 512 deep", "\(open)")
            }
        }
    }

    @Test("lower limits are respected")
    func limits() throws {
        var limits = ReadingLimits()
        limits.record = 100
        let text = DocumentText { $0.records = [#"{"id":"\#(String(repeating: "x", count: 200))","a":1}"#] }
        #expect(
            failure { try RecordedDocument.read(text.plain, limits: limits) }?.message.contains("100 bytes") == true)
        limits.record = 300
        _ = try RecordedDocument.read(text.plain, limits: limits)
    }

    @Test("record lines of an unknown or finished entity, and other lines, are rejected")
    func lines() throws {
        let text = DocumentText()
        let good = text.lines
        for (line, part) in [
            (#"{"entity":"Other","record":{"id":"k","a":1}}"#, "an entity that was not declared"),
            (#"{"record":{"id":"k","a":1},"entity":"Item"}"#, "neither a record nor"),
            (#"{"entity":"Item","record":{"id":"k","a":1},"x":1}"#, "'}'"), ("[]", "neither a record nor"),
            ("{}", "neither a record nor"), ("x", "a value"),
            (#"{"entity":"Item"}"#, "an entity that was not declared"),
        ] {
            let spoiled = good.replacingOccurrences(of: "\n{\"integrity\"", with: "\n\(line)\n{\"integrity\"")
            let instead = good.replacingOccurrences(of: #"{"entity":"Item","record":{"id":"k","a":1}}"#, with: line)
            expectRefused(Array(instead.utf8), "", line)
            expectRefused(Array(spoiled.utf8), part, line)
        }
        expectRefused(Array(good.replacingOccurrences(of: "\"layout\": \"lines\", ", with: "").utf8), "", "no layout")
        let twice = good.replacingOccurrences(of: "{\"integrity\"", with: "{\"integrity\": {}}\n{\"integrity\"")
        expectRefused(Array(twice.utf8), "something follows", "two integrity lines")
    }

    @Test("a line has one JSON text with only white space around it")
    func oneTextInALine() throws {
        let good = DocumentText { $0.records = [#"{"id":"k","a":1}"#, #"{"id":"l","a":2}"#] }.lines
        for (end, next) in [("}]}\n", "{\"entity\""), ("}}\n", "{\"entity\""), ("}}\n", "{\"integrity\"")] {
            #expect(good.contains(end + next))
            let joined = good.replacingOccurrences(of: end + next, with: end.dropLast() + " " + next)
            expectRefused(Array(joined.utf8), "more than one JSON text is in a line", end + next)
        }
        for end in [" \t\n", "\r\n", "\n\n \n"] {
            _ = try RecordedDocument.read(good.replacingOccurrences(of: "\n", with: end))
        }
        let blanks = good.replacingOccurrences(
            of: "}}\n", with: "}}" + String(repeating: " ", count: (1 << 20) + 1) + "\n")
        expectRefused(Array(blanks.utf8), "too many blanks", "blanks behind a line")
    }

    @Test("a cancelled read ends at the next piece")
    func cancelled() throws {
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        var check = DocumentCheck()
        let error = failure {
            try ExportReader(cancellation: cancellation)
                .read(ExportInput(bytes: Array(DocumentText().plain.utf8)), into: &check)
        }
        #expect(error?.code == .terminated)
    }
}
