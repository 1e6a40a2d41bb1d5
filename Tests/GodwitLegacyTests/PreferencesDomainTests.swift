import Foundation
import GodwitFiles
import GodwitModel
import GodwitPropertyList
import GodwitTestSupport
import Testing

/// Reading and writing a preferences domain through its daemon.
struct PreferencesDomainTests {
    private let folder: TemporaryFolder
    private let daemon: PreferencesDaemon

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.propertyList(["units": "kg", "sets": ["b": 1, "a": 2]]), to: "domain.plist")
        daemon = PreferencesDaemon("com.example.trainlog", file: folder["domain.plist"])
    }

    private static func propertyList(_ values: [String: Any]) throws -> [UInt8] {
        Array(try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0))
    }

    @Test("values are read in the order of their keys' bytes, on all levels")
    func order() throws {
        let root = try #require(try daemon.process().read()?.root)
        #expect(root.map(\.key) == ["sets", "units"])
        guard case .dictionary(let sets) = root[0].value else { return #expect(Bool(false)) }
        #expect(sets.map(\.key) == ["a", "b"])
    }

    @Test("a boolean is not a number, and a number is not a boolean")
    func booleans() throws {
        try folder.write(Self.propertyList(["flag": true, "one": 1, "real": 1.0]), to: "other.plist")
        let root = try #require(
            try PreferencesDaemon("other", file: folder["other.plist"]).process().read()?.root)
        #expect(root.map(\.value) == [.bool(true), .integer(1), .real(1)])
    }

    @Test("the hash of a domain depends on its values, not on the order in which the system hands them over")
    func hash() throws {
        let values: [String: Any] = [
            "units": "kg", "sets": ["b": 1, "a": 2] as [String: Any], "flag": true,
            "list": [Date(timeIntervalSinceReferenceDate: 12.5), Data([1, 2])] as [Any],
        ]
        let binary = try Self.propertyList(values)
        let xml = Array(try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0))
        #expect(
            try LegacyDocument(unordered: binary).contentBytes == LegacyDocument(binary).contentBytes)
        let plain: [String: Any] = ["units": "kg", "sets": ["b": 1, "a": 2] as [String: Any], "flag": true]
        let (one, other) = (
            try Self.propertyList(plain),
            Array(try PropertyListSerialization.data(fromPropertyList: plain, format: .xml, options: 0))
        )
        #expect(try LegacyDocument(unordered: one).contentBytes == LegacyDocument(unordered: other).contentBytes)
        #expect(try LegacyDocument(unordered: binary).contentBytes != LegacyDocument(unordered: one).contentBytes)
        #expect(LegacyDocument.keysThatDiffer(try .init(binary), try .init(one)) == ["list"])
        #expect(!xml.isEmpty)
    }

    @Test(
        "values that look alike have other hashes",
        arguments: [
            (LegacyValue.bool(true), LegacyValue.integer(1)), (.integer(1), .real(1)), (.string("1"), .integer(1)),
            (.array([.string("a"), .string("b")]), .array([.array([.string("a")]), .string("b")])),
            (.array([]), .dictionary([])), (.string(""), .data([])), (.real(0), .real(-0.0)),
            (.string("\u{E9}"), .string("e\u{301}")),
        ])
    func alike(one: LegacyValue, other: LegacyValue) throws {
        let (first, second) = (try document(one), try document(other))
        #expect(first.contentBytes != second.contentBytes)
        #expect(LegacyDocument.keysThatDiffer(first, second) == ["k"])
    }

    private func document(_ value: LegacyValue) throws -> LegacyDocument {
        try LegacyDocument(FoundationOracle.write(.dictionary([LegacyPair(key: "k", value: value)]), as: .binary))
    }

    @Test("values as deep as the reader allows have a hash and can be compared")
    func depth() throws {
        let json = #"{"k":"# + String(repeating: "[", count: 500) + String(repeating: "]", count: 500) + "}"
        let document = try LegacyDocument(Array(json.utf8))
        #expect(document.contentBytes.count > 500)
        #expect(LegacyDocument.keysThatDiffer(document, document).isEmpty)
        #expect(LegacyDocument.keysThatDiffer(document, nil) == ["k"])
    }

    @Test("a flag that is set is seen by another process at once, and is on the disk only when the daemon wrote it")
    func flag() throws {
        let (app, widget) = (daemon.process(), daemon.process())
        let before = try folder.bytes(of: "domain.plist")
        #expect(try app.readFlag("copied") == nil)
        try app.setFlag("copied", to: true)
        #expect(try widget.readFlag("copied") == true)
        #expect(try folder.bytes(of: "domain.plist") == before)
        try daemon.writeFile()
        let written = try LegacyDocument(folder.bytes(of: "domain.plist"))
        #expect(written.value(for: "copied") == .bool(true))
        #expect(written.value(for: "units") == .string("kg"))
    }

    @Test("a power cut before the daemon has written takes the flag back")
    func powerCut() throws {
        let app = daemon.process()
        try app.setFlag("copied", to: true)
        daemon.powerCut()
        #expect(try daemon.process().readFlag("copied") == nil)
        #expect(try daemon.process().read()?.value(for: "units") == .string("kg"))
    }

    @Test("a key that holds a number is not read as a flag, and keeps its number")
    func noBoolean() throws {
        try folder.write(Self.propertyList(["copied": 1]), to: "other.plist")
        let other = PreferencesDaemon("other", file: folder["other.plist"])
        for error in [
            failure { try other.process().readFlag("copied") },
            failure { try other.process().setFlag("copied", to: true) },
        ] {
            #expect(error?.code == .data)
        }
        #expect(try other.process().read()?.value(for: "copied") == .integer(1))
    }

    @Test("a domain that does not keep a value is an error")
    func notKept() throws {
        struct Deaf: PreferencesDomain {
            let name = "group.com.example.trainlog"
            func propertyList() -> [UInt8]? { nil }
            func set(_ flag: Bool, forKey key: String) {}
            func set(_ keys: [String], from propertyList: [UInt8]?) {}
            func synchronize() {}
        }
        let error = failure { try Deaf().setFlag("copied", to: true) }
        #expect(error?.code == .io)
        #expect(error?.message.contains("group.com.example.trainlog") == true)
    }

    @Test("setting the values of an older property list changes, adds and removes keys")
    func values() throws {
        let app = daemon.process()
        let wanted = try Self.propertyList(["units": "lb", "theme": "dark"])
        #expect(try app.setValues(from: wanted) == ["sets", "theme", "units"])
        #expect(try app.read()?.contentBytes == LegacyDocument(unordered: wanted).contentBytes)
        #expect(try app.setValues(from: wanted).isEmpty)
        #expect(try app.setValues(from: nil) == ["theme", "units"])
        #expect(try daemon.process().read() == nil)
    }

    @Test("a copy of a domain changes without the domain")
    func copy() throws {
        let app = daemon.process()
        let copy = try DomainCopy(of: app)
        #expect(try copy.read()?.contentBytes == app.read()?.contentBytes)
        try copy.setFlag("copied", to: true)
        #expect(try copy.readFlag("copied") == true)
        #expect(try app.readFlag("copied") == nil)
        #expect(try copy.setValues(from: nil).count == 3)
        #expect(try copy.read() == nil)
        try copy.setFlag("copied", to: false)
        #expect(try copy.read()?.root.count == 1)
    }

    @Test("a domain is read like a preferences file, with the date of its file")
    func legacyFile() throws {
        let file = try #require(try daemon.process().read(at: "x", modified: .sampleNow))
        #expect(file.modified == .sampleNow)
        #expect(file.format == .binary)
        #expect(file.sha256 == sha256Hex(file.bytes))
        #expect(file.size == Int64(file.bytes.count))
        #expect(file.value(for: "units") == .string("kg"))
    }
}
