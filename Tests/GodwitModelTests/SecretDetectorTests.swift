import GodwitModel
import Testing

/// A value may be a secret under any name.
///
/// All samples are invented.
struct SecretDetectorTests {
    @Test(
        "a text with a secret is recognized",
        arguments: [
            #"{"token":"abc"}"#, #"{"user": {"apiKey" : 12}}"#, #"{\"refresh_token\":\"x\"}"#, "{'password':'x'}",
            "password=hunter2", "Authorization: Bearer abc", "<token>abc</token>",
            "<key>sessionId</key><string>1</string>",
            "Bearer abcd", "basic YW5uYTp4", "https://anna:geheim@example.com/path",
            "ftp://anna@example.com", "https://example.com/a?token=1",
            "https://example.com/a?x=1&key=abc", "https://example.com/f?X-Amz-Signature=00ff",
            "https://a.example/#access_token=1",
            "see https://u:p@example.org now", "postgres://u:p@localhost:5432/db",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIzNDU2", "-----BEGIN PRIVATE KEY-----\nMIIB",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "9F86D081884C7D659A2FEAA0C55AD015",
            "q8Zr1mXv7TnB3kLw9YpD5sHf2JcG6aEu", "q8Zr1mXv7TnB3kLw9YpD5sHf2JcG6aEu+/0O4iVxKtQ=",
            "id q8Zr1mXv7TnB3kLw9YpD5sHf2JcG6aEu ok",
        ])
    func secret(_ text: String) { #expect(SecretDetector.isSecret(text)) }

    @Test(
        "a text without a secret is shown",
        arguments: [
            "", "kg", "A note about nothing", "2026-11-22T03:00:00.000Z", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "https://example.com/articles/2026/how-to-sleep-well?page=2&sort=title",
            "https://example.com:8080/a", #"{"unit":"kg","count":3}"#, "[1, 2, 3]", "key: value", "name=Anna",
            "Library/Application Support/TrainLog.store", "mail anna@example.com", "a,b,c",
            "skiing-trip-2026-with-friends",
            "100 %", "zoo maple river cotton lamp orbit velvet tiger piano sugar cloud ginger", "q8Zr1mXv7TnB3kLw9YpD",
            "50%25 off", "Bearer of good news", "Donaudampfschifffahrtsgesellschaftskapitaen",
            "12345678901234567890123456789012345",
            "--------------------------------------", "compass: on", "author: Anna",
            "com.example.trainlog.settings.window",
            "00000000000000000000000000000000", "Monday:Tuesday", "a<b>c", "token", "my password",
            "the cat sat on the mat and then it went to the big old house", "costs $5 to $10 in the 2026 catalogue",
            "zoo maple river cotton lamp orbit velvet tiger piano sugar cloud", "BackupOfPreviousYear2025AndMore",
            "IMG_20240101_ExportedFromCamera", "MacBookPro16InchLate2019Silver", "20260101T120000ZBackupFileOne",
            "Bench press 5x5 at 80 kg, then rows; slept 7h30, felt fine", "über:größe",
        ])
    func plain(_ text: String) { #expect(!SecretDetector.isSecret(text)) }

    @Test("searching a large text takes linear time for any content")
    func large() {
        for text in [":", "=", "a:", "<", "://", "x", "ey1", "\\\"", "-----", "$", "a$", "ab1 "] {
            let large = String(repeating: text, count: 20_000)
            #expect(!SecretDetector.isSecret(large), "\(text)")
        }
    }

    @Test(
        "more names are recognized as secrets",
        arguments: [
            "stripe_sk", "Authorization", "walletMnemonic", "passkeyId", "pass", "user_pass", "userPass", "pw",
            "masterKey",
            "dbKey", "seed", "recoveryPhrase", "wallet", "mfa", "csrf", "hmac", "sid", "sig", "sas", "tok", "verifier",
            "dsn", "connectionString", "card_number", "certificate", "login", "access", "Passwort", "wlanKennwort",
            "motDePasse", "contraseña", "contrasen\u{303}a", "senha", "パスワード",
        ])
    func names(_ name: String) { #expect(NameParts(name).soundSecret) }

    @Test(
        "a primary key or a design is not recognized as a secret",
        arguments: [
            "Z_PK", "pk", "skill", "task", "signed", "designature", "passed", "passenger", "design", "signal", "bypass",
            "lastLogin", "login_count", "accessedAt", "lastAccess", "accessibility", "seeded", "side", "stock",
            "desenha", "cardCount", "masterPiece",
        ])
    func plainNames(_ name: String) { #expect(!NameParts(name).soundSecret) }
}
