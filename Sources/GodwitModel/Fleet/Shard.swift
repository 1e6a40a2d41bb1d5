/// One of several shares of a fleet.
///
/// Written `I/N`, counted from 1 as test runners count their shards: `1/8` is the first of eight, `8/8` the last.
public struct Shard: Sendable, Codable, Hashable, CustomStringConvertible {
    /// Which share: 1 to `count`.
    public let index: Int
    /// How many shares there are, at least 1.
    public let count: Int

    /// How many shares are taken for meant.
    public static let most = 1_000_000

    /// A share; nil where there is no such share.
    public init?(index: Int, count: Int) {
        guard (1...Self.most).contains(count), (1...count).contains(index) else { return nil }
        (self.index, self.count) = (index, count)
    }

    /// From `I/N`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Self.number(parts[0]), let count = Self.number(parts[1]) else { return nil }
        self.init(index: index, count: count)
    }

    /// Digits alone: no sign, no spaces.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// Refuses a share that there is not.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let (index, count) = (try fields.decode(Int.self, forKey: .index), try fields.decode(Int.self, forKey: .count))
        guard let shard = Shard(index: index, count: count) else {
            throw DecodingError.dataCorruptedError(
                forKey: .index, in: fields, debugDescription: "There is no such shard.")
        }
        self = shard
    }

    /// `I/N`.
    public var description: String { "\(index)/\(count)" }

    private enum CodingKeys: String, CodingKey { case index, count }
}
