package import GodwitModel

/// Reads the elements of an `NSKeyedArchiver` archive whose root is an array or a set; nothing is ever instantiated.
///
/// An archive is a property list `{$archiver, $version, $objects: […], $top: {root: UID}}`, in which UIDs are places in
/// `$objects`. Only the classes named here are known, an element is followed two steps at most (element, then the text of a
/// mutable string), and so no archive can make the reader go round in circles. What many references lead to is bounded
/// too: the keys of an element and the text of all of them. Source: Foundation, `NSKeyedArchiver`.
package enum KeyedArchive {
    private static let lists: Set<String> = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
    ]
    private static let strings: Set<String> = ["NSString", "NSMutableString"]

    /// Whether a property list calls itself an archive.
    package static func isArchive(_ root: LegacyValue) -> Bool {
        root["$archiver"] != nil && root["$objects"] != nil
    }

    /// The elements in their order: strings and integers as they are; anything else as a fault.
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

    /// `NS.objects`, or as older ordered sets have it `NS.object.0`, `NS.object.1` and so on.
    private static func references(in list: LegacyValue) throws(LegacyContentError) -> [UInt64] {
        var values: [LegacyValue] = []
        if case .array(let array)? = list["NS.objects"] {
            values = array
        } else if case .dictionary(let pairs) = list {
            let numbered = pairs.filter { $0.key.hasPrefix("NS.object.") }
            var byKey: [String: LegacyValue] = [:]
            for pair in numbered { byKey[pair.key] = pair.value }
            for place in 0..<numbered.count {
                guard let value = byKey["NS.object.\(place)"] else {
                    throw .init(reason: "keyed archive with a gap in its list")
                }
                values.append(value)
            }
        }
        var uids: [UInt64] = []
        for value in values {
            guard case .uid(let uid) = value else { throw .init(reason: "keyed archive with a list of no references") }
            uids.append(uid)
        }
        return uids
    }

    private static func element(
        _ uid: UInt64, in objects: [LegacyValue]
    ) throws(LegacyContentError) -> LegacyValue {
        // Place 0 is `$null`, the archive's nil.
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

    /// Whether many references may lead to an object: searching it must cost little each time.
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

extension LegacyValue {
    /// The value under a key of a dictionary, compared by bytes.
    fileprivate subscript(key: String) -> LegacyValue? {
        guard case .dictionary(let pairs) = self else { return nil }
        return pairs.first { $0.hasKey(key) }?.value
    }
}
