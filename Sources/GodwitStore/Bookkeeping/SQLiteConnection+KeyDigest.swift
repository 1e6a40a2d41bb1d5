package import GodwitModel

extension SQLiteConnection {
    /// A hash of the keys and dates of all records of some entities, in any order.
    ///
    /// It distinguishes one store of an app from another one, and from an older copy of itself. Nil where a table can't be read without
    /// the app.
    package func keyDigest(of entities: [Entity]) throws(GodwitError) -> String? {
        let shape = try readShape()
        var text = JSONBuffer(capacity: 512)
        for entity in entities {
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

    /// How many records there are, and the sum of a hash of each (FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>).
    private func sumOfRecords(
        of entity: Entity, in table: TableShape
    ) throws(GodwitError) -> (count: Int64, sum: UInt64) {
        let columns =
            [entity.key] + [entity.modified?.column].compactMap(\.self).filter { table.column(named: $0) != nil }
        let cursor = try prepare(
            "SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(quoted(table.name)) NOT INDEXED")
        var (count, sum) = (Int64(0), UInt64(0))
        while try cursor.step() {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for column in columns.indices {
                // What parts the columns; no byte has this value.
                hash = (hash ^ 0x100) &* 0x100_0000_01B3
                switch cursor.type(column) {
                case .null: break
                case .integer: hash = (hash ^ UInt64(bitPattern: cursor.integer(column))) &* 0x100_0000_01B3
                case .real: hash = (hash ^ cursor.real(column).bitPattern) &* 0x100_0000_01B3
                case .text, .blob:
                    cursor.withBytes(column) { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
                }
            }
            (count, sum) = (count + 1, sum &+ hash)
        }
        return (count, sum)
    }
}
