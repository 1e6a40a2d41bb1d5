internal import GodwitModel

/// The app's own model, which Core Data keeps in `Z_MODELCACHE`: a keyed archive of an `NSManagedObjectModel`.
///
/// Only names, types and targets are read, in one pass over the archive's objects. Nothing is instantiated, no chain of
/// references is followed, and unexpected objects are ignored. If the columns differ, they are right: the archive only
/// provides names.
struct CoreDataArchivedModel: Equatable {
    struct Attribute: Equatable {
        /// The property's name; `property.part` for a part of a composite attribute.
        let name: String
        let kind: CoreDataAttributeKind?
        /// The stem of the column's name; for a part, its own name only.
        let columnStem: String

        init(name: String, kind: CoreDataAttributeKind?, columnStem: String? = nil) {
            (self.name, self.kind) = (name, kind)
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

        /// The attributes with a column.
        ///
        /// A composite attribute has none, but its parts have.
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
    /// Names that may belong to other entities now; only set in a model that is aligned with its store.
    var uncertainNames: Set<String> = []

    /// Nil if the property list is not an archive of a model.
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

    /// The names of an entity and of its ancestors.
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
            // 0 means unlimited.
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
