package import GodwitModel
internal import GodwitSQLite

/// What a Core Data or SwiftData store holds, as its own tables tell: entities with their columns, relations, join
/// tables, and the tables that are no entity's.
///
/// No number of an entity is ever taken for granted: those in names of tables and columns (`Z_3TAGS`, `Z7_OWNER`) are
/// looked up in `Z_PRIMARYKEY`, since they change between model versions.
package struct CoreDataModel: Sendable, Equatable {
    /// The app's entities, in the order of their numbers; history and mirroring have entities of their own, which are
    /// left out.
    package var entities: [CoreDataEntity]
    /// Many-to-many relations, by the name of their table.
    package var joins: [CoreDataJoin]
    /// Tables that are no entity's.
    package var otherTables: CoreDataOtherTables
    /// What `Z_METADATA` says, as far as it may be shown; nil where it can't be read.
    package var metadata: CoreDataMetadata?
    /// Records in tables of entities whose `Z_ENT` is none that `Z_PRIMARYKEY` knows: no entity's.
    package var strayRecords: Int64
    /// Whether names, types and targets are those of the model that Core Data keeps in the store (`Z_MODELCACHE`); else
    /// they are what the columns alone tell.
    package var isModelKnown: Bool
    /// By table: columns that share a name in the model, and of which no row told whose they are.
    ///
    /// They are listed with each entity that may have them, under the column's own name.
    package var untoldColumns: [String: [String]] = [:]
    /// Names that another entity may have got since the model in the store was kept there: no relation is taken to lead to one
    /// by its name alone.
    package var uncertainNames: Set<String> = []

    package init(
        entities: [CoreDataEntity] = [], joins: [CoreDataJoin] = [],
        otherTables: CoreDataOtherTables = CoreDataOtherTables(), metadata: CoreDataMetadata? = nil,
        strayRecords: Int64 = 0, isModelKnown: Bool = false
    ) {
        self.entities = entities
        self.joins = joins
        self.otherTables = otherTables
        self.metadata = metadata
        self.strayRecords = strayRecords
        self.isModelKnown = isModelKnown
    }

    /// The entity of this name, compared by bytes; where a name is there twice, the one that has records.
    package func entity(named name: String) -> CoreDataEntity? {
        let named = entities.filter { $0.name.utf8.elementsEqual(name.utf8) }
        return named.first { $0.count > 0 } ?? named.first
    }

    /// The entity with this number.
    package func entity(numbered number: Int64) -> CoreDataEntity? { entities.first { $0.number == number } }

    /// An entity and all that inherit from it, however deep, in the order of their numbers.
    package func family(of name: String) -> [CoreDataEntity] {
        let byNumber = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        return entities.filter { entity in
            var (next, steps): (CoreDataEntity?, Int) = (entity, 0)
            // A model that was read goes round in no circle; one that was made by hand may.
            while let current = next, steps <= entities.count {
                if current.name.utf8.elementsEqual(name.utf8) { return true }
                next = current.superNumber.flatMap { byNumber[$0] }
                steps += 1
            }
            return false
        }
    }

    /// What an entity inherits from, the nearest first.
    package func ancestors(of entity: CoreDataEntity) -> [CoreDataEntity] {
        var found: [CoreDataEntity] = []
        var next = entity.superNumber
        while let number = next, let parent = self.entity(numbered: number), found.count < entities.count {
            found.append(parent)
            next = parent.superNumber
        }
        return found
    }

    /// What tells the records of a table that are an entity's from those that are none's, in SQL; nil where all are.
    package func conditionOfKnown(in table: TableShape) -> String? {
        guard strayRecords > 0, table.column(named: "Z_ENT").map({ !$0.isGenerated }) == true else { return nil }
        let numbers = entities.filter { $0.table == table.name }.map { "\($0.number)" }
        return "\(quoted("Z_ENT")) IN (\(numbers.joined(separator: ", ")))"
    }

    /// Whether Core Data mirrors the store to CloudKit.
    package var isMirrored: Bool { !otherTables.mirroring.isEmpty }
}

/// One entity: a row of `Z_PRIMARYKEY`.
package struct CoreDataEntity: Sendable, Equatable {
    /// The name as the app's model has it.
    package let name: String
    /// `Z_ENT`: which rows of a table are this entity's.
    package let number: Int64
    /// The number of the entity it inherits from; nil for one that inherits from none.
    package let superNumber: Int64?
    /// The name of the entity it inherits from.
    package let superName: String?
    /// The name of the table, which it shares with all it inherits from and all that inherit from it; nil where there is
    /// none, as an abstract entity without any others leaves it.
    package let table: String?
    /// Records of this very entity, without those of sub-entities.
    package let count: Int64
    /// `Z_MAX`: the highest number that Core Data has given a record.
    package let highestKey: Int64
    /// Its attributes in the order of the columns; where the model is not known, those of the whole table.
    package let attributes: [CoreDataAttribute]
    /// Its to-one relations, likewise.
    package let relations: [CoreDataRelation]

    package init(
        name: String, number: Int64, superNumber: Int64? = nil, superName: String? = nil, table: String?,
        count: Int64 = 0, highestKey: Int64 = 0, attributes: [CoreDataAttribute] = [],
        relations: [CoreDataRelation] = []
    ) {
        self.name = name
        self.number = number
        self.superNumber = superNumber
        self.superName = superName
        self.table = table
        self.count = count
        self.highestKey = highestKey
        self.attributes = attributes
        self.relations = relations
    }
}

