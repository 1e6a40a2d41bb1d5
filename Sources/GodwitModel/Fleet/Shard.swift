/// One numbered part of a fleet, written `I/N` and counted from 1, as test runners do.
///
/// `1/8` is the first of eight shards, `8/8` the last.
package struct Shard: Sendable, Codable, Hashable, CustomStringConvertible {
    /// The shard's number, from 1 to `count`.
    package let index: Int
    /// Number of shards, at least 1.
    package let count: Int

    /// Largest accepted number of shards; a larger one is taken for a mistake.
    package static let most = 1_000_000

    /// A shard; nil if a number is out of range.
    package init?(index: Int, count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(index) else { return nil }
        (self.index, self.count) = (index, count)
    }

    /// Reads `I/N`; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Self.number(parts[0]), let count = Self.number(parts[1]) else { return nil }
        self.init(index: index, count: count)
    }

    /// Reads decimal digits without sign or spaces.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// Rejects a shard whose numbers are out of range.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let (index, count) = (try fields.decode(Int.self, forKey: .index), try fields.decode(Int.self, forKey: .count))
        guard let shard = Shard(index: index, count: count) else {
            throw DecodingError.dataCorruptedError(
                forKey: .index, in: fields, debugDescription: "There is no such shard.")
        }
        self = shard
    }

    /// `I/N`.
    package var description: String { "\(index)/\(count)" }

    private enum CodingKeys: String, CodingKey { case index, count }
}
