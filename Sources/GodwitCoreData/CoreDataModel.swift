package import GodwitModel
internal import GodwitSQLite

/// The content of a Core Data or SwiftData store, from its own tables: entities, columns, relations, join tables, and
/// other tables.
///
/// Numbers of entities in names of tables and columns (`Z_3TAGS`, `Z7_OWNER`) are always looked up in `Z_PRIMARYKEY`,
/// because they change between model versions.
package struct CoreDataModel: Sendable, Equatable {
    /// The app's entities in the order of their numbers, without those of history and mirroring.
    package var entities: [CoreDataEntity]
    /// Many-to-many relations, by the name of their table.
    package var joins: [CoreDataJoin]
    /// Tables that belong to no entity.
    package var otherTables: CoreDataOtherTables
    /// The safe part of `Z_METADATA`; nil if it cannot be read.
    package var metadata: CoreDataMetadata?
    /// Number of records whose `Z_ENT` is not in `Z_PRIMARYKEY`, so that they belong to no entity.
    package var strayRecords: Int64
    /// Whether names, types and targets come from the model in the store (`Z_MODELCACHE`); otherwise they come from the
    /// columns.
    package var isModelKnown: Bool
    /// By table: columns whose names several properties share, and whose owner no row shows.
    ///
    /// Each entity that may own them lists them, under the column's own name.
    package var untoldColumns: [String: [String]] = [:]
    /// Names that may belong to another entity since the model was stored; a relation's target is not derived from such
    /// a name.
    package var uncertainNames: Set<String> = []

    package init(
        entities: [CoreDataEntity] = [], joins: [CoreDataJoin] = [],
        otherTables: CoreDataOtherTables = CoreDataOtherTables(), metadata: CoreDataMetadata? = nil,
        strayRecords: Int64 = 0, isModelKnown: Bool = false
    ) {
        (self.entities, self.joins, self.otherTables, self.metadata) = (entities, joins, otherTables, metadata)
        (self.strayRecords, self.isModelKnown) = (strayRecords, isModelKnown)
    }

    /// The entity of this name, compared by bytes; if there are two, the one with records.
    package func entity(named name: String) -> CoreDataEntity? {
        let named = entities.filter { $0.name.utf8.elementsEqual(name.utf8) }
        return named.first { $0.count > 0 } ?? named.first
    }

    package func entity(numbered number: Int64) -> CoreDataEntity? { entities.first { $0.number == number } }

    /// An entity and all its descendants, in the order of their numbers.
    package func family(of name: String) -> [CoreDataEntity] {
        let byNumber = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        return entities.filter { entity in
            var (next, steps): (CoreDataEntity?, Int) = (entity, 0)
            // A model that was read has no circle; one made by hand may have.
            while let current = next, steps <= entities.count {
                if current.name.utf8.elementsEqual(name.utf8) { return true }
                next = current.superNumber.flatMap { byNumber[$0] }
                steps += 1
            }
            return false
        }
    }

    /// The ancestors of an entity, nearest first.
    package func ancestors(of entity: CoreDataEntity) -> [CoreDataEntity] {
        var found: [CoreDataEntity] = []
        var next = entity.superNumber
        while let number = next, let parent = self.entity(numbered: number), found.count < entities.count {
            found.append(parent)
            next = parent.superNumber
        }
        return found
    }

    /// An SQL condition for the records that belong to an entity; nil if all do.
    package func conditionOfKnown(in table: TableShape) -> String? {
        guard strayRecords > 0, table.column(named: "Z_ENT").map({ !$0.isGenerated }) == true else { return nil }
        let numbers = entities.filter { $0.table == table.name }.map { "\($0.number)" }
        return "\(quoted("Z_ENT")) IN (\(numbers.joined(separator: ", ")))"
    }

    package var isMirrored: Bool { !otherTables.mirroring.isEmpty }
}

/// One entity: a row of `Z_PRIMARYKEY`.
package struct CoreDataEntity: Sendable, Equatable {
    /// The name in the app's model.
    package let name: String
    /// `Z_ENT`, which identifies this entity's rows in a table.
    package let number: Int64
    /// The number of the parent entity; nil if there is none.
    package let superNumber: Int64?
    /// The name of the parent entity.
    package let superName: String?
    /// The name of the table, which all entities of a family share; nil if there is none, as for an abstract entity
    /// without descendants.
    package let table: String?
    /// Number of records of this entity, without its descendants.
    package let count: Int64
    /// `Z_MAX`: the highest number that Core Data has given a record.
    package let highestKey: Int64
    /// In the order of the columns; those of the whole table if the model is unknown.
    package let attributes: [CoreDataAttribute]
    /// Its to-one relations, in the same order.
    package let relations: [CoreDataRelation]

    package init(
        name: String, number: Int64, superNumber: Int64? = nil, superName: String? = nil, table: String?,
        count: Int64 = 0, highestKey: Int64 = 0, attributes: [CoreDataAttribute] = [],
        relations: [CoreDataRelation] = []
    ) {
        (self.name, self.number, self.superNumber, self.superName) = (name, number, superNumber, superName)
        (self.table, self.count, self.highestKey, self.attributes) = (table, count, highestKey, attributes)
        self.relations = relations
    }
}

