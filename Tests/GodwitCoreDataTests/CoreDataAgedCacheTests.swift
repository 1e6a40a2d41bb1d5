import GodwitCoreData
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// Model caches older than their stores, and composite attributes.
struct CoreDataAgedCacheTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(_ sql: String, _ cache: CoreDataArchiveSample) throws -> CoreDataModel {
        try SampleStore.make(
            folder["a.store"],
            CoreDataSample.bookkeeping + sql
                // One letter as a stored block of DEFLATE.
                + "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'010100FEFF4D');")
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .schema, context: .sample())
        let archives = CoreDataArchives(read: { _ in cache.pairs })
        return try #require(try snapshot.connection.readCoreDataModel(archives: archives))
    }

    private func names(of entity: String, in model: CoreDataModel) throws -> [String: String] {
        let found = try #require(model.entity(named: entity))
        return Dictionary(found.attributes.map { ($0.column, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// Cars; some are vans, and some of these are campers.
    private static let cars = """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Car', 0, 3), (2, 'Van', 1, 0), (3, 'Camper', 2, 0);
        CREATE TABLE ZCAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPLATENUMBER VARCHAR,
          ZLOADLIMIT INTEGER, ZBEDCOUNT INTEGER, ZSOLDAT TIMESTAMP);
        INSERT INTO ZCAR VALUES (1, 1, 1, 'AA', NULL, NULL, 7.5), (2, 2, 1, 'BB', 900, NULL, NULL),
          (3, 3, 1, 'CC', 700, 2, NULL);
        """

    private static func cache(_ car: String, _ van: String, _ camper: String) -> CoreDataArchiveSample {
        CoreDataArchiveSample(
            entities: [(car, nil), (van, car), (camper, van)],
            attributes: [
                (car, "plateNumber", 700), (car, "soldAt", 900), (van, "loadLimit", 200), (camper, "bedCount", 200),
            ], toOne: [], toMany: [])
    }

    @Test(
        "a renamed entity keeps its own and inherited properties, by the names in the model cache",
        arguments: [
            ("Car", "Van", "Camper"), ("Auto", "Van", "Camper"), ("Car", "Bus", "Camper"), ("Car", "Van", "Home"),
            ("Auto", "Bus", "Home"),
        ])
    func renamed(_ car: String, _ van: String, _ camper: String) throws {
        let model = try read(Self.cars, Self.cache(car, van, camper))
        let all = ["ZPLATENUMBER": "plateNumber", "ZSOLDAT": "soldAt"]
        let van = all.merging(["ZLOADLIMIT": "loadLimit"]) { first, _ in first }
        #expect(try names(of: "Car", in: model) == all)
        #expect(try names(of: "Van", in: model) == van)
        #expect(try names(of: "Camper", in: model) == van.merging(["ZBEDCOUNT": "bedCount"]) { first, _ in first })
        #expect(model.entity(named: "Camper")?.attributes.first { $0.name == "soldAt" }?.kind == .date)
    }

    @Test("two entities that may have been renamed keep bare names and all columns")
    func uncertain() throws {
        let sql = """
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Car', 0, 2), (2, 'Van', 1, 0), (3, 'Taxi', 1, 0);
            CREATE TABLE ZCAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPLATENUMBER VARCHAR,
              ZLOADLIMIT INTEGER, ZFARE INTEGER);
            INSERT INTO ZCAR VALUES (1, 2, 1, 'AA', 900, NULL), (2, 3, 1, 'BB', NULL, 5);
            """
        let cache = CoreDataArchiveSample(
            entities: [("Car", nil), ("Bus", "Car"), ("Cab", "Car")],
            attributes: [("Car", "plateNumber", 700), ("Bus", "loadLimit", 200), ("Cab", "fare", 200)], toOne: [],
            toMany: [])
        let model = try read(sql, cache)
        for name in ["Van", "Taxi"] {
            #expect(
                try names(of: name, in: model)
                    == ["ZPLATENUMBER": "plateNumber", "ZLOADLIMIT": "loadlimit", "ZFARE": "fare"])
        }
    }

    @Test("two entities that were renamed at once are distinguished by the columns of their tables")
    func renamedTogether() throws {
        let sql = """
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Car', 0, 1), (2, 'Driver', 0, 1);
            CREATE TABLE ZCAR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPLATENUMBER VARCHAR);
            CREATE TABLE ZDRIVER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFULLNAME VARCHAR);
            """
        let cache = CoreDataArchiveSample(
            entities: [("Auto", nil), ("Person", nil)],
            attributes: [("Auto", "plateNumber", 700), ("Person", "fullName", 700)], toOne: [], toMany: [])
        let model = try read(sql, cache)
        #expect(try names(of: "Car", in: model) == ["ZPLATENUMBER": "plateNumber"])
        #expect(try names(of: "Driver", in: model) == ["ZFULLNAME": "fullName"])
    }

    /// Books of writers; the publishers have the name that writers had when the cache was written.
    private static func books(writers: String, authors: String, _ columns: (String, String)) -> String {
        """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Book', 0, 1), (2, '\(writers)', 0, 1), (3, '\(authors)', 0, 1);
        CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, ZTITLE VARCHAR);
        CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
        CREATE TABLE Z\(writers.uppercased()) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns.0) VARCHAR);
        CREATE TABLE Z\(authors.uppercased()) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns.1) VARCHAR);
        INSERT INTO ZBOOK VALUES (1, 1, 1, 1, 'The Tides');
        """
    }

    @Test(
        "a name that now belongs to another entity is not a relation's target, and the unknown target is reported",
        arguments: [
            ("Writer", "Author", ("ZPENNAME", "ZCITY")), ("Publisher", "Author", ("ZPENNAME", "ZCITY")),
            ("Writer", "Author", ("ZLABEL", "ZLABEL")),
        ])
    func reusedName(_ writers: String, _ authors: String, _ columns: (String, String)) throws {
        let names = columns.0 == columns.1 ? ["label", "label"] : ["penName", "city"]
        let cache = CoreDataArchiveSample(
            entities: [("Book", nil), ("Author", nil), ("Publisher", nil)],
            attributes: [("Book", "title", 700), ("Author", names[0], 700), ("Publisher", names[1], 700)],
            toOne: [("Book", "author", "Author")], toMany: [])
        let model = try read(Self.books(writers: writers, authors: authors, columns), cache)
        let relation = try #require(model.entity(named: "Book")?.relations.first)
        #expect(relation.name == "author" && relation.target == nil)
        // Its own name does not show it either.
        #expect(model.uncertainNames.contains("Author"))
    }

    @Test("an entity that was only renamed, or whose attributes changed, stays the target")
    func sureTarget() throws {
        let cache = CoreDataArchiveSample(
            entities: [("Book", nil), ("Author", nil), ("Publisher", nil)],
            attributes: [("Book", "title", 700), ("Author", "penName", 700), ("Publisher", "city", 700)],
            toOne: [("Book", "author", "Author")], toMany: [])
        for (writers, authors, columns, target) in [
            ("Writer", "Publisher", ("ZPENNAME", "ZCITY"), "Writer"),
            ("Author", "House", ("ZPENNAME", "ZCITY"), "Author"),
            ("Author", "Publisher", ("ZNAME", "ZCITY"), "Author"),
            ("Author", "Printer", ("ZPENNAME", "ZSTREET"), "Author"),
        ] {
            let model = try read(Self.books(writers: writers, authors: authors, columns), cache)
            #expect(model.entity(named: "Book")?.relations.first?.target == target, "\(writers) \(authors)")
            try folder.remove("a.store")
        }
    }

    @Test("data in a column that the cache gives to another entity is an attribute with the column's name")
    func moved() throws {
        let sql = Self.cars + "UPDATE ZCAR SET ZBEDCOUNT = 4 WHERE Z_ENT = 1; ALTER TABLE ZCAR ADD COLUMN note VARCHAR;"
        let model = try read(sql + "UPDATE ZCAR SET note = 'x' WHERE Z_ENT = 2;", Self.cache("Car", "Van", "Camper"))
        let car = try #require(model.entity(named: "Car")?.attributes.first { $0.column == "ZBEDCOUNT" })
        #expect(car.name == "bedCount" && car.kind == nil)
        #expect(try names(of: "Van", in: model)["note"] == "note")
        #expect(try names(of: "Van", in: model)["ZBEDCOUNT"] == nil)
    }

    @Test("an entity that the cache lacks is recognized by its rows, and no attribute gets another one's data")
    func namesake() throws {
        let sql = """
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 2), (2, 'Note', 1, 0), (3, 'Photo', 1, 0);
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR, ZTITLE1 VARCHAR);
            INSERT INTO ZITEM VALUES (1, 2, 1, NULL, 'note'), (2, 3, 1, 'photo', NULL);
            """
        let cache = CoreDataArchiveSample(
            entities: [("Item", nil), ("Note", "Item"), ("Photo", "Item")], attributes: [("Note", "title", 700)],
            toOne: [], toMany: [])
        let model = try read(sql, cache)
        let title = model.entity(named: "Note")?.attributes.first { $0.name == "title" }
        #expect(title?.column == "ZTITLE1" && title?.kind == .string)
        #expect(try names(of: "Photo", in: model)["ZTITLE"] == "title")
    }

    @Test("a type in the cache that contradicts the column is ignored, and the name is used")
    func types() throws {
        let cache = CoreDataArchiveSample(
            entities: [("Car", nil)], attributes: [("Car", "plateNumber", 900), ("Car", "loadLimit", 200)],
            toOne: [("Car", "soldAt", "Car")], toMany: [])
        let car = try #require(try read(Self.cars, cache).entity(named: "Car"))
        let kinds = Dictionary(car.attributes.map { ($0.name, $0.kind) }, uniquingKeysWith: { first, _ in first })
        #expect(kinds["plateNumber"] == .undefined)
        #expect(kinds["loadLimit"] == .integer32)
        #expect(kinds["soldAt"] == .undefined)
        #expect(car.relations.isEmpty)
    }

    // MARK: Composite attributes

    @Test("a composite attribute with one part of the same name is that part, and other parts are property.part")
    func composites() throws {
        let sql = """
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Place', 0, 1);
            CREATE TABLE ZPLACE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPLACEKIND VARCHAR,
              ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZNAME VARCHAR);
            INSERT INTO ZPLACE VALUES (1, 1, 1, 'lake', 52.5, 13.4, 'Müggelsee');
            """
        var cache = CoreDataArchiveSample(
            entities: [("Place", nil)], attributes: [("Place", "name", 700)], toOne: [], toMany: [])
        cache.composites = [
            ("Place", "placeKind", [("placeKind", 700)]),
            ("Place", "coordinate", [("latitude", 500), ("longitude", 500)]),
        ]
        let model = try read(sql, cache)
        #expect(
            try names(of: "Place", in: model) == [
                "ZPLACEKIND": "placeKind", "ZLATITUDE": "coordinate.latitude", "ZLONGITUDE": "coordinate.longitude",
                "ZNAME": "name",
            ])
        #expect(model.untoldColumns.isEmpty)
        #expect(model.entity(named: "Place")?.attributes.first { $0.name == "placeKind" }?.kind == .string)
    }
}
