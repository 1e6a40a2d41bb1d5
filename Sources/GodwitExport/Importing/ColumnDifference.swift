internal import GodwitModel

/// Something that a document announces otherwise than the store it was restored into has it.
///
/// Every value is restored all the same, but an export of that store has other descriptions, and so another hash.
package struct ColumnDifference: Sendable, Equatable {
    /// What differs; where there are two values, the document's is the first.
    package enum Kind: Sendable, Equatable {
        /// The name, which the store spells like this.
        case name(String)
        /// The declared type.
        case type(String, String)
        /// The place among the table's columns, from 1; only of the first column that is not where it was.
        case place(Int, Int)
    }

    /// The table as the document spells it.
    package let table: String
    /// The column as the document spells it.
    package let column: String
    package let kind: Kind

    package init(table: String, column: String, kind: Kind) {
        (self.table, self.column, self.kind) = (table, column, kind)
    }
}

/// The first of what differs, and how much there is: names in a document may be many and long.
package struct ColumnDifferences: Sendable, Equatable {
    /// So many are kept.
    package static let limit = 5
    package private(set) var first: [ColumnDifference] = []
    package private(set) var count = 0

    package init() {}

    /// Adds one.
    package mutating func add(_ difference: ColumnDifference) {
        count += 1
        if first.count < Self.limit { first.append(difference) }
    }

    /// Adds what differs between an announced entity and the table it is restored into, which has the same columns.
    mutating func add(_ entity: DocumentEntity, in table: TableShape) {
        let columns = table.columnsInFile
        var isInOrder = true
        for (place, announced) in entity.columns.enumerated() {
            guard let found = columns.firstIndex(where: { $0.name.isSameName(as: announced.name) }) else { continue }
            let column = columns[found]
            var kinds: [ColumnDifference.Kind] = []
            if !column.name.utf8.elementsEqual(announced.name.utf8) { kinds.append(.name(column.name)) }
            if !column.type.utf8.elementsEqual(announced.type.utf8) { kinds.append(.type(announced.type, column.type)) }
            if found != place, isInOrder {
                kinds.append(.place(place + 1, found + 1))
                isInOrder = false
            }
            for kind in kinds { add(ColumnDifference(table: entity.name, column: announced.name, kind: kind)) }
        }
    }
}
