package import GodwitModel

/// The archive of an invented app's model, as Core Data keeps it in `Z_MODELCACHE` before it is compressed.
package struct CoreDataArchiveSample {
    /// Each entity's name and its parent's; a parent comes before its children.
    package let entities: [(name: String, parent: String?)]
    /// Owner, name, and the raw value of `NSAttributeType`.
    package let attributes: [(owner: String, name: String, type: Int64)]
    /// Owner, name and target.
    package let toOne: [(owner: String, name: String, target: String)]
    /// Owner, name and target.
    package let toMany: [(owner: String, name: String, target: String)]
    /// Composite attributes with the names and types of their parts.
    package var composites: [(owner: String, name: String, parts: [(name: String, type: Int64)])] = []

    package init(
        entities: [(name: String, parent: String?)], attributes: [(owner: String, name: String, type: Int64)],
        toOne: [(owner: String, name: String, target: String)], toMany: [(owner: String, name: String, target: String)]
    ) {
        self.entities = entities
        self.attributes = attributes
        self.toOne = toOne
        self.toMany = toMany
    }

    /// The property list of the archive.
    package var pairs: [LegacyPair] {
        var objects: [LegacyValue] = [.string("$null")]
        func add(_ value: LegacyValue) -> LegacyValue {
            objects.append(value)
            return .uid(UInt64(objects.count - 1))
        }
        func made(_ pairs: (String, LegacyValue)...) -> LegacyValue {
            add(.dictionary(pairs.map { LegacyPair(key: $0.0, value: $0.1) }))
        }
        func named(_ name: String) -> LegacyValue { add(.string(name)) }
        let classes = ["Entity", "Attribute", "Relationship"].map {
            made(("$classname", .string("NS\($0)Description")))
        }
        var places: [String: LegacyValue] = [:]
        for (name, parent) in entities {
            places[name] = made(
                ("$class", classes[0]), ("NSEntityName", named(name)),
                ("NSSuperentity", parent.flatMap { places[$0] } ?? .uid(0)))
        }
        for (owner, name, type) in attributes {
            _ = made(
                ("$class", classes[1]), ("NSEntity", places[owner] ?? .uid(0)), ("NSPropertyName", named(name)),
                ("NSAttributeType", .integer(type)))
        }
        for (owner, name, parts) in composites {
            let made = parts.map { part in
                made(
                    ("$class", classes[1]), ("NSEntity", places[owner] ?? .uid(0)),
                    ("NSPropertyName", named(part.name)),
                    ("NSAttributeType", .integer(part.type)))
            }
            let list = add(.dictionary([LegacyPair(key: "NS.objects", value: .array(made))]))
            let kind = add(
                .dictionary([LegacyPair(key: "$classname", value: .string("NSCompositeAttributeDescription"))]))
            objects.append(
                .dictionary(
                    [
                        ("$class", kind), ("NSEntity", places[owner] ?? .uid(0)), ("NSPropertyName", named(name)),
                        ("NSAttributeType", .integer(2100)), ("NSElements", list),
                    ].map { LegacyPair(key: $0.0, value: $0.1) }))
        }
        // Core Data stores the target's name for some relations and a reference to the target for others.
        for (owner, name, target) in toOne {
            _ = made(
                ("$class", classes[2]), ("NSEntity", places[owner] ?? .uid(0)), ("NSPropertyName", named(name)),
                ("NSDestinationEntity", places[target] ?? .uid(0)), ("NSMaxCount", .integer(1)))
        }
        for (owner, name, target) in toMany {
            _ = made(
                ("$class", classes[2]), ("NSEntity", places[owner] ?? .uid(0)), ("NSPropertyName", named(name)),
                ("_NSDestinationEntityName", named(target)), ("NSMaxCount", .integer(0)))
        }
        return [
            LegacyPair(key: "$archiver", value: .string("NSKeyedArchiver")),
            LegacyPair(key: "$objects", value: .array(objects)),
        ]
    }
}
