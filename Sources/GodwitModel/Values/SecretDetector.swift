/// Whether a text is or contains a secret: a value after a name that sounds like a secret, the user's part of
/// an address, a private key in PEM, a `Bearer` header, a JWT, or one long random word.
///
/// In doubt a text is a secret. `NameParts.soundSecret` judges names.
package enum SecretDetector {
    /// The text that reports show instead.
    package static let mask = "(hidden: looks like a secret)"

    package static func isSecret(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return isCredential(bytes) || text.contains("-----BEGIN ") || namesSecret(bytes) || hasUserInfo(bytes)
            || words(of: bytes).contains { isSecretWord($0) }
    }

    /// `Bearer abc`, as in a header: the name of a scheme and one word.
    private static func isCredential(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: 0x20)
        guard parts.count == 2, let scheme = parts.first, let value = parts.last, value.count >= 4 else { return false }
        return ["bearer", "basic"].contains(String(decoding: scheme, as: UTF8.self).lowercased())
    }

    // MARK: Names before values

    /// Names in the query of a URL that carry a right; elsewhere they mean little.
    private static let queryNames: Set<String> = ["key", "sig", "signature", "code", "hmac", "policy"]

    /// Finds `"token": …`, `token=…`, `?key=…` and `<token>`, with quotes and backslashes or without.
    private static func namesSecret(_ bytes: [UInt8]) -> Bool {
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: ":"), UInt8(ascii: "="):
                // Without a value there is nothing to hide.
                guard index + 1 < bytes.count, let (name, mark) = name(before: index, in: bytes) else { continue }
                if NameParts(name).soundSecret { return true }
                let isQuery = byte == UInt8(ascii: "=") && (mark == UInt8(ascii: "?") || mark == UInt8(ascii: "&"))
                if isQuery, NameParts(name).contains(anyOf: queryNames) { return true }
            case UInt8(ascii: ">"):
                guard let (name, _) = name(before: index, in: bytes) else { continue }
                // `<token>` or, in a property list, `<key>token<`.
                if NameParts(name).soundSecret { return true }
            case UInt8(ascii: "<"):
                guard let (name, mark) = name(before: index, in: bytes), mark == UInt8(ascii: ">") else { continue }
                if NameParts(name).soundSecret { return true }
            default: continue
            }
        }
        return false
    }

    /// The name that ends before an index, and the byte before the name.
    private static func name(before end: Int, in bytes: [UInt8]) -> (String, UInt8?)? {
        let filling = Array(" \t\"'\\".utf8)
        var last = end
        while last > 0, filling.contains(bytes[last - 1]) { last -= 1 }
        var first = last
        while first > 0, last - first < 100, isPartOfName(bytes[first - 1]) { first -= 1 }
        guard first < last else { return nil }
        return (String(decoding: bytes[first..<last], as: UTF8.self), first > 0 ? bytes[first - 1] : nil)
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte >= 0x80 || "_-.".utf8.contains(byte)
    }

    /// `https://user:password@host`: <https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1>.
    private static func hasUserInfo(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: Array("://".utf8), omittingEmptySubsequences: false).dropFirst().contains {
            $0.prefix { !"/?# \"<>\n".utf8.contains($0) }.contains(UInt8(ascii: "@"))
        }
    }

    // MARK: Words

    private static func words(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split { !(isLetter($0) || isDigit($0) || "_-.+/=~".utf8.contains($0)) }.filter { $0.count >= 12 }
    }

    private static func isSecretWord(_ word: ArraySlice<UInt8>) -> Bool {
        // A JWT begins with `{"` in base64.
        if word.starts(with: "eyJ".utf8), word.count >= 16, word.contains(where: isDigit) { return true }
        // A path has many words, and so does the name of a host.
        let parts = [word] + word.split { "./=".utf8.contains($0) }
        return parts.contains { isRandom($0) } && !isUUID(String(decoding: word, as: UTF8.self))
    }

    /// Thirty-two characters or more, of no language: hexadecimal digits, or both cases and digits well mixed.
    private static func isRandom(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 32, word.contains(where: isDigit), word.contains(where: isLetter) else { return false }
        let different = Set(word).count
        if word.allSatisfy(isHexadecimal) { return different >= 8 }
        let hasBothCases = word.contains { (0x41...0x5A).contains($0) } && word.contains { (0x61...0x7A).contains($0) }
        let hasMarks = word.contains { "/.".utf8.contains($0) }
        // Of 64 possible characters, a random text of 32 has about 25 different ones; a path has fewer, and more
        // separators.
        return hasBothCases && different >= (hasMarks ? 26 : 16)
    }

    private static func isUUID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(isHexadecimal) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