package struct CoreDataAttribute: Sendable, Equatable {
    /// The name in the model; if unknown, the column's name without `Z`, in lower case.
    package let name: String
    package let column: String
    /// The type in `CREATE TABLE`: `INTEGER`, `FLOAT`, `VARCHAR`, `TIMESTAMP`, `DECIMAL`, `BLOB`, or none.
    package let declaredType: String
    /// The type in the model; nil if the model is unknown.
    package let kind: CoreDataAttributeKind?

    package init(name: String, column: String, declaredType: String, kind: CoreDataAttributeKind? = nil) {
        (self.name, self.column, self.declaredType, self.kind) = (name, column, declaredType, kind)
    }
}

/// The type of an attribute; the raw values are those of `NSAttributeType`.
///
/// <https://developer.apple.com/documentation/coredata/nsattributetype>
package enum CoreDataAttributeKind: Int64, Sendable, Equatable {
    case undefined = 0
    case integer16 = 100
    case integer32 = 200
    case integer64 = 300
    case decimal = 400
    case double = 500
    case float = 600
    case string = 700
    case boolean = 800
    case date = 900
    case binary = 1000
    case uuid = 1100
    case uri = 1200
    case transformable = 1800
    case objectID = 2000
    case composite = 2100
}

/// One to-one relation: a column with the `Z_PK` of a record.
package struct CoreDataRelation: Sendable, Equatable {
    /// The name in the model; if unknown, the column's name without `Z`, in lower case.
    package let name: String
    package let column: String
    /// The entity of the target records, or an ancestor of it; nil if unknown.
    package let target: String?
    /// The column with the `Z_ENT` of the target record, if there is one (`Z7_OWNER`).
    package let targetNumberColumn: String?
    /// The column with the record's index among those with the same target (`Z_FOK_PARENT`), if the relation is
    /// ordered.
    package let orderColumn: String?
    /// Whether this column stores a to-many relation of `target` (`Z1SETS`), because the model has no to-one inverse;
    /// then `name` is the name of that relation.
    package let isHiddenInverse: Bool
    /// The source of the fact that it is a relation.
    package let evidence: Evidence

    /// From most to least certain.
    package enum Evidence: String, Sendable, Equatable {
        /// The model in the store.
        case model
        /// The name of this column, or of columns that only relations have.
        case columns
        /// An index that Core Data makes for each relation; old versions made the same for indexed attributes.
        case index
    }

    package init(
        name: String, column: String, target: String? = nil, targetNumberColumn: String? = nil,
        orderColumn: String? = nil, isHiddenInverse: Bool = false, evidence: Evidence
    ) {
        (self.name, self.column, self.target, self.targetNumberColumn) = (name, column, target, targetNumberColumn)
        (self.orderColumn, self.isHiddenInverse, self.evidence) = (orderColumn, isHiddenInverse, evidence)
    }
}

/// A many-to-many relation: a table of pairs of `Z_PK`.
package struct CoreDataJoin: Sendable, Equatable {
    package let table: String
    package let first: CoreDataJoinEnd
    package let second: CoreDataJoinEnd
    /// Number of pairs.
    package let count: Int64

    package init(table: String, first: CoreDataJoinEnd, second: CoreDataJoinEnd, count: Int64 = 0) {
        (self.table, self.first, self.second, self.count) = (table, first, second, count)
    }

    package var ends: [CoreDataJoinEnd] { [first, second] }
}

package struct CoreDataJoinEnd: Sendable, Equatable {
    /// The column with the `Z_PK` of this side's record.
    package let column: String
    /// The entity of this side's records; nil if its number is not in `Z_PRIMARYKEY`.
    package let entity: String?
    /// The relation of the other side's entity that refers to this side, from the column's name; in lower case if the
    /// model is unknown.
    package let relation: String
    /// The column with the index of this side's record among those of the other side's (`Z_FOK_7TAGS`).
    package let orderColumn: String?

    package init(column: String, entity: String?, relation: String, orderColumn: String? = nil) {
        (self.column, self.entity, self.relation, self.orderColumn) = (column, entity, relation, orderColumn)
    }
}

/// The tables of a Core Data store that belong to no entity, by name.
package struct CoreDataOtherTables: Sendable, Equatable {
    /// Persistent history: `ACHANGE`, `ATRANSACTION`, `ATRANSACTIONSTRING`.
    package var history: [String] = []
    /// CloudKit's mirroring: `ANSCK…`.
    package var mirroring: [String] = []
    /// Core Data's own: `Z_PRIMARYKEY`, `Z_METADATA`, `Z_MODELCACHE`, and other tables with `A` or `Z_` that contain no
    /// records.
    package var bookkeeping: [String] = []
    /// Tables that Core Data did not make, or no longer uses.
    package var foreign: [String] = []

    package init() {}
}

/// The part of `Z_METADATA` that reports may show; apps also keep tokens there.
package struct CoreDataMetadata: Sendable, Equatable {
    /// The app's names for its model version.
    package var modelIdentifiers: [String] = []
    /// By entity name: the SHA-256 of the entity's version, in lower-case hex.
    package var versionHashes: [String: String] = [:]
    /// The version of Core Data that wrote the store.
    package var frameworkVersion: Int64?
    /// Whether persistent history is enabled.
    package var tracksHistory: Bool?
    /// Number of other keys, which are not shown.
    package var hiddenKeys = 0

    package init() {}
}
