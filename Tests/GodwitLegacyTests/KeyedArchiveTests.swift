import GodwitLegacy
import GodwitModel
import Foundation
import Testing

/// Archives built from parts, valid or not.
enum ArchiveFixture {
    typealias File = BinaryFixture

    /// An archive in the layout of `NSKeyedArchiver`; `objects` are those after `$null`, the first is the root.
    static func file(
        objects: [LegacyValue], top: LegacyValue = .dict(["root": .uid(1)]), archiver: String = "NSKeyedArchiver",
        version: Int64 = 100_000
    ) -> LegacyValue {
        .dict([
            "$archiver": .string(archiver), "$objects": .array([.string("$null")] + objects), "$top": top,
            "$version": .integer(version),
        ])
    }

    /// An archive of a list of strings, as a binary property list.
    static func archive(_ items: [String], class name: String = "NSArray") -> [UInt8] {
        let list = LegacyValue.dict([
            "NS.objects": .array(items.indices.map { .uid(UInt64($0) + 3) }), "$class": .uid(2),
        ])
        return encode(file(objects: [list, classObject(name)] + items.map { .string($0) }))
    }

    static func classObject(_ name: String) -> LegacyValue {
        .dict(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
    }

    /// A small binary property list writer for strings, integers, UIDs and containers.
    static func encode(_ value: LegacyValue) -> [UInt8] {
        var objects: [[UInt8]] = []
        func add(_ value: LegacyValue) -> Int {
            let number = objects.count
            objects.append([])
            switch value {
            case .string(let text): objects[number] = File.utf16(text)
            case .integer(let integer): objects[number] = File.integer(integer)
            case .uid(let uid): objects[number] = File.uid(UInt8(truncatingIfNeeded: uid))
            case .bool(let flag): objects[number] = flag ? File.yes : File.no
            case .array(let items): objects[number] = File.array(items.map(add), size: 2)
            case .dictionary(let pairs):
                let keys = pairs.map { add(.string($0.key)) }
                objects[number] = File.dictionary(keys, pairs.map { add($0.value) }, size: 2)
            default: objects[number] = File.no
            }
            return number
        }
        _ = add(value)
        var file = File(objects)
        file.referenceSize = 2
        return file.bytes
    }
}

struct KeyedArchiveTests {
    private func outcome(_ archive: LegacyValue) -> FavoritesOutcome {
        FavoritesDecoder.decode(.data(ArchiveFixture.encode(archive)), as: .keyedArchive)
    }

    private func keys(_ outcome: FavoritesOutcome) -> [String]? {
        guard case .decoded(let list) = outcome else { return nil }
        return list.favorites.map(\.key)
    }

    private func reason(_ outcome: FavoritesOutcome) -> String? {
        guard case .unsupported(let reason) = outcome else { return nil }
        return reason
    }

    private static func list(_ items: [UInt64], class uid: UInt64 = 2) -> LegacyValue {
        .dict(["NS.objects": .array(items.map { .uid($0) }), "$class": .uid(uid)])
    }

    @Test(
        "each kind of list in a keyed archive is read in order",
        arguments: ["NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet"])
    func lists(name: String) {
        let bytes = ArchiveFixture.archive(["squat", "日本", "row"], class: name)
        #expect(keys(FavoritesDecoder.decode(.data(bytes))) == ["squat", "日本", "row"])
    }

    @Test("an archive of Foundation is read", arguments: [false, true])
    func foundationArchives(asXML: Bool) throws {
        for (object, expected) in [
            (NSArray(array: ["squat", "row"]), ["squat", "row"]), (NSMutableArray(array: ["a"]), ["a"]),
            (NSArray(), []),
        ] {
            let archiver = NSKeyedArchiver(requiringSecureCoding: false)
            archiver.outputFormat = asXML ? .xml : .binary
            archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
            archiver.finishEncoding()
            #expect(keys(FavoritesDecoder.decode(.data(Array(archiver.encodedData)))) == expected)
        }
    }

    @Test("sets of Foundation are read")
    func foundationSets() throws {
        let set = try NSKeyedArchiver.archivedData(
            withRootObject: NSSet(array: ["a", "b"]), requiringSecureCoding: true)
        #expect(keys(FavoritesDecoder.decode(.data(Array(set))))?.sorted() == ["a", "b"])
        let ordered = try NSKeyedArchiver.archivedData(
            withRootObject: NSOrderedSet(array: ["b", "a", "c"]), requiringSecureCoding: true)
        #expect(keys(FavoritesDecoder.decode(.data(Array(ordered)))) == ["b", "a", "c"])
    }

    @Test("an ordered set in the older layout is read in the order of its numbers")
    func numberedObjects() {
        let set = LegacyValue.dict([
            "NS.object.1": .uid(4), "NS.object.0": .uid(3), "$class": .uid(2), "NS.object.2": .uid(5),
        ])
        let parts: [LegacyValue] = [
            ArchiveFixture.classObject("NSOrderedSet"), .string("a"), .string("b"), .string("c"),
        ]
        #expect(keys(outcome(ArchiveFixture.file(objects: [set] + parts))) == ["a", "b", "c"])
        let gap = LegacyValue.dict(["NS.object.0": .uid(3), "NS.object.2": .uid(5), "$class": .uid(2)])
        #expect(reason(outcome(ArchiveFixture.file(objects: [gap] + parts)))?.contains("gap") == true)
    }

