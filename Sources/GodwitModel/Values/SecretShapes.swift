/// Shapes of secrets that no name tells: hashes of passwords, words to recover a wallet by, short tokens; pure.
enum SecretShapes {
    /// `$P$B…`, `$2b$12$…`, `$argon2id$…`: how hashes of passwords are written:
    /// <https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md>.
    static func hasHash(_ bytes: [UInt8]) -> Bool {
        guard let sign = bytes.firstIndex(of: dollar) else { return false }
        return bytes[sign...].split(whereSeparator: { $0 <= 0x20 || "\"'<>".utf8.contains($0) }).contains {
            word in
            guard word.count >= 20, let start = word.firstIndex(of: dollar) else { return false }
            let parts = word[start...].dropFirst().split(separator: dollar, omittingEmptySubsequences: false)
            guard parts.count >= 2, let name = parts.first, (1...16).contains(name.count) else { return false }
            return name.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
                && parts.dropFirst().contains { $0.count >= 8 }
        }
    }

    /// Twelve or more words of three to eight small letters and nothing else:
    /// <https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki>.
    static func isPhrase(_ bytes: [UInt8]) -> Bool {
        guard (12 * 4 - 1...1000).contains(bytes.count) else { return false }
        let words = bytes.split { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        return words.count >= 12
            && words.allSatisfy { (3...8).contains($0.count) && $0.allSatisfy { (0x61...0x7A).contains($0) } }
    }

    /// Twenty characters or more that change between small letters, capitals and digits as no word does.
    static func isToken(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 20, word.allSatisfy({ isLetter($0) || isDigit($0) || "_-".utf8.contains($0) }) else {
            return false
        }
        let kinds = word.map { isDigit($0) ? 0 : !isLetter($0) ? 3 : $0 < 0x60 ? 1 : 2 }
        guard kinds.contains(0), kinds.contains(1), kinds.contains(2) else { return false }
        // A capital begins a word of its own, and so does a number; of random characters every second or so is another.
        let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 && $0 != 3 && $1 != 3 && ($0, $1) != (1, 2) }
        return changes * 4 >= word.count
    }

    private static let dollar = UInt8(ascii: "$")
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
}
