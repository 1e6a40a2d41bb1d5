extension Entity {
    /// The names along a cycle of parents, beginning and ending with the entity that comes first in the manifest; nil
    /// for none.
    ///
    /// An entity that belongs to itself is a tree, not a cycle.
    package static func cycle(in entities: [Entity]) -> [String]? {
        var waiting = entities
        var before = 0
        repeat {
            before = waiting.count
            let names = Set(waiting.map(\.name))
            waiting.removeAll { entity in
                entity.belongsTo.allSatisfy { $0.parent == entity.name || !names.contains($0.parent) }
            }
        } while waiting.count < before
        // Every remaining entity has a remaining parent: following parents must return to an entity already seen.
        let left = Dictionary(waiting.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard var entity = waiting.first else { return nil }
        var path: [String] = []
        while !path.contains(entity.name) {
            path.append(entity.name)
            let parents = entity.belongsTo.map(\.parent)
            guard let next = parents.first(where: { $0 != entity.name && left[$0] != nil }), let parent = left[next]
            else { return nil }
            entity = parent
        }
        let circle = Array(path.drop { $0 != entity.name })
        let start = waiting.compactMap { circle.firstIndex(of: $0.name) }.first ?? 0
        return Array(circle[start...] + circle[..<start] + [circle[start]])
    }
}
