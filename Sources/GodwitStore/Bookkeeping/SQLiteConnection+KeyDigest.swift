package import GodwitModel

extension SQLiteConnection {
    /// A hash of the records of some entities: of each its count, its smallest key and its largest key.
    ///
    /// Two stores of an app differ in it unless they have the same keys at both ends, which is enough to tell one store from
    /// another, and takes three looks into an index instead of reading all records. Nil where a key can't be compared, in a
    /// column with a collation of the app.
    package func keyDigest(of entities: [Entity]) throws(GodwitError) -> String? {
        let shape = try readShape()
        var text = JSONBuffer(capacity: 512)
        for entity in entities {
            guard let table = shape.table(named: entity.name), table.column(named: entity.key) != nil else { continue }
            let (name, key) = (quoted(table.name), quoted(entity.key))
            text.append(string: entity.name)
            for value in ["count(*)", "min(\(key))", "max(\(key))"] {
                do throws(GodwitError) {
                    text.append(try first("SELECT \(value) FROM \(name)") ?? .null)
                } catch {
                    guard error.code == .data else { throw error }
                    return nil
                }
                text.append("\n")
            }
        }
        return sha256Hex(text.bytes)
    }
}
