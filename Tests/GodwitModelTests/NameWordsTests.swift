import GodwitModel
import Testing

struct NameWordsTests {
    @Test(
        "a name is taken apart into its words, however they are joined",
        arguments: [
            ("lastSyncToken", ["last", "sync", "token"]), ("LAST_SYNC_TOKEN", ["last", "sync", "token"]),
            ("last-sync.token", ["last", "sync", "token"]), ("URLString", ["url", "string"]),
            ("workoutID", ["workout", "id"]),
            ("dateAdded2", ["date", "added2"]), ("", []), ("__", []), ("größeÄnderung", ["größe", "änderung"]),
        ])
    func words(name: String, words: [String]) {
        #expect(NameWords(name).words == words)
    }

    @Test(
        "what sounds like a secret is taken for one",
        arguments: [
            "authToken", "accessTokens", "userPassword", "pwd", "API_KEY", "apiKey", "privateKeyPEM", "sessionId",
            "pin",
            "oauth", "refresh_token", "clientSecret", "licenseKey", "recovery-key", "jwt", "Cookie",
        ])
    func secrets(name: String) {
        #expect(NameWords(name).soundSecret)
    }

    @Test(
        "what only looks a little like one is not",
        arguments: ["key", "pinned", "title", "sortKey", "passes", "authorName", "isCompassOn", "monkey", "exerciseId"])
    func plain(name: String) {
        #expect(!NameWords(name).soundSecret)
    }

    @Test(
        "a key is called id, or after its table", arguments: ["id", "ID", "uuid", "workoutId", "workout_uuid", "Z_ID"])
    func identity(name: String) {
        #expect(NameWords(name).soundIdentity(of: NameWords("Workout")) == (name != "Z_ID"))
        #expect(NameWords("workoutId").soundIdentity(of: NameWords("workouts")))
        #expect(!NameWords("tagId").soundIdentity(of: NameWords("Workout")))
    }

    @Test("dates of changes, of making and others are told apart")
    func dates() {
        #expect(NameWords("updatedAt").soundModified && NameWords("dateModified").soundModified)
        #expect(NameWords("createdAt").soundCreated && NameWords("dateAdded").soundCreated)
        for name in ["updatedat", "MODIFIEDAT", "lastmodified", "modificationdate", "datemodified", "lastupdatedon"] {
            #expect(NameWords(name).soundModified && !NameWords(name).soundCreated, "\(name)")
        }
        for name in ["createdat", "CREATIONDATE", "dateadded", "savedon"] {
            #expect(NameWords(name).soundCreated && !NameWords(name).soundModified, "\(name)")
        }
        for name in ["at", "date", "lastat", "updates", "station", "unmodified"] {
            #expect(!NameWords(name).soundModified && !NameWords(name).soundCreated, "\(name)")
        }
        #expect(NameWords("startedAt").soundDate && NameWords("dueDate").soundDate && !NameWords("duration").soundDate)
    }
}
