internal import GodwitModel

/// The app's own model as Core Data keeps it in `Z_MODELCACHE`: a keyed archive of an `NSManagedObjectModel`.
///
/// Only names, types and targets are taken from it, by going once through the list of its objects; nothing is
/// instantiated, no chain of references is followed, and whatever does not fit is left out. Where the columns say
/// otherwise, they are right: the archive only tells what they are called.
struct CoreDataArchivedModel: Equatable {
    struct Attribute: Equatable {
        let name: String
        let kind: CoreDataAttributeKind?
    }

    struct Relation: Equatable {
        let name: String
        let target: String?
        let isToMany: Bool
    }

    struct Entity: Equatable {
        var parent: String?
        var attributes: [Attribute] = []
        var relations: [Relation] = []
    }

    /// By name.
    private(set) var entities: [String: Entity] = [:]

    /// Nil where the property list is no archive of a model.
    init?(_ pairs: [LegacyPair]) {
        let root = LegacyValue.dictionary(pairs)
        guard root["$archiver"] != nil, case .array(let objects)? = root["$objects"] else { return nil }
        let archive = Objects(objects)
        for object in objects where archive.className(of: object) == "NSEntityDescription" {
            guard let name = archive.text(object["NSEntityName"]) else { continue }
            entities[name, default: Entity()].parent = archive.object(object["NSSuperentity"]).flatMap {
                archive.text($0["NSEntityName"])
            }
        }
        guard !entities.isEmpty else { return nil }
        for object in objects { take(object, archive) }
    }

    private mutating func take(_ object: LegacyValue, _ archive: Objects) {
        guard let className = archive.className(of: object), className.hasSuffix("Description"),
            let name = archive.text(object["NSPropertyName"]),
            let owner = archive.object(object["NSEntity"]).flatMap({ archive.text($0["NSEntityName"]) }),
            entities[owner] != nil
        else { return }
        if className == "NSRelationshipDescription" {
            let target =
                archive.text(object["_NSDestinationEntityName"])
                ?? archive.object(object["NSDestinationEntity"]).flatMap { archive.text($0["NSEntityName"]) }
            // 0 stands for "as many as there are".
            let isToMany = object["NSMaxCount"] != .integer(1)
            entities[owner]?.relations.append(Relation(name: name, target: target, isToMany: isToMany))
        } else if case .integer(let number)? = object["NSAttributeType"] {
            entities[owner]?.attributes.append(Attribute(name: name, kind: CoreDataAttributeKind(rawValue: number)))
        }
    }

    /// The names of an entity and of all it inherits from.
    func line(of name: String) -> [String] {
        var line = [name]
        while line.count < CoreDataSurvey.deepestInheritance, let parent = line.last.flatMap({ entities[$0]?.parent }),
            !line.contains(parent)
        { line.append(parent) }
        return line
    }

    /// The objects of an archive, by their places.
    private struct Objects {
        /// Parts of an object that references lead to: more than any description in a model has, and few enough to be
        /// searched once for each reference.
        private static let mostParts = 64

        let objects: [LegacyValue]

        init(_ objects: [LegacyValue]) { self.objects = objects }

        /// What a reference leads to; nil for the archive's nil, which is at place 0, and for what has too many parts.
        func object(_ reference: LegacyValue?) -> LegacyValue? {
            guard case .uid(let place)? = reference, place > 0, place < UInt64(objects.count) else { return nil }
            let object = objects[Int(place)]
            if case .dictionary(let pairs) = object, pairs.count > Self.mostParts { return nil }
            return object
        }

        /// Text that lies here or one reference away.
        func text(_ value: LegacyValue?) -> String? {
            guard let value else { return nil }
            let text = value.text ?? object(value)?.text ?? object(value)?["NS.string"]?.text
            return text.flatMap { $0.isEmpty ? nil : $0 }
        }

        func className(of object: LegacyValue) -> String? { self.object(object["$class"])?["$classname"]?.text }
    }
}
