import GodwitManifest
import GodwitModel
import GodwitInspect
import GodwitTestSupport
import Testing

struct SharedTableDraftTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func manifest(_ sql: String, limits: InspectionLimits = InspectionLimits()) throws -> Manifest {
        try SampleStore.make(folder["a.store"], CoreDataSample.bookkeeping + sql)
        var subject = DraftSubject(
            app: "Notes", source: "a.store", preferences: ["a.plist"], inspected: [], localPath: "a.store",
            cloudPath: "aCloud.store", schemaFolder: "Migrations")
        subject.local = try StoreInspector(context: .sample(), showsValues: false, archives: nil, limits: limits)
            .inspect(folder["a.store"], name: "a.store")
        let draft = try subject.draft()
        try folder.write(draft.schemaFiles.map(\.text).joined(separator: "\n"), to: "schema.sql")
        return try Manifest.decode(Array(draft.manifest.utf8), file: "godwit.yaml", sha256: "")
    }

    /// Notes 1 to 3, three photos from a number on, and with `pairs` a pair of each with a tag.
    private func items(photosFrom first: Int, pairs: Bool) -> String {
        let photos = (first..<first + 3).map { "(\($0 + 10), 3, 1, \($0))" }.joined(separator: ", ")
        let join = """
            CREATE TABLE Z_1TAGS (Z_1ITEMS INTEGER, Z_4TAGS INTEGER, PRIMARY KEY (Z_1ITEMS, Z_4TAGS));
            INSERT INTO Z_1TAGS SELECT Z_PK, 1 FROM ZITEM;
            """
        return """
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 20), (2, 'Note', 1, 0), (3, 'Photo', 1, 0), (4, 'Tag', 0, 1);
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID INTEGER);
            CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID BLOB);
            INSERT INTO ZTAG VALUES (1, 4, 1, x'A24E3CD3036447129F87044699D68911');
            INSERT INTO ZITEM VALUES (1, 2, 1, 1), (2, 2, 1, 2), (3, 2, 1, 3), \(photos);
            """ + (pairs ? join : "")
    }

    private func keyPath(_ entity: String, in manifest: Manifest) -> String? {
        guard let entity = manifest.entity(named: entity) else { return nil }
        return entity.source?.field(for: entity.key)?.paths.first?.text
    }

    @Test("a draft makes unique names for tables, indexes, and entities that differ only in case")
    func names() throws {
        let made = try manifest(
            """
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, 1), (2, 'Item_id', 0, 1), (3, 'item', 0, 1), (4, 'Part', 0, 1);
            CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            CREATE TABLE ZITEM_ID (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
            CREATE TABLE ZPART (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, Z2_OWNER INTEGER);
            INSERT INTO ZITEM VALUES (1, 1, 1, 'a'); INSERT INTO ZITEM_ID VALUES (1, 2, 1, 'b');
            INSERT INTO ZPART VALUES (1, 4, 1, 1, 2);
            """)
        let names = made.entities.map(\.name.foldedName)
        #expect(Set(names).count == names.count && names.count >= 3)
        #expect(made.entity(named: "Part")?.belongsTo.map(\.parent) == ["Item_id"])
        let tables = try folder.text(of: "schema.sql").split(separator: "\n").filter { $0.hasPrefix("CREATE ") }
        let created = tables.compactMap { $0.split(separator: "\"").dropFirst().first?.lowercased() }
        #expect(Set(created).count == created.count, "\(created)")
    }

    @Test("a key of entities with one table is not used if references may name any of them and values repeat")
    func repeatedKeys() throws {
        let made = try manifest(items(photosFrom: 1, pairs: true))
        for name in ["Item", "Note", "Photo"] { #expect(keyPath(name, in: made) == "Z_PK") }
        #expect(keyPath("Tag", in: made) != "Z_PK")
    }

    @Test("with more records than are read, no key is proven, even if each entity has fewer", arguments: [5, 6])
    func limit(records: Int64) throws {
        var limits = InspectionLimits()
        limits.records = records
        let made = try manifest(items(photosFrom: 4, pairs: true), limits: limits)
        for name in ["Note", "Photo"] { #expect((keyPath(name, in: made) == "Z_PK") == (records < 6), "\(name)") }
    }

    @Test(
        "a key of entities with one table is used if values differ, or if no reference names the table",
        arguments: [true, false])
    func differentKeys(isReferredTo: Bool) throws {
        let made = try manifest(items(photosFrom: isReferredTo ? 4 : 1, pairs: isReferredTo))
        for name in ["Note", "Photo"] {
            let path = try #require(keyPath(name, in: made))
            #expect(path != "Z_PK", "\(name)")
        }
    }

    @Test(
        "an attribute of several entities is external for all of them, and an empty value changes nothing")
    func external() throws {
        let reference = "02" + "5BC22AAC-1D62-4DB3-AEC1-038D71442711".utf8.map { String($0, radix: 16) }.joined() + "00"
        let made = try manifest(
            """
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Media', 0, 9), (2, 'Photo', 1, 0), (3, 'Video', 1, 0), (4, 'Note', 0, 2);
            CREATE TABLE ZMEDIA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDATA BLOB, ZOTHER BLOB);
            CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDATA BLOB);
            INSERT INTO ZMEDIA VALUES (1, 2, 1, x'\(reference)', x'0102'), (2, 2, 1, x'01616263', x'00'), (3, 2, 1, x'', NULL),
              (4, 3, 1, x'01646566', NULL);
            INSERT INTO ZNOTE VALUES (1, 4, 1, x'01616263'), (2, 4, 1, x'01646566');
            """)
        func reading(_ entity: String, _ column: String) -> SourceEncoding? {
            made.entity(named: entity)?.source?.field(for: column)?.encoding
        }
        for name in ["Photo", "Video"] {
            #expect(reading(name, "data") == .externalData, "\(name)")
            #expect(reading(name, "other") != .externalData, "\(name)")
        }
        #expect(reading("Note", "data") != .externalData)
    }
}
