import Testing

/// A document with one wrong part, and words of the expected error.
struct SpoiledDocument: CustomTestStringConvertible, Sendable {
    let name: String
    let part: String
    let text: DocumentText
    var testDescription: String { name }

    init(_ name: String, _ part: String = "", _ change: (inout DocumentText) -> Void) {
        (self.name, self.part, text) = (name, part, DocumentText(change))
    }

    static func value(_ json: String, _ part: String = "'a' of Item") -> SpoiledDocument {
        SpoiledDocument("value \(json.prefix(40))", part) { $0 = .value(json) }
    }

    static func record(_ json: String, _ part: String) -> SpoiledDocument {
        SpoiledDocument("record \(json)", part) { $0.records = [json] }
    }
}

extension SpoiledDocument {
    static let headers: [SpoiledDocument] = [
        SpoiledDocument("newer reader", "version 2; this is version 1") {
            $0.format = #""format": "godwit-export", "formatVersion": 2, "minReaderVersion": 2, "#
        },
        SpoiledDocument("reader far away", "version 2147483647") {
            $0.format = #""format": "godwit-export", "formatVersion": 1, "minReaderVersion": 2147483647, "#
        },
        SpoiledDocument("other format", "not 'godwit-export'") {
            $0.format = #""format": "other", "formatVersion": 1, "minReaderVersion": 1, "#
        },
        SpoiledDocument("no format", "not 'godwit-export'") {
            $0.format = #""formatVersion": 1, "minReaderVersion": 1, "#
        },
        SpoiledDocument("no reader version", "'minReaderVersion' is missing") {
            $0.format = #""format": "godwit-export", "formatVersion": 1, "#
        },
        SpoiledDocument("version as text", "'formatVersion' has a value of the wrong type") {
            $0.format = #""format": "godwit-export", "formatVersion": "1", "minReaderVersion": 1, "#
        },
        SpoiledDocument("version as real", "'formatVersion' has a value of the wrong type") {
            $0.format = #""format": "godwit-export", "formatVersion": 1.0, "minReaderVersion": 1, "#
        },
        SpoiledDocument("negative version", "'schemaVersion' has a value of the wrong type") {
            $0.about = #""app": "A", "schemaVersion": -1, "#
        },
        SpoiledDocument("unknown layout", "layout") { $0.more = #""layout": "columns", "# },
        SpoiledDocument("no app", "'app' is missing") { $0.about = #""schemaVersion": 1, "# },
        SpoiledDocument("no time", "'exportedAt' is missing") { $0.moment = #""exportId": "ID", "# },
        SpoiledDocument("a time that is none", "'exportedAt' has a value of the wrong type") {
            $0.moment = #""exportedAt": "yesterday", "exportId": "ID", "#
        },
        SpoiledDocument("no source", "'source' is missing") { $0.source = "" },
        SpoiledDocument("source without its migration", "'source' has a value of the wrong type") {
            $0.source = #""source": {}, "#
        },
        SpoiledDocument("a member twice", "a member occurs twice") { $0.more = #""app": "B", "# },
        SpoiledDocument("an unknown member twice", "a member occurs twice") { $0.more = #""x": 1, "x": 2, "# },
        SpoiledDocument("a member twice in escapes", "a member occurs twice") { $0.more = #""\u0061pp": "B", "# },
        SpoiledDocument("a member twice inside of another", "a member occurs twice") {
            $0.more = #""x": {"y": 1, "y": 2}, "#
        },
        SpoiledDocument("no quotes", "'\"'") { $0.more = "x: 1, " },
        SpoiledDocument("single quotes", "'\"'") { $0.more = "'x': 1, " },
        SpoiledDocument("a comment", "'\"'") { $0.more = "/* x */ " },
        SpoiledDocument("two commas", "'\"'") { $0.more = ", " },
        SpoiledDocument("a word that is none", "a value") { $0.more = #""x": tru, "# },
        SpoiledDocument("not a number", "something other than a value") { $0.more = #""x": NaN, "# },
        SpoiledDocument("a mark of byte order", "begins with a byte-order mark") {
            $0.opening = "\u{FEFF}" + $0.opening
        },
        SpoiledDocument("text before it", "'{'") { $0.opening = "x" + $0.opening },
        SpoiledDocument("a list", "'{'") { $0.opening = "[" + $0.opening },
    ]

    static let entities: [SpoiledDocument] = [
        SpoiledDocument("wrong hash", "has other content than was exported") {
            $0.hash = String(repeating: "0", count: 64)
        },
        SpoiledDocument("no hash", "has other content than was exported") { $0.hash = "" },
        SpoiledDocument("a hash in capitals", "has other content than was exported") {
            $0.hash = String(repeating: "AB", count: 32)
        },
        SpoiledDocument("more announced", "has 1 record of Item, but declares 2") { $0.count = 2 },
        SpoiledDocument("fewer announced", "has 1 record of Item, but declares 0") { $0.count = 0 },
        SpoiledDocument("negative count", "lacks its name, key, columns or count") { $0.count = -1 },
        SpoiledDocument("wrong counts", "other counts of records") { $0.counts = #"{"Item": 2}"# },
        SpoiledDocument("no counts", "other counts of records") { $0.counts = "{}" },
        SpoiledDocument("one entity too many in the counts", "other counts of records") {
            $0.counts = #"{"Item": 1, "Other": 0}"#
        },
        SpoiledDocument("counts that are none", "no counts or no sha256") { $0.counts = "7" },
        SpoiledDocument("an unknown member of an entity", "an entity has a member") {
            $0.description += #", "rowids": true"#
        },
        SpoiledDocument("an entity's member twice", "twice") { $0.description += #", "key": "a""# },
        SpoiledDocument("an entity without its key", "lacks its name, key") {
            $0.description = #"{"name": "Item", "columns": [{"name": "id", "type": ""}], "count": COUNT"#
        },
        SpoiledDocument("an entity without columns", "declares 0 columns") {
            $0.description = #"{"name": "Item", "key": "id", "columns": [], "count": COUNT"#
        },
        SpoiledDocument("a key that is no column", "the key of Item is not one of its columns") {
            $0.description = #"{"name": "Item", "key": "ID", "columns": [{"name": "id", "type": ""}], "count": COUNT"#
        },
        SpoiledDocument("a column twice", "declares 'id' twice") {
            $0.description =
                #"{"name": "Item", "key": "id", "columns": [{"name": "id", "type": ""}, {"name": "id", "type": ""}], "count": COUNT"#
        },
        SpoiledDocument("a column without a type", "by only a name and a type") {
            $0.description = #"{"name": "Item", "key": "id", "columns": [{"name": "id"}], "count": COUNT"#
        },
        SpoiledDocument("an unknown member of a column", "by only a name and a type") {
            $0.description =
                #"{"name": "Item", "key": "id", "columns": [{"name": "id", "type": "", "unit": "kg"}], "count": COUNT"#
        },
        SpoiledDocument("generated, but not true", "'generated'") {
            $0.description =
                #"{"name": "Item", "key": "id", "columns": [{"name": "id", "type": "", "generated": false}], "count": COUNT"#
        },
        SpoiledDocument("something behind it", "something follows its end") { $0.ending = "}\nx" },
        SpoiledDocument("a second document behind it", "something follows its end") { $0.ending = "}\n{}" },
        SpoiledDocument("NUL behind it", "something follows its end") { $0.ending = "}\n\0" },
        SpoiledDocument("two braces behind it", "something follows its end") { $0.ending = "}}" },
    ]

    static let records: [SpoiledDocument] = [
        .record(#"{"id":"k","a":1,"b":2}"#, "has a column that was not declared"),
        .record(#"{"id":"k","a":1,"a":1}"#, "has 'a' twice"), .record(#"{"id":"k"}"#, "has no 'a'"),
        .record(#"{"a":1,"id":"k"}"#, "outside of the order"), .record(#"{"id":"k","id":1}"#, "has 'id' twice"),
        .record("{}", "has no 'id'"), .record(#"{"id":"k","A":1}"#, "not declared"), .record("[]", "'{'"),
        .record("null", "'{'"), .record(#"{"id":"k" "a":1}"#, "the next column"),
        .record(#"{"id":"k","a":1,}"#, "the next column"), .record(#"{"id" "k","a":1}"#, "':'"),
        .record(#"{"id":"k","a":1"#, "the end of a record"),
        .value("true"), .value("false"), .value("[]"), .value("[1]"), .value("{}", "'\"'"), .value("-", "a digit"),
        .value("01", "begins with 0"), .value("-01", "begins with 0"), .value("1.", "a digit"), .value(".5"),
        .value("+1"), .value("1e", "a digit"), .value("1e+", "a digit"), .value("0x10", "the end of a record"),
        .value("-0"), .value("9007199254740992"), .value("-9007199254740992"), .value("1e400"), .value("-1e400"),
        .value("1e99999999999999999999"), .value(String(repeating: "9", count: 1200), "too long"),
        .value("0." + String(repeating: "1", count: 1200), "too long"), .value("nul", "a value"),
        .value("Infinity"), .value("NaN"), .value("undefined"),
        .value(#"{"$blob":"A"}"#), .value(#"{"$blob":"AA"}"#), .value(#"{"$blob":"AB=="}"#),
        .value(#"{"$blob":"AA="}"#),
        .value(#"{"$blob":"AAA=AAAA"}"#), .value(#"{"$blob":"===="}"#), .value(#"{"$blob":"AA A"}"#),
        .value(#"{"$blob":"AA_-"}"#), .value(#"{"$blob":"\u0041AAA"}"#), .value(#"{"$blob":1}"#),
        .value(#"{"$blob":null}"#), .value(#"{"$blob":"AAAA","x":1}"#), .value(#"{"$blob":"","$blob":""}"#),
        .value(#"{"$int":"1"}"#), .value(#"{"$int":"9007199254740991"}"#), .value(#"{"$int":9007199254740992}"#),
        .value(#"{"$int":"+9007199254740992"}"#), .value(#"{"$int":"09007199254740992"}"#),
        .value(#"{"$int":"-09007199254740992"}"#), .value(#"{"$int":"9223372036854775808"}"#),
        .value(#"{"$int":"-9223372036854775809"}"#), .value(#"{"$int":""}"#), .value(#"{"$int":"-"}"#),
        .value(#"{"$int":"1e17"}"#), .value(#"{"$real":"NaN"}"#), .value(#"{"$real":"1.5"}"#),
        .value(#"{"$real":"infinity"}"#), .value(#"{"$real":""}"#), .value(#"{"$text":"YQ=="}"#),
        .value(#"{"$text":""}"#), .value(#"{"$text":"x"}"#), .value(#"{"$date":"x"}"#), .value(#"{"":"x"}"#),
        .value(#""\ud800""#), .value(#""\udc00""#), .value(#""\ud800\u0061""#), .value(#""\ud800\ud800""#),
        .value(#""\u00g0""#), .value(#""\u12""#), .value(#""\x41""#), .value(#""\u0000""#), .value(#""\'""#),
        .value("\"a\nb\"", "a control character"), .value("\"\u{1}\"", "a control character"),
        .value("'x'"), .value("\"x", "the next column"), .value("", "'a' of Item"),
    ]
}