    @Test("mutable strings are read, with their text inside or as a reference")
    func mutableStrings() {
        let archive = ArchiveFixture.file(objects: [
            Self.list([3, 4]), ArchiveFixture.classObject("NSArray"),
            .dict(["NS.string": .string("inside"), "$class": .uid(5)]),
            .dict(["NS.string": .uid(6), "$class": .uid(5)]), ArchiveFixture.classObject("NSMutableString"),
            .string("outside"),
        ])
        #expect(keys(outcome(archive)) == ["inside", "outside"])
    }

    @Test("integers among the elements count as coerced, and nil is a rejected item")
    func elements() {
        let archive = ArchiveFixture.file(objects: [
            Self.list([3, 0, 4, 3]), ArchiveFixture.classObject("NSArray"), .integer(7), .bool(true),
        ])
        guard case .decoded(let list) = outcome(archive) else {
            Issue.record("not decoded")
            return
        }
        #expect(list.favorites == [LegacyFavorite(key: "7", coercedFrom: "integer", isInteger: true)])
        #expect(list.rejected.map(\.reason) == ["null in the list", "boolean in the list"])
        #expect(list.duplicates == 1)
    }

    @Test(
        "unknown classes are named and not followed",
        arguments: ["NSDictionary", "NSURL", "MyApp.Favorites", "__NSCFArray", "NSString"])
    func unknownRoot(name: String) {
        let found = reason(FavoritesDecoder.decode(.data(ArchiveFixture.archive(["a"], class: name))))
        #expect(found == "keyed archive of the class \(name), which is not supported")
    }

    @Test("an element of another class makes the archive unsupported")
    func unknownElement() {
        let archive = ArchiveFixture.file(objects: [
            Self.list([3]), ArchiveFixture.classObject("NSArray"), .dict(["$class": .uid(4)]),
            ArchiveFixture.classObject("NSDate"),
        ])
        #expect(reason(outcome(archive)) == "keyed archive with an element of the class NSDate, not a string")
    }

    @Test("damaged archives are rejected with a reason")
    func damage() {
        let nsArray = ArchiveFixture.classObject("NSArray")
        let cases: [(LegacyValue, String)] = [
            (.dict([:]), "not a keyed archive"),
            (ArchiveFixture.file(objects: [], archiver: "NSArchiver"), "not a keyed archive"),
            (ArchiveFixture.file(objects: [Self.list([]), nsArray], version: 99), "unknown version"),
            (ArchiveFixture.file(objects: [Self.list([]), nsArray], top: .dict([:])), "without a root object"),
            (
                ArchiveFixture.file(objects: [Self.list([]), nsArray], top: .dict(["root": .integer(1)])),
                "without a root object"
            ),
            (
                ArchiveFixture.file(objects: [Self.list([]), nsArray], top: .dict(["root": .uid(99)])),
                "reference past its end"
            ),
            (ArchiveFixture.file(objects: [Self.list([1]), nsArray]), "cycle"),
            (ArchiveFixture.file(objects: [Self.list([99]), nsArray]), "reference past its end"),
            (ArchiveFixture.file(objects: [Self.list([], class: 99), nsArray]), "reference past its end"),
            (ArchiveFixture.file(objects: [Self.list([], class: 1), nsArray]), "without a class"),
            (ArchiveFixture.file(objects: [.string("a")]), "keyed archive of a string"),
            (
                ArchiveFixture.file(objects: [
                    .dict(["NS.objects": .array([.string("a")]), "$class": .uid(2)]), nsArray,
                ]), "no references"
            ),
            (
                ArchiveFixture.file(objects: [
                    Self.list([3]), nsArray, .dict(["NS.string": .uid(3), "$class": .uid(4)]),
                    ArchiveFixture.classObject("NSString"),
                ]), "a string without text"
            ),
            (
                ArchiveFixture.file(objects: [
                    Self.list([3]), nsArray, .dictionary((0..<17).map { LegacyPair(key: "\($0)", value: .bool(true)) }),
                ]), "too many parts"
            ),
        ]
        for (archive, expected) in cases {
            let found = reason(outcome(archive))
            #expect(found?.contains(expected) == true, "\(found ?? "decoded") instead of \(expected)")
        }
    }

    @Test("the only object of $top may have any name")
    func otherTopKey() {
        let objects: [LegacyValue] = [Self.list([3]), ArchiveFixture.classObject("NSArray"), .string("a")]
        #expect(keys(outcome(ArchiveFixture.file(objects: objects, top: .dict(["favorites": .uid(1)])))) == ["a"])
        #expect(
            keys(outcome(ArchiveFixture.file(objects: objects, top: .dict(["a": .uid(2), "root": .uid(1)])))) == ["a"])
    }

    @Test("an archive that is the file's own dictionary is read")
    func dictionaryArchive() {
        let archive = ArchiveFixture.file(objects: [Self.list([3]), ArchiveFixture.classObject("NSSet"), .string("a")])
        #expect(keys(FavoritesDecoder.decode(archive)) == ["a"])
        #expect(keys(FavoritesDecoder.decode(archive, as: .keyedArchive)) == ["a"])
    }
}
