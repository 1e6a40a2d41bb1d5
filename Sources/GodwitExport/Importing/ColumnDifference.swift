internal import GodwitModel

/// A difference between a document's description of a column and the store that it was restored into.
///
/// Every value is restored, but an export of that store has other descriptions, and so another hash.
package struct ColumnDifference: Sendable, Equatable {
    /// If there are two values, the document's is the first.
    package enum Kind: Sendable, Equatable {
        /// The store's spelling of the name.
        case name(String)
        case type(String, String)
        /// The index among the table's columns, from 1; only for the first column that moved.
        case place(Int, Int)
    }

    package let table: String
    package let column: String
    package let kind: Kind

    package init(table: String, column: String, kind: Kind) {
        (self.table, self.column, self.kind) = (table, column, kind)
    }
}

/// The first differences, and their total number: names in a document may be many and long.
package struct ColumnDifferences: Sendable, Equatable {
    /// Maximum number of differences that are kept.
    package static let limit = 5
    package private(set) var first: [ColumnDifference] = []
    package private(set) var count = 0

    package init() {}

    package mutating func add(_ difference: ColumnDifference) {
        count += 1
        if first.count < Self.limit { first.append(difference) }
    }

    /// Adds the differences between an announced entity and its table, which has the same columns.
    mutating func add(_ entity: DocumentEntity, in table: TableShape) {
        let columns = table.columnsInFile
        var isInOrder = true
        for (index, announced) in entity.columns.enumerated() {
            guard let found = columns.firstIndex(where: { $0.name.isSameName(as: announced.name) }) else { continue }
            let column = columns[found]
            var kinds: [ColumnDifference.Kind] = []
            if !column.name.utf8.elementsEqual(announced.name.utf8) { kinds.append(.name(column.name)) }
            if !column.type.utf8.elementsEqual(announced.type.utf8) { kinds.append(.type(announced.type, column.type)) }
            if found != index, isInOrder {
                kinds.append(.place(index + 1, found + 1))
                isInOrder = false
            }
            for kind in kinds { add(ColumnDifference(table: entity.name, column: announced.name, kind: kind)) }
        }
    }
}
