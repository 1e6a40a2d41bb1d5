internal import GodwitFiles
internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

/// What distinguishes a store from others (`keyDigest`): known, or read in a thread while other work goes on.
package enum StoreDigest: Sendable {
    case known(String?)
    case asked(BackgroundQuery<String?>)

    /// Waits for it, where it is being asked.
    ///
    /// - Parameter connection: a reader of the store that was asked about.
    package func value(of connection: SQLiteConnection) throws(GodwitError) -> String? {
        switch self {
        case .known(let digest): digest
        case .asked(let question): try question.answer(of: connection)
        }
    }
}

extension SQLiteConnection {
    /// A hash of the keys and dates of all records of some entities, in any order.
    ///
    /// It distinguishes one store of an app from another one, and from an older copy of itself. Nil if a table can't be
    /// read without the app.
    package func keyDigest(of entities: [Entity]) throws(GodwitError) -> String? {
        let shape = try readShape()
        var text = JSONBuffer(capacity: 512)
        for entity in entities.sorted(by: { $0.name < $1.name }) {
            guard let table = shape.table(named: entity.name), table.column(named: entity.key) != nil else { continue }
            text.append(string: entity.name)
            do throws(GodwitError) {
                let (count, sum) = try sumOfRecords(of: entity, in: table)
                text.append(digits: count)
                text.append(string: String(sum, radix: 16))
            } catch {
                guard error.code == .data else { throw error }
                return nil
            }
        }
        return sha256Hex(text.bytes)
    }

    /// How many records there are, and the sum of a hash of each.
    private func sumOfRecords(
        of entity: Entity, in table: TableShape
    ) throws(GodwitError) -> (count: Int64, sum: UInt64) {
        let columns =
            [entity.key] + [entity.modified?.column].compactMap(\.self).filter { table.column(named: $0) != nil }
        let cursor = try prepare(
            "SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(source(table.name))")
        var (count, sum) = (Int64(0), UInt64(0))
        while try cursor.step() {
            var hash = RecordHash()
            for column in columns.indices { hash.add(column, of: cursor) }
            (count, sum) = (count + 1, sum &+ hash.value)
        }
        return (count, sum)
    }
}
