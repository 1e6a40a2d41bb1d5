import GodwitFiles
import GodwitLedger
import GodwitSchema
import Testing

struct SchemaFileTests {
    private let plain = "-- a comment\nCREATE TABLE A(x);\n\nCREATE TABLE B(y);\n"

    private func checksum(_ sql: String) -> String { SchemaFile(version: 1, name: "a", sql: sql).checksum }

    @Test("the checksum names its algorithm and is computed from the text")
    func algorithm() {
        #expect(checksum(plain) == "sha256-v1:" + sha256Hex(Array(plain.utf8)))
        // From `printf 'CREATE TABLE A(x);\n' | sha256sum`.
        let known = "7e5d3590cb0aa530f7c3e3bb6e2a7d2d00dabdafad28cfdee9c32a21dc8c9efb"
        #expect(checksum("CREATE TABLE A(x);\n") == "sha256-v1:" + known)
    }

    @Test("line endings and a byte-order mark do not change the checksum")
    func checkouts() {
        let expected = checksum(plain)
        let crlf = plain.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        let cr = plain.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r")
        #expect(checksum(crlf) == expected)
        #expect(checksum(cr) == expected)
        #expect(checksum("\u{FEFF}" + plain) == expected)
        #expect(checksum("\u{FEFF}" + crlf) == expected)
        #expect(checksum("a\r\r\nb\r") == checksum("a\n\nb\n"))
        #expect(checksum("\r") == checksum("\n"))
        #expect(checksum("") == checksum("\u{FEFF}"))
    }

    @Test(
        "every other change gives another checksum",
        arguments: [
            "-- a comment\nCREATE TABLE A(x);\n\nCREATE TABLE B(y);",
            "-- a comment\nCREATE TABLE A(x);\nCREATE TABLE B(y);\n",
            "-- a comment\nCREATE TABLE A(x);\n\nCREATE TABLE B(y);\n\n",
            "-- a comment\nCREATE TABLE A(x); \n\nCREATE TABLE B(y);\n",
            "-- A comment\nCREATE TABLE A(x);\n\nCREATE TABLE B(y);\n",
            "-- a comment\n\u{FEFF}CREATE TABLE A(x);\n\nCREATE TABLE B(y);\n",
        ])
    func edits(_ text: String) {
        #expect(checksum(text) != checksum(plain))
    }

    @Test("names and numbers do not change the checksum")
    func identity() {
        #expect(SchemaFile(version: 2, name: "b", sql: plain).checksum == checksum(plain))
    }

    @Test("the hashed text is the text that is run")
    func normalisedText() {
        #expect(SchemaFile(version: 1, name: "a", sql: "\u{FEFF}a\r\nb\rc").sql == "a\nb\nc")
    }

    @Test(
        "a schema file's title is its name, padded to four digits",
        arguments: [(1, "V0001__a"), (42, "V0042__a"), (9999, "V9999__a"), (12345, "V12345__a")])
    func titles(_ version: Int, _ title: String) {
        #expect(SchemaFile(version: version, name: "a", sql: "").title == title)
    }

    @Test("a row of the history has version, name and checksum")
    func record() {
        let file = SchemaFile(version: 3, name: "add_tags", sql: plain)
        #expect(file.record == MigrationRecord(version: 3, name: "add_tags", checksum: checksum(plain)))
    }
}
