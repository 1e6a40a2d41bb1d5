/// Finds the name that the user most likely meant.
package enum NearestName {
    /// `Did you mean …?` for the nearest candidate; nil if none is near enough.
    package static func hint(for name: String, among candidates: [String]) -> String? {
        nearest(to: name, among: candidates).map { "Did you mean \(named($0))?" }
    }

    /// The nearest candidate, the first of equals; ASCII case is ignored.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.foldedName)
        guard (1...longestName).contains(wanted.count) else { return nil }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.foldedName)
            let shorter = min(wanted.count, letters.count)
            let allowed = min(max(1, shorter / 3), shorter - 1)
            guard letters.count <= longestName, abs(letters.count - wanted.count) <= allowed else { continue }
            let distance = slips(from: wanted, to: letters)
            if distance <= allowed, distance < best?.distance ?? Int.max { best = (candidate, distance) }
        }
        return best?.name
    }

    private static let longestName = 64

    /// Insertions, deletions, replacements and swaps of adjacent bytes that turn one name into the other (optimal
    /// string alignment distance).
    private static func slips(from a: [UInt8], to b: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}

extension StringProtocol {
    /// The name's bytes as SQLite compares names: ASCII letters in lower case, other bytes unchanged.
    package var foldedName: [UInt8] { utf8.map(\.asciiLowercased) }

    /// Whether SQLite uses both names for the same table or column.
    package func isSameName(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}
