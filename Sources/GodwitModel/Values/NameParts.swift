/// The words in the name of a column, a table or a key, in lower case: `lastSyncToken`, `LAST_SYNC_TOKEN` and
/// `last-sync.token` are all `last sync token`.
package struct NameParts: Sendable, Equatable {
    package let words: [String]

    package init(_ name: String) {
        var words: [String] = []
        var word = ""
        let scalars = Array(name.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let before = index > 0 ? scalars[index - 1] : nil
            let after = index + 1 < scalars.count ? scalars[index + 1] : nil
            // `dateAdded` is split before A, `URLString` before S.
            let begins =
                scalar.properties.isUppercase
                && (before?.properties.isLowercase == true || before?.properties.numericType != nil
                    || before?.properties.isUppercase == true && after?.properties.isLowercase == true)
            if begins, !word.isEmpty {
                words.append(word)
                word = ""
            }
            word += scalar.properties.lowercaseMapping
        }
        if !word.isEmpty { words.append(word) }
        self.words = words
    }

    /// All words joined without separators.
    package var joined: String { words.joined() }

    package func contains(anyOf others: Set<String>) -> Bool { words.contains { others.contains($0) } }
}

extension NameParts {
    private static let secretWords: Set<String> = [
        "auth", "oauth", "jwt", "bearer", "session", "cookie", "cookies", "pin", "otp", "totp", "cvv", "cvc", "iban",
        "ssn", "pwd", "salt", "nonce", "sk", "authorization", "mnemonic", "signature", "pass", "pw", "seed", "wallet",
        "mfa",
        "csrf", "xsrf", "hmac", "sid", "sig", "sas", "tok", "verifier", "dsn", "certificate", "senha",
    ]
    /// Words that names of dates and numbers also have: `lastLogin`, `access_count`.
    private static let perhapsSecretWords: Set<String> = ["login", "access"]
    private static let harmlessWords: Set<String> = [
        "last", "first", "count", "date", "time", "timestamp", "at", "on", "level", "number", "is", "has", "did", "was",
    ]
    private static let secretParts = [
        "password", "passwd", "passcode", "passphrase", "secret", "token", "credential", "apikey", "privatekey",
        "accesskey", "encryptionkey", "signingkey", "licensekey", "licencekey", "recoverykey", "sessionid", "keychain",
        "passkey", "seedphrase", "masterkey", "dbkey", "databasekey", "recoveryphrase", "connectionstring",
        "cardnumber",
        "passwort", "kennwort", "motdepasse", "contraseña", "contrasena", "パスワード",
    ]

    /// Whether the name sounds like a secret; a wrong yes is better than a wrong no.
    package var soundSecret: Bool {
        contains(anyOf: Self.secretWords)
            || contains(anyOf: Self.perhapsSecretWords) && !contains(anyOf: Self.harmlessWords)
            || Self.secretParts.contains { joined.contains($0) }
    }

    private static let modifiedWords: Set<String> = [
        "modified", "modification", "updated", "update", "changed", "edited", "touched", "mtime",
    ]
    private static let createdWords: Set<String> = [
        "created", "creation", "added", "inserted", "recorded", "ctime", "saved",
    ]
    private static let dateWords: Set<String> = [
        "date", "dates", "time", "timestamp", "ts", "day", "expires", "expiry", "expiration", "deadline", "due",
        "started", "ended", "finished", "opened", "closed", "deleted", "synced", "seen", "visited", "read", "start",
        "end", "since", "until", "birthday",
    ]

    /// Whether the name sounds like the date of the last change.
    package var soundModified: Bool { contains(anyDateOf: Self.modifiedWords) }

    /// Whether the name sounds like the date of a record's creation.
    package var soundCreated: Bool { contains(anyDateOf: Self.createdWords) }

    /// Whether a word is one of these, also joined with a word for dates: `updatedat`, `lastmodified`.
    ///
    /// Such words occur in names without upper and lower case, as in the columns of Core Data.
    private func contains(anyDateOf others: Set<String>) -> Bool {
        words.contains { word in
            if others.contains(word) { return true }
            let head = ["last", "date", "time"].first { word.hasPrefix($0) } ?? ""
            let rest = word.dropFirst(head.count)
            let tails = ["", "timestamp", "date", "time", "at", "on"].filter { rest.hasSuffix($0) }
            return tails.contains { others.contains(String(rest.dropLast($0.count))) }
        }
    }

    /// Whether the name sounds like any date.
    package var soundDate: Bool {
        soundModified || soundCreated || contains(anyOf: Self.dateWords) || (words.count > 1 && words.last == "at")
    }

    /// Whether the name sounds like that of a singleton.
    package var soundSingle: Bool {
        contains(anyOf: [
            "setting", "settings", "preference", "preferences", "prefs", "config", "configuration", "options",
            "profile",
            "state", "account",
        ])
    }

    /// Whether the name is one that apps use for a key: `id`, `uuid`, `workoutId` in a table `Workout`.
    package func soundIdentity(of entity: NameParts) -> Bool {
        let ends: Set<String> = ["id", "uuid", "guid", "identifier", "uid", "objectid", "recordid", "syncid"]
        if words.count == 1, let word = words.first, ends.contains(word) { return true }
        let own = Self.singular(entity.joined)
        return ends.contains { joined == own + $0 || joined == entity.joined + $0 }
            || ["uniqueid", "uniqueidentifier", "objectid", "recordid", "syncid", "remoteid", "stableid", "localid"]
                .contains(joined)
    }

    private static let references: Set<String> = ["id", "ids", "uuid", "guid", "uid", "identifier", "fk", "ref"]

    /// Whether the name sounds like a natural key: `url`, or `exerciseId` in a table `FavoriteExercise`.
    package func soundNaturalKey(of entity: NameParts) -> Bool {
        if words.count > 1, ["id", "uuid", "key"].contains(words.last),
            entity.joined.hasSuffix(words.dropLast().joined())
        {
            return true
        }
        // `url_id` and `code_uid` are references to records of other tables.
        if words.count > 1, let last = words.last, Self.references.contains(last) { return false }
        return words.count <= 2
            && contains(anyOf: ["key", "slug", "url", "uri", "code", "email", "name", "title", "path"])
    }

    /// Whether the name sounds like a title, which later records may share.
    package var soundTitle: Bool { contains(anyOf: ["name", "title", "path"]) }

    /// `categories` -> `category`, `workouts` -> `workout`.
    package static func singular(_ word: String) -> String {
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        if word.hasSuffix("ses") || word.hasSuffix("xes"), word.count > 4 { return String(word.dropLast(2)) }
        return word.hasSuffix("s") && !word.hasSuffix("ss") && word.count > 2 ? String(word.dropLast()) : word
    }
}
