import GodwitModel
import Testing

struct ManifestSpellingTests {
    static let json = #"""
        {"godwit": 1, "app": "TrainLog",
         "container": {"preferences": ["Library/Preferences/com.example.trainlog.plist"],
        	"local": "Library/Application Support/TrainLog.store",
        	"cloud": "Library/Application Support/TrainLogCloud.store",
        	"syncEvents": "Library\/Application Support\/sync-events.jsonl"},
         "schema": "../../Migrations/trainlog",
         "entities": {
          "Workout":{"key":"id","modified":"updatedAt"},
          "ExerciseSet":{"key":"id","modified":"updatedAt","belongsTo":{"workoutId":"Workout"}},
          "FavoriteExercise":{"key":"exerciseId","modified":"createdAt","conflict":"keepEarliest"},
          "UserSettings":{"key":"\u0069d","modified":{"column":"updatedAt"},"singleton":"singleton"}},
         "legacy": {"settings": [{"key":"weightUnit","into":"UserSettings.weightUnitRaw",
            "values":{"kg":"kg","lb":"lb","pounds":"lb"},"default":"kg"}],
          "favorites": [{"key":"favoriteExercises","into":"FavoriteExercise.exerciseId"}],
          "localOnly": ["hasSeenTutorial"]},
         "copy": {"flag":"cloudMigrationDone"},
         "export": {"schemaVersion":1,"freshness":{"warnAfter":"12h","errorAfter":"48h"}},
         "history": {"keep":10}}
        """#

    /// All values of a manifest, without their positions.
    private func content(_ text: String) throws -> String {
        let manifest = try ManifestSamples.decode(text)
        return
            "\(manifest.app) \(manifest.container) \(manifest.schemaDirectory) \(manifest.entities) \(manifest.legacy) "
            + "\(manifest.copy) \(manifest.export) \(manifest.historyKept)"
    }

    @Test("JSON and YAML give the same manifest")
    func jsonForm() throws {
        #expect(try content(Self.json) == content(ManifestSamples.trainLog))
    }

    @Test("ASCII JSON with escaped surrogate pairs is read, and half pairs and false escapes are rejected")
    func surrogatePairs() throws {
        func app(_ text: String) throws -> String {
            try ManifestSamples.decode(Self.json.replacing("\"TrainLog\"", with: "\"\(text)\"")).app
        }
        #expect(try app(#"\uD83C\udfcb\ufe0f Log"#) == "\u{1F3CB}\u{FE0F} Log")
        #expect(try app(#"\udbff\udffd"#) == "\u{10FFFD}")
        #expect(try app(#"\\ud83c\\udfcb"#) == #"\ud83c\udfcb"#)
        for half in [#"\ud83c"#, #"\udfcb"#, #"\udfcb\ud83c"#, #"\ud83cx\udfcb"#] {
            #expect(throws: GodwitError.self) { try app(half) }
        }
    }

    @Test("line ends, a byte order mark, document marks and comments do not change a manifest")
    func spellings() throws {
        let sample = ManifestSamples.trainLog
        let expected = try content(sample)
        let crlf = sample.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        let cr = sample.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r")
        for text in [
            "\u{FEFF}" + sample, crlf, cr, "---\n" + sample, "--- # begin\n" + sample, sample + "\n...\n# end\n",
            "# *alias &anchor !tag % ---\n\n" + sample + "\n\n  # the end\n",
        ] {
            #expect(try content(text) == expected)
        }
    }

    @Test("indicators inside quotes or words are text")
    func indicators() throws {
        let text = try ManifestSamples.trainLog(
            "localOnly: [hasSeenTutorial]",
            """
            localOnly:
                - a & b *c !d
                - "*alias"
                - '&anchor it''s'
                - "!tag \\"x\\": {["
                - key#1
                - a:b
                - -dash
                - ?mark
                - :colon
                - "%d"
                - 'two: words'
                - over two
                  lines & more *too
                - "---"
            """)
        #expect(
            try ManifestSamples.decode(text).legacy.localOnly == [
                "a & b *c !d", "*alias", "&anchor it's", "!tag \"x\": {[", "key#1", "a:b", "-dash", "?mark", ":colon",
                "%d",
                "two: words", "over two lines & more *too", "---",
            ])
    }

    @Test("the same key in two mappings, and the same word in two lists, are not duplicates")
    func sameKeys() throws {
        let text = try ManifestSamples.trainLog(
            "  favorites:\n",
            """
                - into: UserSettings.theme
                  key: appTheme
                  values: { light: light, "dark": light }
              favorites:

            """)
        #expect(try ManifestSamples.decode(text).legacy.settings.map(\.key) == ["weightUnit", "appTheme"])
    }

    @Test(
        "scalars have the types of YAML 1.2",
        arguments: [
            ("true", LegacyValue.bool(true)), ("False", .bool(false)), ("yes", .string("yes")), ("no", .string("no")),
            ("on", .string("on")), ("off", .string("off")), ("y", .string("y")), ("\"true\"", .string("true")),
            ("'1'", .string("1")), ("1", .integer(1)), ("-7", .integer(-7)), ("+7", .integer(7)), ("007", .integer(7)),
            ("0x1F", .integer(31)), ("0o17", .integer(15)), ("0b1", .string("0b1")), ("1_000", .string("1_000")),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("1.5", .real(1.5)), ("-0.0", .real(-0.0)), (".5", .real(0.5)), ("5.", .real(5)), ("1e3", .real(1000)),
            ("1E-2", .real(0.01)), ("-.inf", .real(-.infinity)), (".Inf", .real(.infinity)), ("1e", .string("1e")),
            (".", .string(".")), ("-", .string("-")), ("+", .string("+")), ("0x", .string("0x")),
            ("0x-1", .string("0x-1")),
            ("12h", .string("12h")), ("12:30", .string("12:30")), ("2026-03-01", .string("2026-03-01")),
            ("\"~\"", .string("~")), ("\"\"", .string("")), ("\"重さ 🏋️\"", .string("重さ 🏋️")),
            ("infinity", .string("infinity")),
            ("nan", .string("nan")), ("1e5.0", .string("1e5.0")), ("\"\\u0000\"", .string("\0")),
        ])
    func scalars(text: String, expected: LegacyValue) throws {
        let block = text == "-" ? "\"-\"" : text
        let yaml = try ManifestSamples.trainLog("default: kg", "default: \(block)")
        #expect(try ManifestSamples.decode(yaml).legacy.settings.first?.defaultValue?.value == expected)
    }

    @Test("keys of a value map become the text of legacy values")
    func valueMap() throws {
        let yaml = try ManifestSamples.trainLog(
            "values: { kg: kg, lb: lb, pounds: lb }",
            "values: { true: 1, 0x10: a, \"yes\": b, no: false, -3: 2.5, 0.5: half }")
        let values = try #require(try ManifestSamples.decode(yaml).legacy.settings.first?.values)
        #expect(values.map(\.from) == ["true", "16", "yes", "no", "-3", "0.5"])
        #expect(
            values.map(\.to.value) == [
                .integer(1), .string("a"), .string("b"), .bool(false), .real(2.5), .string("half"),
            ])
        #expect(values.map(\.spelling) == ["true", "0x10", "yes", "no", "-3", "0.5"])
        #expect(values.map(\.to.text) == ["1", "a", "b", "false", "2.5", "half"])
    }
}
