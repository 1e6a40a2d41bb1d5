import GodwitModel
import Testing

struct NamePartsTests {
    @Test(
        "a name is split into its words, with any separator",
        arguments: [
            ("lastSyncToken", ["last", "sync", "token"]), ("LAST_SYNC_TOKEN", ["last", "sync", "token"]),
            ("last-sync.token", ["last", "sync", "token"]), ("URLString", ["url", "string"]),
            ("workoutID", ["workout", "id"]),
            ("dateAdded2", ["date", "added2"]), ("", []), ("__", []), ("größeÄnderung", ["größe", "änderung"]),
        ])
    func words(name: String, words: [String]) {
        #expect(NameParts(name).words == words)
    }

    @Test(
        "a name that sounds like a secret is recognized as one",
        arguments: [
            "authToken", "accessTokens", "userPassword", "pwd", "API_KEY", "apiKey", "privateKeyPEM", "sessionId",
            "pin",
            "oauth", "refresh_token", "clientSecret", "licenseKey", "recovery-key", "jwt", "Cookie",
        ])
    func secrets(name: String) {
        #expect(NameParts(name).soundSecret)
    }

    @Test(
        "a name that only resembles a secret is not recognized as one",
        arguments: ["key", "pinned", "title", "sortKey", "passes", "authorName", "isCompassOn", "monkey", "exerciseId"])
    func plain(name: String) {
        #expect(!NameParts(name).soundSecret)
    }

    @Test(
        "a key is recognized by the names id, uuid and the table's name with id",
        arguments: ["id", "ID", "uuid", "workoutId", "workout_uuid", "Z_ID"])
    func identity(name: String) {
        #expect(NameParts(name).soundIdentity(of: NameParts("Workout")) == (name != "Z_ID"))
        #expect(NameParts("workoutId").soundIdentity(of: NameParts("workouts")))
        #expect(!NameParts("tagId").soundIdentity(of: NameParts("Workout")))
    }

    @Test("names of change dates, creation dates and other dates are distinguished")
    func dates() {
        #expect(NameParts("updatedAt").soundModified && NameParts("dateModified").soundModified)
        #expect(NameParts("createdAt").soundCreated && NameParts("dateAdded").soundCreated)
        for name in ["updatedat", "MODIFIEDAT", "lastmodified", "modificationdate", "datemodified", "lastupdatedon"] {
            #expect(NameParts(name).soundModified && !NameParts(name).soundCreated, "\(name)")
        }
        for name in ["createdat", "CREATIONDATE", "dateadded", "savedon"] {
            #expect(NameParts(name).soundCreated && !NameParts(name).soundModified, "\(name)")
        }
        for name in ["at", "date", "lastat", "updates", "station", "unmodified"] {
            #expect(!NameParts(name).soundModified && !NameParts(name).soundCreated, "\(name)")
        }
        #expect(NameParts("startedAt").soundDate && NameParts("dueDate").soundDate && !NameParts("duration").soundDate)
    }
}
