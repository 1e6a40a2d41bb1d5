/// A range of rowids, both ends included.
package struct RowRange: Sendable, Equatable {
    package let first: Int64
    package let last: Int64

    package init(first: Int64, last: Int64) { (self.first, self.last) = (first, last) }

    /// All possible rowids.
    package static let all = RowRange(first: .min, last: .max)

    /// Ranges that cover all possible rowids and divide those between two numbers about equally.
    ///
    /// - Parameters:
    ///   - first: the smallest existing rowid.
    ///   - last: the greatest existing rowid.
    ///   - size: the smallest size of a range.
    package static func parts(from first: Int64, through last: Int64, most: Int, ofAtLeast size: UInt64) -> [RowRange] {
        guard first < last else { return [all] }
        let width = UInt64(bitPattern: last &- first)
        let count = UInt64(max(1, min(UInt64(max(most, 1)), width / max(size, 1))))
        // Where each range except the first begins.
        let begins = (1..<count).map { first &+ Int64(bitPattern: width / count * $0) }
        return zip([.min] + begins, begins.map { $0 - 1 } + [.max]).map { RowRange(first: $0, last: $1) }
    }
}
