import GodwitJSON
import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

struct JSONBufferTests {
    private func json(_ fill: (inout JSONBuffer) -> Void) -> String {
        var buffer = JSONBuffer(capacity: 16)
        fill(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private func json(text bytes: [UInt8]) -> String {
        json { buffer in bytes.withUnsafeBytes { buffer.append(text: $0) } }
    }

    // MARK: Text

    @Test("every byte below 0x80 is written as in RFC 8259, and read back by Foundation")
    func everyASCII() throws {
        for byte in UInt8(1)..<0x80 {
            let written = json(text: [0x61, byte, 0x7A])
            let read = try JSONSerialization.jsonObject(with: Data(written.utf8), options: .fragmentsAllowed)
            #expect(read as? String == "a" + String(UnicodeScalar(byte)) + "z")
            #expect(written.utf8.allSatisfy { $0 >= 0x20 })
        }
    }

    @Test(
        "control characters have short escapes or lower-case \\u00xx, and a slash is not escaped",
        arguments: [
            ("\"", #""\"""#), ("\\", #""\\""#), ("\n", #""\n""#), ("\r", #""\r""#), ("\t", #""\t""#),
            ("\u{8}", #""\b""#), ("\u{C}", #""\f""#), ("\u{1}", #""\u0001""#), ("\u{1F}", #""\u001f""#),
            ("\u{1B}[31m", #""\u001b[31m""#), ("\u{7F}", "\"\u{7F}\""), ("/", #""/""#), ("é🐦", #""é🐦""#),
            ("\u{2028}", "\"\u{2028}\""), ("", #""""#), ("\"\"", #""\"\"""#), ("a\nb", #""a\nb""#),
        ])
    func escapes(text: String, expected: String) {
        #expect(json(text: Array(text.utf8)) == expected)
        #expect(json { $0.append(string: text) } == expected)
    }

    @Test(
        "text that is not UTF-8, or has NUL, keeps its bytes with a tag",
        arguments: [
            [0], [0x61, 0, 0x62], [0x80], [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x90],
            [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0x61, 0xC3], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func invalidText(bytes: [UInt8]) {
        #expect(json(text: bytes) == #"{"$text":""# + Data(bytes).base64EncodedString() + #""}"#)
    }

    @Test("validity agrees with the standard library for every two bytes and every lead byte of three")
    func validity() {
        func check(_ bytes: [UInt8]) {
            let expected = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
            let found = bytes.withUnsafeBytes { $0.isValidUTF8WithoutNUL }
            if found != expected { Issue.record("\(bytes): \(found)") }
        }
        let samples: [UInt8] = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xFF]
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max { check([first, second]) }
            for second in samples { for third in samples { check([first, second, third]) } }
        }
        for first in UInt8(0xEF)...0xF8 {
            for second in samples {
                for third in samples { for fourth in samples { check([first, second, third, fourth]) } }
            }
        }
    }

    @Test("every kind of character is written equally at each offset of texts up to 40 bytes")
    func places() {
        let plain = Array("The quick brown fox jumps over lazy dogs".utf8)
        let others: [(text: String, written: String)] = [
            ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\u{1}", #"\u0001"#), ("é", "é"), ("🐦", "🐦"), ("~", "~"),
        ]
        for length in 0...plain.count {
            let text = Array(plain[..<length])
            if json(text: text) != "\"" + String(decoding: text, as: UTF8.self) + "\"" { Issue.record("\(length)") }
            for place in 0...length {
                let (before, behind) = (Array(text[..<place]), Array(text[place...]))
                for other in others {
                    let expected = Array("\"".utf8) + before + Array(other.written.utf8) + behind + Array("\"".utf8)
                    let written = json(text: before + Array(other.text.utf8) + behind)
                    if Array(written.utf8) != expected { Issue.record("\(length), \(place): \(written)") }
                }
                if !json(text: before + [0xFF] + behind).hasPrefix(#"{"$text""#) { Issue.record("\(length), \(place)") }
            }
        }
    }

    @Test(
        "a character that needs an escape is found at each offset of a longer text",
        arguments: [41, 64, 79, 255, 4096])
    func everyPlaceOfLongerTexts(length: Int) {
        for (byte, written) in [(UInt8(0x22), #"\""#), (0x5C, #"\\"#), (0x01, #"\u0001"#), (0x0A, #"\n"#)] {
            for place in stride(from: 0, to: length, by: length > 255 ? 13 : 1) {
                var text = [UInt8](repeating: 0x7E, count: length)
                text[place] = byte
                let before = String(repeating: "~", count: place)
                let behind = String(repeating: "~", count: length - place - 1)
                if json(text: text) != "\"\(before)\(written)\(behind)\"" { Issue.record("\(byte), \(place)") }
            }
        }
    }

    @Test("padding does not change a text of any length")
    func padded() {
        for length in 0...70 {
            let text = (0..<length).map { UInt8(0x30 + $0 % 64) }
            let padding = JSONBuffer.padding(behind: length)
            #expect((length + padding) % 16 == 0 && padding < 16)
            let written = json { buffer in
                for _ in 0..<3 {
                    (text + [UInt8](repeating: 0, count: padding)).withUnsafeBytes { bytes in
                        buffer.append(padded: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
                    }
                    buffer.append("|")
                }
            }
            let once = String(decoding: text, as: UTF8.self) + "|"
            #expect(written == once + once + once)
        }
    }

    // MARK: Integers

    @Test(
        "integers that every reader keeps exactly are digits, and larger ones are tagged",
        arguments: [
            (0, "0"), (1, "1"), (-1, "-1"), (10, "10"), (-100, "-100"), (9_007_199_254_740_991, "9007199254740991"),
            (-9_007_199_254_740_991, "-9007199254740991"),
            (9_007_199_254_740_992, #"{"$int":"9007199254740992"}"#),
            (-9_007_199_254_740_992, #"{"$int":"-9007199254740992"}"#),
            (9_007_199_254_740_993, #"{"$int":"9007199254740993"}"#),
            (.max, #"{"$int":"9223372036854775807"}"#), (.min, #"{"$int":"-9223372036854775808"}"#),
        ] as [(Int64, String)])
    func integers(number: Int64, expected: String) {
        #expect(json { $0.append(integer: number) } == expected)
        #expect(json { $0.append(digits: number) } == String(number))
    }

    @Test("digits equal those of the standard library for every power of ten and its neighbors")
    func digits() {
        var power: Int64 = 1
        for _ in 0..<18 {
            for number in [power - 1, power, power + 1, -power, 1 - power] {
                #expect(json { $0.append(digits: number) } == String(number))
            }
            power *= 10
        }
    }

    // MARK: Reals

    @Test(
        "real numbers have a point or an exponent, in the shortest form",
        arguments: [
            (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-5, "-5.0"), (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"),
            (100, "100.0"), (1e15, "1e+15"), (999_999_999_999_999, "999999999999999.0"), (1e16, "1e+16"),
            (1e21, "1e+21"), (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (9_007_199_254_740_992, "9007199254740992.0"), (123_456.789, "123456.789"),
        ] as [(Double, String)])
    func reals(number: Double, expected: String) {
        let written = json { $0.append(real: number) }
        if number.magnitude < 1e15 || number == 1e16 { #expect(written == expected) }
        #expect(Double(written)?.bitPattern == number.bitPattern)
        #expect(written.contains(".") || written.contains("e"))
    }

    @Test("a number that JSON cannot hold is tagged")
    func notFinite() {
        #expect(json { $0.append(real: .infinity) } == #"{"$real":"Infinity"}"#)
        #expect(json { $0.append(real: -.infinity) } == #"{"$real":"-Infinity"}"#)
        #expect(json { $0.append(real: .nan) } == #"{"$real":"NaN"}"#)
    }

    @Test(
        "a hundred thousand doubles of all magnitudes survive JSON bit by bit, with a point or exponent"
    )
    func randomReals() throws {
        var random = SeededGenerator(seed: 20_261_121)
        let number = try Regex(#"-?(0|[1-9][0-9]*)((\.[0-9]+)([eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)"#)
        var buffer = JSONBuffer(capacity: 64)
        for round in 0..<100_000 {
            let value =
                switch round % 4 {
                case 0: Double(bitPattern: random.next())
                case 1: Double(Int64(bitPattern: random.next()) >> Int64(round % 60))
                case 2: Double(Int64(bitPattern: random.next()) >> 40) / 1000
                default: Double(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
                }
            guard value.isFinite else { continue }
            buffer.removeAll()
            buffer.append(real: value)
            let text = String(decoding: buffer.bytes, as: UTF8.self)
            guard Double(text)?.bitPattern == value.bitPattern else {
                Issue.record("\(value) was written as \(text)")
                return
            }
            if round % 10 == 0, try number.wholeMatch(in: text) == nil { Issue.record("\(text) is no JSON real") }
        }
    }

    // MARK: Blobs and the rest

    @Test("base64 equals Foundation's for every length up to 200")
    func base64() {
        var random = SeededGenerator(seed: 7)
        for length in 0...200 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let written = json { buffer in bytes.withUnsafeBytes { buffer.append(blob: $0) } }
            #expect(written == #"{"$blob":""# + Data(bytes).base64EncodedString() + #""}"#)
        }
        let all = Array(UInt8.min...UInt8.max)
        #expect(json { $0.append(.blob(all)) }.contains(Data(all).base64EncodedString()))
    }

    @Test(
        "each kind of value has its own form in JSON",
        arguments: [
            (.null, "null"), (.integer(1), "1"), (.real(1), "1.0"), (.string("1"), #""1""#),
            (.blob([]), #"{"$blob":""}"#), (.string(""), #""""#), (.text([0]), #"{"$text":"AA=="}"#),
            (.string(#"{"$blob":""}"#), #""{\"$blob\":\"\"}""#),
        ] as [(Value, String)])
    func values(value: Value, expected: String) {
        #expect(json { $0.append(value) } == expected)
    }

    @Test("an emptied buffer has no former bytes, and raw bytes are appended unchanged")
    func emptying() {
        var buffer = JSONBuffer(capacity: 4)
        buffer.append("[1,2]")
        buffer.removeAll()
        #expect(buffer.count == 0)
        buffer.append(byte: 0x5B)
        buffer.append(raw: [0x31, 0x5D])
        [UInt8](" x".utf8).withUnsafeBytes { buffer.append(raw: $0) }
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == "[1] x")
    }
}
