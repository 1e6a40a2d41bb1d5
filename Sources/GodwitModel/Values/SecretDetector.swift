/// Whether a text is or contains what looks like a secret; a wrong yes is better than a wrong no.
///
/// `NameParts.soundSecret` checks names; this checks values.
package enum SecretDetector {
    /// The text that is shown instead of a secret.
    package static let mask = "(hidden: looks like a secret)"

    /// Whether the text must not be shown.
    package static func isSecret(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return holdsSecret(bytes) || bytes.contains(UInt8(ascii: "%")) && holdsSecret(withoutPercents(bytes))
    }

    private static func holdsSecret(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return isCredential(bytes) || text.contains("-----BEGIN ") || namesSecret(bytes) || hasUserInfo(bytes)
            || words(of: bytes).contains { isSecretWord($0) } || SecretShapes.hasHash(bytes)
            || SecretShapes.isPhrase(bytes)
    }

    /// `Bearer abc`, as in a header: the name of a scheme and one word.
    private static func isCredential(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split(separator: 0x20)
        guard parts.count == 2, let scheme = parts.first, let value = parts.last, value.count >= 4 else { return false }
        return ["bearer", "basic"].contains(String(decoding: scheme, as: UTF8.self).lowercased())
    }

    /// `%7B` is `{`: <https://www.rfc-editor.org/rfc/rfc3986#section-2.1>.
    private static func withoutPercents(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let digits = bytes[index...].dropFirst().prefix(2)
            if bytes[index] == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHexadecimal),
                let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    // MARK: Names before values

    /// Names in the query of a URL that carry a right; elsewhere they mean little.
    private static let queryNames: Set<String> = ["key", "sig", "signature", "code", "hmac", "policy"]

    /// `"token": …`, `token=…`, `?key=…`, `<token>`, in quotes or not, escaped once more or not.
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
        let mark = Array("://".utf8)
        var rest = bytes[...]
        while let start = rest.firstIndex(of: mark[0]) {
            rest = rest[start...]
            guard rest.starts(with: mark) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(3)
            let authority = rest.prefix { !"/?# \"<>\n".utf8.contains($0) }
            if authority.contains(UInt8(ascii: "@")) { return true }
        }
        return false
    }

    // MARK: Words

    /// Prefixes of the keys of services.
    private static let beginnings = [
        "sk_live_", "sk_test_", "pk_live_", "pk_test_", "rk_live_", "rk_test_", "whsec_", "ghp_", "gho_", "ghu_",
        "ghs_",
        "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-", "xoxs-", "xapp-", "npm_", "ya29.", "AIza", "sk-",
        "AKIA", "ASIA", "eyJ", "SG.", "AGE-SECRET-KEY-", "shpat_", "shpss_", "shppa_",
        "shpca_", "dop_v1_", "doo_v1_", "dor_v1_",
    ].map { Array($0.utf8) }

    private static func words(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split { !(isLetter($0) || isDigit($0) || "_-.+/=~".utf8.contains($0)) }.filter { $0.count >= 12 }
    }

    private static func isSecretWord(_ word: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: word, as: UTF8.self)
        // Keys of these services are long and have digits; other words with these prefixes do not.
        if beginnings.contains(where: { word.starts(with: $0) }), word.count >= 16, word.contains(where: isDigit) {
            return true
        }
        return parts(of: word).contains { isRandom($0) || SecretShapes.isToken($0) } && !isUUID(name)
    }

    /// The word and its parts: a path or a host consists of many words.
    private static func parts(of word: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        [word] + word.split { "./=".utf8.contains($0) }
    }

    /// At least 32 characters that no language has: hexadecimal digits, or both cases and digits well mixed.
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
