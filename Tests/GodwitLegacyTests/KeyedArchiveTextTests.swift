import GodwitPropertyList
import Foundation
import Testing

struct KeyedArchiveTextTests {
    /// An archive in XML with `CF$UID` references.
    private static func archive(_ objects: [String], root: Int = 1) -> [UInt8] {
        let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>"
        let top = "<key>$top</key><dict><key>root</key>\(uid(root))</dict>"
        let list = objects.joined()
        return Array(
            (header + "<key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>"
                + top + "<key>$objects</key><array><string>$null</string>\(list)</array></dict></plist>").utf8)
    }

    private static func uid(_ place: Int) -> String { "<dict><key>CF$UID</key><integer>\(place)</integer></dict>" }

    private static func object(_ parts: String, class place: Int) -> String {
        "<dict><key>$class</key>\(uid(place))\(parts)</dict>"
    }

    private static func named(_ name: String) -> String { "<dict><key>$classname</key><string>\(name)</string></dict>" }

    private static func json(_ bytes: [UInt8]) -> String? {
        KeyedArchiveText.json(bytes).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a real archive of plain values is written as JSON")
    func real() throws {
        let value: NSDictionary = ["names": ["a", "b"], "count": 3, "weight": 1.5]
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        let text = try #require(Self.json([UInt8](data)))
        let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(read["names"] as? [String] == ["a", "b"])
        #expect(read["count"] as? Int == 3)
        #expect(read["weight"] as? Double == 1.5)
    }

    @Test("lists, dates, data and UUIDs of an archive become JSON")
    func kinds() {
        let list = Self.object(
            "<key>NS.objects</key><array>\(Self.uid(3))\(Self.uid(4))\(Self.uid(6))\(Self.uid(0))</array>", class: 2)
        let date = Self.object("<key>NS.time</key><real>0</real>", class: 5)
        let data = Self.object("<key>NS.data</key><data>AQI=</data>", class: 7)
        let bytes = Self.archive([
            list, Self.named("NSArray"), "<string>x</string>", date, Self.named("NSDate"), data, Self.named("NSData"),
        ])
        #expect(Self.json(bytes) == #"["x","2001-01-01T00:00:00.000Z","AQI=",null]"#)
    }

    @Test("a value that is not an archive, has a cycle or other objects is not converted")
    func refused() {
        #expect(KeyedArchiveText.json([]) == nil)
        #expect(KeyedArchiveText.json(Array("bplist00".utf8)) == nil)
        let circle = Self.object("<key>NS.objects</key><array>\(Self.uid(1))</array>", class: 2)
        #expect(Self.json(Self.archive([circle, Self.named("NSArray")])) == nil)
        #expect(Self.json(Self.archive([Self.object("", class: 2), Self.named("NSColor")])) == nil)
        #expect(Self.json(Self.archive(["<string>x</string>"], root: 9)) == nil)
        #expect(Self.json(Self.archive(["<string>x</string>"])) == "\"x\"")
    }

    @Test(
        "an object or class with too many parts is rejected, because each reference would search it again",
        arguments: [13, 20])
    func manyParts(_ count: Int) {
        let more = (0..<count).map { "<key>part\($0)</key><true/>" }.joined()
        let list = Self.object("<key>NS.objects</key><array>\(Self.uid(4))</array>", class: 2)
        let large = Self.object(more + "<key>NS.objects</key><array>\(Self.uid(4))</array>", class: 2)
        let named = Self.named("NSArray")
        let largeClass = "<dict>\(more)<key>$classname</key><string>NSArray</string></dict>"
        let isSmall = count == 13
        #expect(Self.json(Self.archive([list, named, list, "<string>x</string>"])) == #"["x"]"#)
        #expect((Self.json(Self.archive([large, named, list, "<string>x</string>"])) != nil) == isSmall)
        #expect((Self.json(Self.archive([list, largeClass, list, "<string>x</string>"])) != nil) == isSmall)
    }

    @Test("an archive with multiplying references ends early")
    func bomb() {
        var objects: [String] = []
        for place in 1...40 {
            let next = Self.uid(place + 1)
            objects.append(
                Self.object("<key>NS.objects</key><array>\(String(repeating: next, count: 10))</array>", class: 42))
        }
        objects += ["<string>x</string>", Self.named("NSArray")]
        #expect(Self.json(Self.archive(objects)) == nil)
    }
}
