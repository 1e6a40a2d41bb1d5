/// Secrets recognized by their form: hashes of passwords, recovery phrases of wallets, short tokens.
enum SecretShapes {
    /// Hashes of passwords, such as `$P$B…`, `$2b$12$…`, `$argon2id$…`:
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

    /// At least 12 words of 3 to 8 lower-case letters and nothing else:
    /// <https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki>.
    static func isPhrase(_ bytes: [UInt8]) -> Bool {
        guard (12 * 4 - 1...1000).contains(bytes.count) else { return false }
        let words = bytes.split { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        return words.count >= 12
            && words.allSatisfy { (3...8).contains($0.count) && $0.allSatisfy { (0x61...0x7A).contains($0) } }
    }

    /// At least 20 characters that change between lower case, upper case and digits more often than in words.
    static func isToken(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 20, word.allSatisfy({ isLetter($0) || isDigit($0) || "_-".utf8.contains($0) }) else {
            return false
        }
        let kinds = word.map { isDigit($0) ? 0 : !isLetter($0) ? 3 : $0 < 0x60 ? 1 : 2 }
        guard kinds.contains(0), kinds.contains(1), kinds.contains(2) else { return false }
        // An upper-case letter or a number can begin a word; in random text about every second character is of another
        // kind.
        let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 && $0 != 3 && $1 != 3 && ($0, $1) != (1, 2) }
        return changes * 4 >= word.count
    }

    private static let dollar = UInt8(ascii: "$")
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
}
