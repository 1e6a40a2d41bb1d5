/// The records of one entity that a run wrote and its backup lacks, by hashes.
///
/// A rollback does not count them as newer.
package struct WrittenRecords: Sendable, Codable, Equatable {
    /// How many hashes a backup keeps in all, so that the document stays small.
    static let limit = 1 << 17

    /// The columns that are hashed: the manifest may name others by the time of the rollback.
    var key: String
    var modified: String?
    /// How many keys there are.
    var count: Int64
    /// The hashes of key and date in order, 16 hexadecimal digits each; nil if they are too many.
    var hashes: String?

    init(key: String, modified: String?, count: Int64, records: Set<UInt64>?) {
        (self.key, self.modified, self.count) = (key, modified, count)
        hashes = records.map { records in
            records.sorted().map { hash in
                let digits = String(hash, radix: 16)
                return String(repeating: "0", count: 16 - digits.utf8.count) + digits
            }
            .joined()
        }
    }

    /// Whether each of them is known, not only their number.
    package var isComplete: Bool { records != nil }

    /// The hashes; nil if only the number is known.
    var records: Set<UInt64>? {
        guard let digits = hashes.map({ Array($0.utf8) }), digits.count.isMultiple(of: 16) else { return nil }
        var records: Set<UInt64> = []
        for start in stride(from: 0, to: digits.count, by: 16) {
            guard let hash = UInt64(String(decoding: digits[start..<start + 16], as: UTF8.self), radix: 16) else {
                return nil
            }
            records.insert(hash)
        }
        return records
    }
}
