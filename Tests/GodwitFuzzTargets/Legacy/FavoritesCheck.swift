import GodwitLegacy
import GodwitModel
import GodwitPropertyList

/// Lists of favourites: every item is counted exactly once, and decoding with the detected encoding gives the same
/// list.
///
/// The first byte selects the encoding and the kind of value that holds the rest.
enum FavoritesCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let choice = bytes.first, let value = value(Int(choice) / 8, Array(bytes.dropFirst())) else { return }
        let encodings: [FavoritesEncoding] = [.auto, .array, .json, .csv, .dictionary, .keyedArchive]
        let encoding = encodings[Int(choice) % 8 % encodings.count]
        let outcome = FavoritesDecoder.decode(value, as: encoding)
        switch outcome {
        case .unsupported(let reason):
            try require(!reason.isEmpty && reason.utf8.count <= 2000, "a reason of \(reason.utf8.count) bytes")
            let isPlain = reason.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            try require(isPlain, "a reason with control characters: \(reason)")
        case .decoded(let list):
            try check(list)
            try require(encoding == .auto || list.encoding == encoding, "another encoding than was asked for")
            try checkNamed(list, of: value)
            if list.encoding == .csv { try checkRewriting(list) }
        }
    }

    /// Data, text, or a dictionary or array read from the bytes.
    private static func value(_ kind: Int, _ bytes: [UInt8]) -> LegacyValue? {
        switch kind % 3 {
        case 0: .data(bytes)
        case 1: String(validating: bytes, as: UTF8.self).map(LegacyValue.string)
        default:
            (try? BinaryPropertyListReader.read(bytes)) ?? (try? JSONReader.read(bytes))
                ?? (try? XMLPropertyListReader.read(bytes))
        }
    }

    private static func check(_ list: DecodedFavorites) throws(FuzzFinding) {
        try require(list.encoding != .auto, "an encoding that is none")
        try require(list.favorites.allSatisfy { !$0.key.isEmpty }, "a favourite without a key")
        let keys = Set(list.favorites.map { Array($0.key.utf8) })
        try require(keys.count == list.favorites.count, "a favourite twice")
        let positions = list.rejected.map(\.position)
        try require(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, "rejected items out of order")
        try require(positions.allSatisfy { $0 >= 0 && $0 < list.itemCount }, "a rejected item outside of the list")
    }

    /// Checks that the encoding found by `auto` gives the same list when it is named; a list inside a property list
    /// inside data has no name.
    private static func checkNamed(_ list: DecodedFavorites, of value: LegacyValue) throws(FuzzFinding) {
        if case .data = value, list.encoding == .array || list.encoding == .dictionary { return }
        if case .data(let bytes) = value, list.encoding != .keyedArchive, bytes.starts(with: "bplist".utf8) { return }
        let isNested = FavoritesDecoder.decode(value, as: list.encoding) != .decoded(list)
        if case .data(let bytes) = value, bytes.first == UInt8(ascii: "<") { return }
        try require(!isNested, "named, the encoding \(list.encoding.rawValue) gives another list")
    }

    private static func checkRewriting(_ list: DecodedFavorites) throws(FuzzFinding) {
        guard !list.favorites.isEmpty else { return }
        let text = list.favorites.map { favorite in
            "\"" + favorite.key.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" ? "\"\"" : String($1) } + "\""
        }
        // At the very start a byte order mark would be read as such.
        let csv = "\r\n" + text.joined(separator: ",\r\n")
        guard case .decoded(let again) = FavoritesDecoder.decode(.string(csv), as: .csv) else {
            throw FuzzFinding("written again it is no list")
        }
        let keys = list.favorites.map { Array($0.key.utf8) }
        try require(again.favorites.map { Array($0.key.utf8) } == keys, "written again it is another list")
    }
}
