import GodwitFiles
import GodwitModel
import Foundation
import GodwitFleet
import Testing

struct ShardTests {
    @Test("a shard is read from I/N, and any other text is rejected")
    func spelling() {
        #expect(Shard("1/8")?.description == "1/8")
        #expect(Shard("8/8")?.index == 8)
        #expect(Shard("1000000/1000000")?.count == 1_000_000)
        for text in [
            "", "/", "0/8", "9/8", "1/0", "-1/8", "+1/8", "1/8/2", " 1/8", "1 /8", "a/b", "1/1000001", "١/٨", "1",
        ] {
            #expect(Shard(text) == nil, "\(text)")
        }
    }

    @Test("a shard survives JSON, and an impossible one is rejected")
    func json() throws {
        let shard = try #require(Shard(index: 3, count: 8))
        #expect(try JSONDecoder().decode(Shard.self, from: JSONEncoder().encode(shard)) == shard)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Shard.self, from: Data(#"{"index": 9, "count": 8}"#.utf8))
        }
    }

    @Test("a container's shard is the first eight bytes of the SHA-256 of its name, modulo the count")
    func formula() throws {
        for name in ["", "a", "users/12/device", "日本", "e\u{301}", "\u{E9}"] {
            let digest = sha256(Array(name.utf8))
            for count in [1, 2, 3, 8, 1_000] {
                var number: UInt64 = 0
                for byte in digest[..<8] { number = number * 256 + UInt64(byte) }
                let index = Int(number % UInt64(count)) + 1
                #expect(Shard.index(of: name, among: count) == index)
                #expect(try #require(Shard(index: index, count: count)).takes(name))
            }
        }
        // Computed with another program: Python's hashlib.
        #expect(["users/1", "users/2", "日本", "."].map { Shard.index(of: $0, among: 8) } == [6, 4, 4, 3])
    }

    @Test("each container is in exactly one shard, and shards have about equal sizes")
    func partition() throws {
        let names = (0..<4_000).map { "container-\($0)" }
        for count in [1, 2, 7, 16] {
            let shards = try (1...count).map { try #require(Shard(index: $0, count: count)) }
            let sizes = shards.map { shard in names.count(where: shard.takes) }
            #expect(sizes.reduce(0, +) == names.count)
            let mean = names.count / count
            #expect(sizes.allSatisfy { abs($0 - mean) < mean / 3 + 1 }, "\(sizes)")
        }
    }

    @Test("added containers do not move existing ones to other shards")
    func stable() throws {
        let shard = try #require(Shard(index: 2, count: 5))
        let few = FleetContainers(place: "f", root: "f", names: (0..<100).map { "c\($0)" }).filter(shard.takes)
        let many = FleetContainers(place: "f", root: "f", names: (0..<300).map { "c\($0)" }).filter(shard.takes)
        #expect(Set(few.names).isSubset(of: many.names))
        #expect(Set(many.names).intersection((0..<100).map { "c\($0)" }) == Set(few.names))
    }

    @Test("a fleet is identified only by its names, in any order")
    func identity() {
        let one = FleetIdentity(of: ["b", "a", "c"])
        #expect(one == FleetIdentity(of: ["c", "b", "a"]))
        #expect(one.sha256 == sha256Hex(Array("a\0b\0c\0".utf8)))
        #expect(one != FleetIdentity(of: ["a", "bc"]))
        #expect(FleetIdentity(of: ["ab", "c"]) != FleetIdentity(of: ["a", "bc"]))
    }

    @Test("a fleet with a negative number of containers is rejected", arguments: [-1, Int.min])
    func negative(count: Int) {
        let json = Data(#"{"containers":\#(count),"sha256":"00"}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FleetIdentity.self, from: json) }
    }
}
