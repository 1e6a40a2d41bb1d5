internal import GodwitModel

/// The app's own model as Core Data keeps it in `Z_MODELCACHE`: a keyed archive of an `NSManagedObjectModel`.
///
/// Only names, types and targets are taken from it, by going once through the list of its objects; nothing is
/// instantiated, no chain of references is followed, and whatever does not fit is left out. Where the columns say
/// otherwise, they are right: the archive only tells what they are called.
struct CoreDataArchivedModel: Equatable {
    struct Attribute: Equatable {
        /// The property's name; `property.part` for a part of a composite attribute.
        let name: String
        let kind: CoreDataAttributeKind?
        /// The name that Core Data makes the column's of: of a part its own alone.
        let columnStem: String

        init(name: String, kind: CoreDataAttributeKind?, columnStem: String? = nil) {
            self.name = name
            self.kind = kind
            self.columnStem = columnStem ?? name
        }
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

        /// The attributes that have a column.
        ///
        /// A composite attribute has none: its parts have.
        var storedAttributes: [Attribute] {
            var parts: Set<String> = []
            for attribute in attributes where attribute.kind != .composite {
                parts.insert(attribute.name)
                for end in attribute.name.indices where attribute.name[end] == "." {
                    parts.insert(String(attribute.name[..<end]))
                }
            }
            return attributes.filter { $0.kind != .composite || !parts.contains($0.name) }
        }
    }

    /// By name.
    var entities: [String: Entity] = [:]
    /// Names that may be those of other entities by now; only of a model that is aligned with its store.
    var uncertainNames: Set<String> = []

    /// Nil where the property list is no archive of a model.
    init?(_ pairs: [LegacyPair]) {
        let root = LegacyValue.dictionary(pairs)
        guard root["$archiver"] != nil, case .array(let objects)? = root["$objects"] else { return nil }
        let archive = CoreDataArchiveObjects(objects)
        for object in objects where archive.className(of: object) == "NSEntityDescription" {
            guard let name = archive.text(object["NSEntityName"]) else { continue }
            entities[name, default: Entity()].parent = archive.object(object["NSSuperentity"]).flatMap {
                archive.text($0["NSEntityName"])
            }
        }
        guard !entities.isEmpty else { return nil }
        let composites = CoreDataComposites(objects, archive)
        for index in objects.indices { take(objects[index], at: index, archive, composites) }
    }

    /// The names of an entity and of all it inherits from.
    func line(of name: String) -> [String] {
        var line = [name]
        while line.count < CoreDataSurvey.deepestInheritance, let parent = line.last.flatMap({ entities[$0]?.parent }),
            !line.contains(parent)
        { line.append(parent) }
        return line
    }

    private mutating func take(
        _ object: LegacyValue, at index: Int, _ archive: CoreDataArchiveObjects, _ composites: CoreDataComposites
    ) {
        guard let className = archive.className(of: object), className.hasSuffix("Description"),
            let name = archive.text(object["NSPropertyName"]),
            let owner = archive.owner(of: object) ?? composites.owner(of: index), entities[owner] != nil
        else { return }
        if className == "NSRelationshipDescription" {
            let target =
                archive.text(object["_NSDestinationEntityName"])
                ?? archive.object(object["NSDestinationEntity"]).flatMap { archive.text($0["NSEntityName"]) }
            // 0 stands for "as many as there are".
            let isToMany = object["NSMaxCount"] != .integer(1)
            entities[owner]?.relations.append(Relation(name: name, target: target, isToMany: isToMany))
        } else if case .integer(let number)? = object["NSAttributeType"] {
            entities[owner]?.attributes.append(
                Attribute(
                    name: composites.name(of: index) ?? name, kind: CoreDataAttributeKind(rawValue: number),
                    columnStem: name))
        }
    }
}
