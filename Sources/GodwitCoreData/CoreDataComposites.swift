internal import GodwitModel

/// The attributes of an archived model that are parts of composite attributes.
///
/// Core Data stores no column for an `NSCompositeAttributeDescription`, but one for each element, with the element's
/// own name. SwiftData makes one for each property of a `Codable` type.
/// <https://developer.apple.com/documentation/coredata/nscompositeattributedescription>
struct CoreDataComposites {
    /// Maximum depth; real values are less deeply nested.
    private static let maxDepth = 8

    /// The composite's index, by the index of a part.
    private var composites: [Int: Int] = [:]
    /// Number of parts, by the index of a composite.
    private var partCounts: [Int: Int] = [:]
    private let archive: CoreDataArchiveObjects

    /// Apple does not document the member names, so a part is an attribute in a list of its composite, or one that
    /// refers to a composite.
    init(_ objects: [LegacyValue], _ archive: CoreDataArchiveObjects) {
        self.archive = archive
        let found = objects.indices.filter { Self.isComposite(objects[$0], archive) }
        guard !found.isEmpty else { return }
        let isComposite = Set(found)
        for index in found {
            for part in archive.listed(in: objects[index])
            where part != index && Self.isAttribute(objects[part], archive) && !leads(index, to: part) {
                join(part, to: index)
            }
        }
        for part in objects.indices where composites[part] == nil && Self.isAttribute(objects[part], archive) {
            let whole = archive.referred(by: objects[part]).first { $0 != part && isComposite.contains($0) }
            if let whole, !leads(whole, to: part) { join(part, to: whole) }
        }
    }

    private mutating func join(_ part: Int, to whole: Int) {
        guard composites[part] == nil else { return }
        composites[part] = whole
        partCounts[whole, default: 0] += 1
    }

    /// Whether an object is a part of another one, directly or indirectly.
    private func leads(_ index: Int, to whole: Int) -> Bool {
        var (next, steps): (Int?, Int) = (composites[index], 0)
        while let current = next, steps < Self.maxDepth {
            if current == whole { return true }
            next = composites[current]
            steps += 1
        }
        return next != nil
    }

    private static func isAttribute(_ object: LegacyValue, _ archive: CoreDataArchiveObjects) -> Bool {
        guard case .integer? = object["NSAttributeType"] else { return false }
        return archive.text(object["NSPropertyName"]) != nil
    }

    private static func isComposite(_ object: LegacyValue, _ archive: CoreDataArchiveObjects) -> Bool {
        isAttribute(object, archive)
            && (object["NSAttributeType"] == .integer(CoreDataAttributeKind.composite.rawValue)
                || archive.className(of: object) == "NSCompositeAttributeDescription")
    }

    /// The name of a part, `property.part`; nil for an attribute that is not a part.
    ///
    /// A composite whose only part has the same name counts as that part: SwiftData does this for an enumeration.
    func name(of index: Int) -> String? {
        guard composites[index] != nil else { return nil }
        var names: [String] = []
        var current = index
        for _ in 0...Self.maxDepth {
            guard let name = archive.text(archive.objects[current]["NSPropertyName"]) else { break }
            let whole = composites[current]
            let isWhole = whole.map { partCounts[$0] == 1 && propertyName($0) == name } ?? false
            if !isWhole { names.append(name) }
            guard let whole else { break }
            current = whole
        }
        return names.reversed().joined(separator: ".")
    }

    private func propertyName(_ index: Int) -> String? { archive.text(archive.objects[index]["NSPropertyName"]) }

    /// The entity of the composite that a part belongs to.
    func owner(of index: Int) -> String? {
        var next = composites[index]
        for _ in 0..<Self.maxDepth {
            guard let current = next else { return nil }
            if let owner = archive.owner(of: archive.objects[current]) { return owner }
            next = composites[current]
        }
        return nil
    }
}