/// One attribute: a column.
package struct CoreDataAttribute: Sendable, Equatable {
    /// The name as the model has it; where that is not known, the column's without `Z`, in lower case.
    package let name: String
    package let column: String
    /// As `CREATE TABLE` has it: `INTEGER`, `FLOAT`, `VARCHAR`, `TIMESTAMP`, `DECIMAL`, `BLOB`, or nothing.
    package let declaredType: String
    /// What the model says it holds; nil where the model is not known.
    package let kind: CoreDataAttributeKind?

    package init(name: String, column: String, declaredType: String, kind: CoreDataAttributeKind? = nil) {
        self.name = name
        self.column = column
        self.declaredType = declaredType
        self.kind = kind
    }
}

/// What an attribute holds; the raw values are those of `NSAttributeType`.
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

/// One to-one relation: a column that holds the `Z_PK` of a record.
package struct CoreDataRelation: Sendable, Equatable {
    /// The name as the model has it; where that is not known, the column's without `Z`, in lower case.
    package let name: String
    package let column: String
    /// The entity that the records it leads to are of, or inherit from; nil where that is not known.
    package let target: String?
    /// The column with the `Z_ENT` of the record it leads to, where there is one (`Z7_OWNER`).
    package let targetNumberColumn: String?
    /// The column with the record's place among those that lead to the same one (`Z_FOK_PARENT`), where that is ordered.
    package let orderColumn: String?
    /// The to-many relation of `target` that this column carries (`Z1SETS`), where the model has no to-one relation back;
    /// `name` then is that relation's.
    package let isHiddenInverse: Bool
    /// What tells that it is a relation.
    package let evidence: Evidence

    /// From the surest to the least.
    package enum Evidence: String, Sendable, Equatable {
        /// The model that Core Data keeps in the store.
        case model
        /// The names of this column or of columns that only relations have.
        case columns
        /// An index as Core Data makes one for each relation; old versions made the same for indexed attributes.
        case index
    }

    package init(
        name: String, column: String, target: String? = nil, targetNumberColumn: String? = nil,
        orderColumn: String? = nil, isHiddenInverse: Bool = false, evidence: Evidence
    ) {
        self.name = name
        self.column = column
        self.target = target
        self.targetNumberColumn = targetNumberColumn
        self.orderColumn = orderColumn
        self.isHiddenInverse = isHiddenInverse
        self.evidence = evidence
    }
}

/// A many-to-many relation: a table of pairs of `Z_PK`.
package struct CoreDataJoin: Sendable, Equatable {
    package let table: String
    package let first: CoreDataJoinEnd
    package let second: CoreDataJoinEnd
    /// Pairs in it.
    package let count: Int64

    package init(table: String, first: CoreDataJoinEnd, second: CoreDataJoinEnd, count: Int64 = 0) {
        self.table = table
        self.first = first
        self.second = second
        self.count = count
    }

    package var ends: [CoreDataJoinEnd] { [first, second] }
}

/// One side of a join table.
package struct CoreDataJoinEnd: Sendable, Equatable {
    /// The column with the `Z_PK` of this side's record.
    package let column: String
    /// The entity of this side's records; nil where `Z_PRIMARYKEY` does not know its number.
    package let entity: String?
    /// The relation of the other side's entity that leads here; as far as the column's name tells, in lower case where
    /// the model is not known.
    package let relation: String
    /// The column with the place of this side's record among those of the other side's (`Z_FOK_7TAGS`).
    package let orderColumn: String?

    package init(column: String, entity: String?, relation: String, orderColumn: String? = nil) {
        self.column = column
        self.entity = entity
        self.relation = relation
        self.orderColumn = orderColumn
    }
}

/// The tables of a Core Data store that are no entity's, by name.
package struct CoreDataOtherTables: Sendable, Equatable {
    /// Persistent history: `ACHANGE`, `ATRANSACTION`, `ATRANSACTIONSTRING`.
    package var history: [String] = []
    /// CloudKit's mirroring: `ANSCK…`.
    package var mirroring: [String] = []
    /// Core Data's own: `Z_PRIMARYKEY`, `Z_METADATA`, `Z_MODELCACHE`, and others of an `A` or `Z_` that hold no records.
    package var bookkeeping: [String] = []
    /// Tables that Core Data did not make, or does not know any more.
    package var foreign: [String] = []

    package init() {}
}

/// What of `Z_METADATA` may be shown: apps keep what they like there, tokens among it.
package struct CoreDataMetadata: Sendable, Equatable {
    /// The names that the app gave its model's version.
    package var modelIdentifiers: [String] = []
    /// For each entity the SHA-256 of its version, in lower-case hex, by name.
    package var versionHashes: [String: String] = [:]
    /// The version of Core Data that wrote the store.
    package var frameworkVersion: Int64?
    /// Whether the app asked for persistent history.
    package var tracksHistory: Bool?
    /// How many further keys there are, which are not shown.
    package var hiddenKeys = 0

    package init() {}
}
