internal import GodwitModel

/// The objects of a keyed archive, by their indexes.
struct CoreDataArchiveObjects {
    /// Maximum number of parts of an object that references lead to: more than a model's descriptions have, and few
    /// enough to search for each reference.
    private static let maxParts = 64

    let objects: [LegacyValue]

    init(_ objects: [LegacyValue]) { self.objects = objects }

    /// The index in a reference; nil for the archive's nil, which is at index 0.
    func index(_ reference: LegacyValue?) -> Int? {
        guard case .uid(let index)? = reference, index > 0, index < UInt64(objects.count) else { return nil }
        return Int(index)
    }

    /// The object that a reference names; nil if it has too many parts.
    func object(_ reference: LegacyValue?) -> LegacyValue? {
        guard let index = index(reference) else { return nil }
        let object = objects[index]
        if case .dictionary(let pairs) = object, pairs.count > Self.maxParts { return nil }
        return object
    }

    /// Text in the value itself, or in the object that it refers to.
    func text(_ value: LegacyValue?) -> String? {
        guard let value else { return nil }
        let text = value.text ?? object(value)?.text ?? object(value)?["NS.string"]?.text
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    func className(of object: LegacyValue) -> String? { self.object(object["$class"])?["$classname"]?.text }

    /// The name of the entity that a property belongs to.
    func owner(of object: LegacyValue) -> String? {
        self.object(object["NSEntity"]).flatMap { text($0["NSEntityName"]) }
    }

    /// The indexes of objects in lists of an object.
    func listed(in object: LegacyValue) -> [Int] {
        members(of: object).flatMap { member -> [Int] in
            let list = member.elements ?? self.object(member)?["NS.objects"]?.elements ?? []
            return list.prefix(Self.maxParts).compactMap { index($0) }
        }
    }

    /// The indexes of objects that an object refers to directly.
    func referred(by object: LegacyValue) -> [Int] { members(of: object).compactMap { index($0) } }

    private func members(of object: LegacyValue) -> [LegacyValue] {
        guard case .dictionary(let pairs) = object, pairs.count <= Self.maxParts else { return [] }
        return pairs.map(\.value)
    }
}
