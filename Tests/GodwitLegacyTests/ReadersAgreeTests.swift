import GodwitLegacy
import GodwitModel
import GodwitPropertyList
import GodwitTestSupport
import Testing

/// One app's settings in three formats give the same column values.
struct ReadersAgreeTests {
    private static let binary: [UInt8] = {
        typealias File = BinaryFixture
        return File([
            File.dictionary([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]), File.ascii("weightUnit"), File.ascii("restTimer"),
            File.ascii("soundOn"),
            File.ascii("scale"), File.ascii("favoriteExercises"), File.ascii("lb"), File.integer(90), File.yes,
            File.real(1.5),
            File.array([11, 12, 11]), File.ascii("squat"), File.utf16("ベンチ"),
        ]).bytes
    }()

    private static let xml = XMLFixture.file(
        """
        <dict>
            <key>weightUnit</key><string>lb</string>
            <key>restTimer</key><integer>90</integer>
            <key>soundOn</key><true/>
            <key>scale</key><real>1.5</real>
            <key>favoriteExercises</key>
            <array><string>squat</string><string>&#12505;ンチ</string><string>squat</string></array>
        </dict>
        """)

    private static let json = Array(
        #"""
        {"weightUnit": "lb", "restTimer": 90, "soundOn": true, "scale": 1.5,
         "favoriteExercises": ["squat", "\u30d9ンチ", "squat"]}
        """#.utf8)

    static let files = [binary, xml, json]

    @Test("all formats give the same values in the same order")
    func sameValues() throws {
        let roots = try Self.files.map { LegacyValue.dictionary(try LegacyDocument($0).root) }
        #expect(roots[0] == roots[1])
        #expect(roots[1] == roots[2])
        #expect(try Self.files.map { try LegacyDocument($0).format } == [.binary, .xml, .json])
    }

    @Test("the values of each format go into their columns", arguments: files)
    func columns(file: [UInt8]) throws {
        let document = try LegacyDocument(file)
        func outcome(_ key: String, _ type: String) throws -> SettingOutcome {
            SettingCoercion.coerce(try #require(document.value(for: key)), intoColumnOfType: type)
        }
        #expect(try outcome("weightUnit", "TEXT") == .exact(.string("lb")))
        #expect(try outcome("restTimer", "INTEGER") == .exact(.integer(90)))
        #expect(try outcome("soundOn", "INTEGER") == .exact(.integer(1)))
        #expect(try outcome("scale", "REAL") == .exact(.real(1.5)))
        #expect(try outcome("restTimer", "TEXT") == .coerced(.string("90"), from: "integer 90", to: "text 90"))
    }

    @Test("the favorites of each format are found", arguments: files)
    func favorites(file: [UInt8]) throws {
        let value = try #require(try LegacyDocument(file).value(for: "favoriteExercises"))
        guard case .decoded(let list) = FavoritesDecoder.decode(value) else {
            Issue.record("not decoded")
            return
        }
        #expect(list.favorites.map(\.key) == ["squat", "ベンチ"])
        #expect(list.duplicates == 1)
    }

    @Test("the flag is added in each format, and everything else is unchanged", arguments: files)
    func flag(file: [UInt8]) throws {
        let before = try LegacyDocument(file)
        let after = try LegacyDocument(PropertyListEditor.setting("cloudMigrationDone", to: true, in: file))
        #expect(after.format == before.format)
        #expect(LegacyValue.dictionary(after.root.dropLast()) == .dictionary(before.root))
        #expect(after.value(for: "cloudMigrationDone") == .bool(true))
    }
}

/// Numbers and text, compared with the standard library on random values.
struct ScalarPropertyTests {
    @Test("real numbers survive text to the last bit", arguments: 0..<20)
    func reals(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            let number = Double(bitPattern: generator.next())
            guard number.isFinite else { continue }
            #expect(try XMLPropertyListReader.read(XMLFixture.file("<real>\(number)</real>")) == .real(number))
            // JSON digits without point or exponent are an integer; Swift always writes one of them.
            #expect(try JSONReader.read(Array("\(number)".utf8)) == .real(number))
        }
    }

    @Test("integers survive text and bytes", arguments: 0..<20)
    func integers(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let number = Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator)
            #expect(try XMLPropertyListReader.read(XMLFixture.file("<integer>\(number)</integer>")) == .integer(number))
            #expect(try JSONReader.read(Array("\(number)".utf8)) == .integer(number))
            #expect(
                try BinaryPropertyListReader.read(BinaryFixture([BinaryFixture.integer(number)]).bytes)
                    == .integer(number))
        }
    }

    @Test("the readers accept bytes as UTF-8 exactly if Swift does", arguments: 0..<20)
    func utf8(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        // Mostly the bytes at the limits of well-formed sequences.
        let turning: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3,
            0xF4, 0xF5, 0xFF,
        ]
        for _ in 0..<1_000 {
            let bytes = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                turning.randomElement(using: &generator) ?? 0
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            let value = try? JSONReader.read([0x22] + bytes + [0x22])
            #expect((value != nil) == isValid)
            if let value { #expect(value == .string(String(decoding: bytes, as: UTF8.self))) }
        }
    }

    @Test("any data survives base64", arguments: 0..<20)
    func base64(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let file = try FoundationOracle.write(.dict(["k": .data(bytes)]), as: .xml)
        #expect(try XMLPropertyListReader.read(file)["k"] == .data(bytes))
    }

    @Test("any favorite survives CSV, an archive and an array", arguments: 0..<20)
    func favorites(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array("ab,\"\n\r \t\\é日🏋").map(String.init)
        let items = (0..<10).map { place in
            "\(place)"
                + (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? ""
                }.joined()
        }
        let csv = items.map {
            "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }
        let values: [LegacyValue] = [
            .string(csv.joined(separator: ",")), .string(csv.joined(separator: "\r\n")),
            .data(ArchiveFixture.archive(items)),
            .array(items.map(LegacyValue.string)),
        ]
        for value in values {
            guard case .decoded(let list) = FavoritesDecoder.decode(value) else {
                Issue.record("not decoded: \(FavoritesDecoder.decode(value))")
                continue
            }
            #expect(list.favorites.map(\.key) == items)
        }
    }
}
