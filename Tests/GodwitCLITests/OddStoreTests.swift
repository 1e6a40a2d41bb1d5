import Foundation
import GodwitModel
import GodwitTestSupport
import Testing

/// Plain stores as apps leave them: `init`, then plan, run, verify and export at once, compared with SQLite's counts.
struct OddStoreTests {
    struct Odd: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        /// The codes of `init`'s messages on the terminal, sorted.
        var says: [String] = []
        init(_ words: String, _ sql: String, says: [String] = []) {
            (testDescription, self.sql, self.says) = (words, sql, says)
        }
    }

    private static let stores = [
        Odd(
            "a foreign key to a missing record",
            """
            CREATE TABLE author(id TEXT PRIMARY KEY); CREATE TABLE book(id TEXT PRIMARY KEY, author TEXT REFERENCES author(id));
            INSERT INTO author VALUES ('a'); INSERT INTO book VALUES ('1', 'a'), ('2', 'gone'), ('3', NULL);
            """, says: ["constraintLeftOut"]),
        Odd(
            "one that deletes children, to a missing record",
            """
            CREATE TABLE author(id TEXT PRIMARY KEY);
            CREATE TABLE book(id TEXT PRIMARY KEY, author TEXT REFERENCES author(id) ON DELETE CASCADE ON UPDATE SET NULL);
            INSERT INTO author VALUES ('a'); INSERT INTO book VALUES ('1', 'a'), ('2', 'gone');
            """, says: ["constraintLeftOut"]),
        Odd(
            "one to a column that is not the key, one to a table that is not there, one to nothing unique",
            """
            CREATE TABLE author(id TEXT PRIMARY KEY, code TEXT UNIQUE, nick TEXT);
            CREATE TABLE book(id TEXT PRIMARY KEY, code TEXT REFERENCES author(code), x TEXT REFERENCES missing(id));
            CREATE TABLE page(id TEXT PRIMARY KEY, nick TEXT REFERENCES author(nick));
            INSERT INTO author VALUES ('a', 'A', 'n'); INSERT INTO book VALUES ('1', 'B', 'y'); INSERT INTO page VALUES ('1', 'n');
            """, says: ["constraintLeftOut", "constraintLeftOut", "constraintLeftOut"]),
        Odd(
            "a table of pairs with a reference to a missing record",
            """
            CREATE TABLE p(id TEXT PRIMARY KEY);
            CREATE TABLE pair(a TEXT REFERENCES p(id), b TEXT REFERENCES p(id), PRIMARY KEY (a, b));
            INSERT INTO p VALUES ('1'); INSERT INTO pair VALUES ('1', '9');
            """, says: ["constraintLeftOut", "noEntity"]),
        Odd(
            "a reference to a table that is left out",
            """
            CREATE TABLE tag(a TEXT, b TEXT, PRIMARY KEY (a, b));
            CREATE TABLE item(id TEXT PRIMARY KEY, a TEXT, b TEXT, FOREIGN KEY (a, b) REFERENCES tag(a, b) ON DELETE CASCADE);
            INSERT INTO tag VALUES ('a', 'b'); INSERT INTO item VALUES ('1', 'a', 'b');
            """, says: ["constraintLeftOut", "noEntity"]),
        Odd(
            "records that break a check of their table",
            """
            CREATE TABLE n(id TEXT PRIMARY KEY, stars INT CHECK (stars BETWEEN 1 AND 5), c INT CHECK (c > 0), UNIQUE (stars, c));
            PRAGMA ignore_check_constraints=ON; INSERT INTO n VALUES ('1', 3, 1), ('2', 9, 1);
            """, says: ["constraintLeftOut"]),
        Odd(
            "records that break a check that calls a function",
            """
            CREATE TABLE n(id TEXT PRIMARY KEY, t TEXT CHECK (length(t) > 0)); CREATE TABLE m(id TEXT PRIMARY KEY);
            INSERT INTO m VALUES ('1'); PRAGMA ignore_check_constraints=ON; INSERT INTO n VALUES ('1', 'x'), ('2', '');
            """, says: ["noEntity"]),
        Odd(
            "a trigger that writes into another table, one that dates its own, one that refuses",
            """
            CREATE TABLE album(id TEXT PRIMARY KEY, n INT); CREATE TABLE song(id TEXT PRIMARY KEY, album TEXT, at TEXT);
            CREATE TRIGGER counted AFTER INSERT ON song BEGIN UPDATE album SET n = n + 1 WHERE id = new.album; END;
            CREATE TRIGGER dated AFTER INSERT ON song /* c */ BEGIN UPDATE song SET at = 'now' WHERE id = new.id; END;
            INSERT INTO album VALUES ('a', 0); INSERT INTO song VALUES ('1', 'a', ''), ('2', 'a', ''); UPDATE song SET at = 'x';
            CREATE TRIGGER refused BEFORE INSERT ON song BEGIN SELECT RAISE(ABORT, 'no'); END;
            """, says: ["triggers"]),
        Odd(
            "comments everywhere, STRICT and WITHOUT ROWID",
            """
            CREATE TABLE n(/* x */ id TEXT PRIMARY KEY, x TEXT -- y
            ) STRICT; CREATE TABLE m(/* x */ id TEXT PRIMARY KEY) WITHOUT ROWID; CREATE VIEW v AS /* z */ SELECT * FROM n;
            INSERT INTO n VALUES ('1', '2'); INSERT INTO m VALUES ('1');
            """),
        Odd(
            "columns that hide the row's number",
            """
            CREATE TABLE n(id TEXT PRIMARY KEY, rowid TEXT, oid INT, _rowid_ INT); CREATE TABLE m(id TEXT PRIMARY KEY);
            INSERT INTO m VALUES ('1'); INSERT INTO n VALUES ('1', 'a', 2, 3);
            """, says: ["noEntity"]),
        Odd(
            "names that are one to Unicode and two to SQLite",
            """
            CREATE TABLE "caf\u{E9}"(id TEXT PRIMARY KEY); CREATE TABLE "cafe\u{301}"(id TEXT PRIMARY KEY);
            INSERT INTO "caf\u{E9}" VALUES ('1'); INSERT INTO "cafe\u{301}" VALUES ('1'), ('2');
            """, says: ["noEntity"]),
        Odd(
            "full-text tables and R-trees: with records of their own, of another table, of none",
            """
            CREATE TABLE n(id TEXT PRIMARY KEY, t TEXT);
            CREATE VIRTUAL TABLE own USING fts5(content, title); INSERT INTO own VALUES ('a', 'b'), ('c', 'd');
            CREATE VIRTUAL TABLE four USING fts4(a); INSERT INTO four VALUES ('a');
            CREATE VIRTUAL TABLE box USING rtree(id, a, b); INSERT INTO box VALUES (1, 0, 1);
            CREATE VIRTUAL TABLE of_n USING fts5(t, content='n', content_rowid='rowid');
            CREATE VIRTUAL TABLE bare USING fts5(t, content=''); CREATE VIRTUAL TABLE empty USING fts5(t);
            INSERT INTO n VALUES ('1', 'x');
            """, says: ["noEntity", "noEntity", "noEntity"]),
        Odd(
            "a key only by its name",
            """
            CREATE TABLE n(id TEXT, x INT);
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 200)
            INSERT INTO n SELECT CASE i WHEN 2 THEN 1 ELSE i END, i FROM c;
            """, says: ["keyNotUnique"]),
        Odd(
            "a column called like a key that too many records share",
            """
            CREATE TABLE n(id TEXT, x INT); CREATE TABLE m(id TEXT PRIMARY KEY); INSERT INTO m VALUES ('1');
            INSERT INTO n VALUES ('1', 1), ('1', 1), ('2', 2);
            """, says: ["noEntity"]),
        Odd(
            "a part of a composite key, of a composite unique constraint, and of a unique index, each called id",
            """
            CREATE TABLE chains(id TEXT, idx INT, PRIMARY KEY (id, idx)); CREATE TABLE m(id TEXT PRIMARY KEY);
            CREATE TABLE links(id TEXT, n INT, UNIQUE (id, n)); CREATE TABLE knots(uuid TEXT, n INT);
            CREATE UNIQUE INDEX knot ON knots(uuid, n) WHERE n > 0; INSERT INTO m VALUES ('1');
            WITH RECURSIVE c(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 99)
            INSERT INTO chains SELECT i / 10, i % 10 FROM c;
            INSERT INTO links SELECT id || idx, 1 FROM chains; INSERT INTO knots SELECT id || idx, 1 FROM chains;
            """, says: ["noEntity", "noEntity", "noEntity"]),
        Odd(
            "a column called id that refers to another table, and one that is the primary key besides",
            """
            CREATE TABLE m(id TEXT PRIMARY KEY); INSERT INTO m VALUES ('1'), ('2');
            CREATE TABLE detail(id TEXT REFERENCES m(id), x INT); INSERT INTO detail VALUES ('1', 1), ('2', 2);
            CREATE TABLE twin(id TEXT PRIMARY KEY REFERENCES m(id), x INT); INSERT INTO twin VALUES ('1', 1);
            """, says: ["noEntity"]),
    ]

    @Test("every command works with unusual stores, and the export has SQLite's counts", arguments: stores)
    func works(_ odd: Odd) throws {
        let shop = try Workshop(.empty)
        let path = shop.box + "/Library/odd.store"
        try SampleStore.make(path, odd.sql)
        let made = try shop.godwit("init", "box", "-o", "app", "--json")
        #expect(made.code == 0, "\(made.errorText)")
        let json = try made.json()
        let said = ((json["leftOut"]?.items ?? []) + (json["risks"]?.items ?? [])).compactMap { $0["code"]?.string }
        #expect(said.sorted() == odd.says)
        for command in ["plan", "run", "verify"] {
            let finished = try shop.godwit(command, "-m", "app/godwit.yaml", "-c", "box")
            #expect(finished.code == 0, "\(command): \(finished.text)\(finished.errorText)")
        }
        let exported = try shop.godwit("export", "-m", "app/godwit.yaml", "-c", "box", "-o", "-")
        #expect(exported.code == 0, "\(exported.errorText)")
        let store = try shop.open("Library/odd.store")
        for entity in try exported.json()["entities"]?.items ?? [] {
            let name = try #require(entity["name"]?.string)
            let count = try store.integer("SELECT count(*) FROM \"\(name)\"")
            #expect(entity["count"]?.integer == count, "\(name)")
        }
        try store.close()
    }

    @Test(
        "a store with a foreign table of a ledger name is rejected before any write",
        arguments: ["godwit_run", "GODWIT_Receipt"])
    func books(_ name: String) throws {
        let shop = try Workshop(.empty)
        try SampleStore.make(
            shop.box + "/Library/odd.store",
            "CREATE TABLE n(id TEXT PRIMARY KEY); CREATE TABLE \(name)(id TEXT PRIMARY KEY, miles REAL); INSERT INTO \(name) VALUES ('a', 1)"
        )
        let finished = try shop.godwit("init", "box", "-o", "app")
        #expect(finished.code == 65 && finished.errorText.contains("Rename the app"), "\(finished.errorText)")
        #expect(!shop.folder.exists("home/app"))
        let inspected = try shop.godwit("inspect", "box", "--json").json()
        #expect(inspected["stores"]?.items.first?["risks"]?.items.contains { $0["code"] == "foreignBooks" } == true)
    }

    @Test("init warns of a missing -wal file, as inspect and plan do")
    func noLog() throws {
        let shop = try Workshop(.empty)
        let path = shop.box + "/Library/odd.store"
        try SampleStore.make(
            path, "PRAGMA journal_mode=WAL; CREATE TABLE n(id TEXT PRIMARY KEY); INSERT INTO n VALUES ('1')")
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let seen = try shop.godwit("inspect", "box").text
        #expect(seen.contains("in WAL mode, without its -wal file") && !seen.contains("with a -wal file"), "\(seen)")
        let made = try shop.godwit("init", "box", "-o", "app")
        #expect(made.code == 0 && made.text.contains("in WAL mode"), "\(made.text)\(made.errorText)")
        #expect(
            try shop.godwit("init", "box", "-o", "b", "--json").json()["risks"]?.items.first?["code"] == "walMissing")
    }

    @Test("a property of sixty tables is reported three times and counted, and completely with --verbose and in JSON")
    func manyAlike() throws {
        let shop = try Workshop(.empty)
        let tables = (1...60).map { number in
            "CREATE TABLE t\(number)(id TEXT PRIMARY KEY, a TEXT REFERENCES author(id)); INSERT INTO t\(number) VALUES ('1', 'gone');"
        }
        try SampleStore.make(
            shop.box + "/Library/odd.store",
            "CREATE TABLE author(id TEXT PRIMARY KEY); CREATE TABLE p(a INT, b INT, PRIMARY KEY (a, b)); \(tables.joined())"
        )
        let text = try shop.godwit("init", "box", "-n", "-o", "app").text
        let lines = text.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("! t") } == 3 && lines.count { $0.hasPrefix("! p:") } == 1, "\(text)")
        #expect(lines.count { $0.hasPrefix("! and 57 more like it") } == 1)
        #expect(lines.count { $0.contains("local store keeps it") } == 1)
        let all = try shop.godwit("init", "box", "-n", "-o", "app", "-v").text.split(separator: "\n")
        #expect(all.count { $0.hasPrefix("! t") } == 60 && !all.contains { $0.contains("more like it") })
        #expect(try shop.godwit("init", "box", "-n", "-o", "app", "--json").json()["leftOut"]?.items.count == 61)
    }

    @Test("a value that looks like a secret is hidden even with --verbose, and never imported")
    func secrets() throws {
        let shop = try Workshop(.empty)
        try shop.write(
            [
                "unit": "kg", "config": #"{"token":"hush-hush","n":1}"#, "stripe_sk": "hush-hush",
                "feed": "https://anna:hush-hush@example.com/x", "last": "https://example.com/?signature=hush-hush",
            ], to: Scene.plist)
        try SampleStore.make(
            shop.box + "/Library/odd.store",
            """
            CREATE TABLE n(id TEXT PRIMARY KEY, body TEXT, link TEXT);
            INSERT INTO n VALUES ('1', '{"apiKey":"hush-hush"}', 'https://example.com/?token=hush-hush'), ('2', 'plain words', 'https://example.com/');
            """)
        for format in ["text", "json"] {
            let shown = try shop.godwit("inspect", "box", "-v", "--format", format)
            #expect(shown.code == 0 && !shown.text.contains("hush"), "\(shown.text)")
            #expect(
                shown.text.contains("plain words") && shown.text.contains("(hidden: looks like a secret)"))
        }
        try FileManager.default.removeItem(atPath: shop.box + "/Library/odd.store")
        #expect(try shop.godwit("init", "box", "-o", "app").code == 0)
        let text = try shop.folder.text(of: "home/app/godwit.yaml")
        #expect(text.contains("into: Settings.unit") && !text.contains("Settings.config") && !text.contains("hush"))
        #expect(try shop.godwit("run", "-m", "app/godwit.yaml", "-c", "box").code == 0)
        #expect(try !shop.godwit("export", "-m", "app/godwit.yaml", "-c", "box", "-o", "-").text.contains("hush"))
    }

    private static let random = (0..<4096).reduce(into: (state: UInt64(7), bytes: [UInt8]())) { made, _ in
        made.state = made.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        made.bytes.append(UInt8(made.state >> 56))
    }.bytes

    @Test(
        "an unreadable store is reported if another store is used",
        arguments: [
            ("SQLite format 3\0 and garbage", "Main.sqlite", "unreadable"), ("", "Main.sqlite", "unreadableFile"),
            ("", "Main.db", "unreadableFile"), ("", "Main.store", "unreadableFile"),
            ("not a property list", "Preferences/org.example.plist", "unreadable"),
        ])
    func unread(content: String, name: String, code: String) throws {
        let shop = try Workshop(.empty)
        try SampleStore.make(
            shop.box + "/Library/small.sqlite", "CREATE TABLE n(id TEXT PRIMARY KEY); INSERT INTO n VALUES ('1')")
        let path = shop.box + "/Library/" + name
        try FileManager.default.createDirectory(
            atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), withIntermediateDirectories: true)
        try Data(content.isEmpty ? Self.random : Array(content.utf8)).write(to: URL(fileURLWithPath: path))
        let made = try shop.godwit("init", "box", "-o", "app", "--json")
        #expect(made.code == 0, "\(made.errorText)")
        let risk = try #require(try made.json()["risks"]?.items.first)
        let message = try #require(risk["message"]?.string)
        #expect(risk["code"]?.string == code && message.hasPrefix("`Library/\(name)` could not be read"), "\(message)")
        #expect(name.hasSuffix("plist") || message.hasSuffix("so `Library/small.sqlite` was used as the local store"))
        #expect(try shop.godwit("init", "box", "-n", "-o", "b").text.contains("! `Library/\(name)` could not be read"))
        let text = try shop.folder.text(of: "home/app/godwit.yaml")
        #expect(!text.contains("another store") && !text.contains("0 keys"), "\(text)")
        #expect(try shop.godwit("plan", "-m", "app/godwit.yaml", "-c", "box").code == 0)
        if code == "unreadableFile" {
            #expect(try shop.godwit("inspect", "box").text.contains("`Library/\(name)` could not be read"))
        }
    }

    @Test("an unreadable store without another one is rejected, and text named .db is not a store")
    func unreadAlone() throws {
        let shop = try Workshop(.empty)
        try Data("SQLite format 3\0 and garbage".utf8).write(to: URL(fileURLWithPath: shop.box + "/Library/a.sqlite"))
        #expect(try shop.godwit("init", "box", "-o", "app").code == 65)
        let other = try Workshop(.empty)
        try Data(String(repeating: "name,value;Grüße 1234567890 ABC\n", count: 40).utf8)
            .write(to: URL(fileURLWithPath: other.box + "/Library/a.db"))
        try SampleStore.make(other.box + "/Library/b.sqlite", "CREATE TABLE n(id TEXT PRIMARY KEY)")
        #expect(try other.godwit("init", "box", "-o", "app", "--json").json()["risks"]?.items.isEmpty == true)
    }
}
