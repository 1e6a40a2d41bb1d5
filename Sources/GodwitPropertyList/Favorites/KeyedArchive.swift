package import GodwitModel

/// Reads the elements of an `NSKeyedArchiver` archive whose root is an array or a set; it creates no instances.
///
/// An archive is a property list `{$archiver, $version, $objects: […], $top: {root: UID}}`, in which UIDs are indexes
/// in `$objects`. Only the listed classes are known, and an element is followed two steps at most (element, then the
/// text of a mutable string), so no archive can cause an endless loop. The keys of an element and the text of all
/// elements are limited too. Source: Foundation, `NSKeyedArchiver`.
package enum KeyedArchive {
    private static let lists: Set<String> = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
    ]
    private static let strings: Set<String> = ["NSString", "NSMutableString"]

    /// Whether a property list says that it is an archive.
    package static func isArchive(_ root: LegacyValue) -> Bool {
        root["$archiver"] != nil && root["$objects"] != nil
    }

    /// The elements in order: strings and integers unchanged; throws for other types.
    package static func elements(of root: LegacyValue) throws(LegacyContentError) -> [LegacyValue] {
        guard case .string("NSKeyedArchiver")? = root["$archiver"], case .array(let objects)? = root["$objects"],
            case .dictionary(let top)? = root["$top"]
        else { throw .init(reason: "not a keyed archive") }
        guard case .integer(100_000)? = root["$version"] else {
            throw .init(reason: "keyed archive of an unknown version")
        }
        guard let reference = top.count == 1 ? top[0].value : root["$top"]?["root"], case .uid(let uid) = reference
        else { throw .init(reason: "keyed archive without a root object") }
        let list = try object(uid, in: objects)
        let name = try className(of: list, in: objects)
        guard lists.contains(name) else {
            throw .init(reason: "keyed archive of the class \(name.escapedForMessage), which is not supported")
        }
        var elements: [LegacyValue] = []
        var content = 0
        for element in try references(in: list) {
            guard element != uid else { throw .init(reason: "keyed archive with a cycle") }
            let value = try self.element(element, in: objects)
            if case .string(let text) = value { content += text.utf8.count }
            guard content <= LegacyLimits.standard.content else {
                throw .init(reason: "keyed archive that expands past \(LegacyLimits.standard.content) bytes of text")
            }
            elements.append(value)
        }
        return elements
    }

    /// The references in `NS.objects`, or in older ordered sets in `NS.object.0`, `NS.object.1` and so on.
    private static func references(in list: LegacyValue) throws(LegacyContentError) -> [UInt64] {
        var values: [LegacyValue] = []
        if case .array(let array)? = list["NS.objects"] {
            values = array
        } else if case .dictionary(let pairs) = list {
            let numbered = pairs.filter { $0.key.hasPrefix("NS.object.") }
            var byKey: [String: LegacyValue] = [:]
            for pair in numbered { byKey[pair.key] = pair.value }
            for index in 0..<numbered.count {
                guard let value = byKey["NS.object.\(index)"] else {
                    throw .init(reason: "keyed archive with a gap in its list")
                }
                values.append(value)
            }
        }
        var uids: [UInt64] = []
        for value in values {
            guard case .uid(let uid) = value else {
                throw .init(reason: "keyed archive with a list that has no references")
            }
            uids.append(uid)
        }
        return uids
    }

    private static func element(
        _ uid: UInt64, in objects: [LegacyValue]
    ) throws(LegacyContentError) -> LegacyValue {
        // Index 0 is `$null`, the archive's nil.
        guard uid != 0 else { return .null }
        let object = try small(try object(uid, in: objects))
        guard case .dictionary = object else { return object }
        let name = try className(of: object, in: objects)
        guard strings.contains(name) else {
            throw .init(reason: "keyed archive with an element of the class \(name.escapedForMessage), not a string")
        }
        var text = object["NS.string"]
        if case .uid(let inner)? = text { text = try self.object(inner, in: objects) }
        guard case .string? = text, let text else { throw .init(reason: "keyed archive with a string without text") }
        return text
    }

    private static func object(
        _ uid: UInt64, in objects: [LegacyValue]
    ) throws(LegacyContentError) -> LegacyValue {
        guard uid < UInt64(objects.count) else { throw .init(reason: "keyed archive with a reference past its end") }
        return objects[Int(uid)]
    }

    /// Whether an object is small enough to be searched once for each of many references.
    static func isSmall(_ object: LegacyValue) -> Bool {
        if case .dictionary(let pairs) = object { return pairs.count <= 16 }
        return true
    }

    private static func small(_ object: LegacyValue) throws(LegacyContentError) -> LegacyValue {
        guard isSmall(object) else { throw .init(reason: "keyed archive with an element of too many parts") }
        return object
    }

    private static func className(
        of object: LegacyValue, in objects: [LegacyValue]
    ) throws(LegacyContentError) -> String {
        guard case .dictionary = object else { throw .init(reason: "keyed archive of \(object.typeNameWithArticle)") }
        guard case .uid(let uid)? = object["$class"],
            case .string(let name)? = try small(try self.object(uid, in: objects))["$classname"]
        else { throw .init(reason: "keyed archive with an object without a class") }
        return name
    }
}
