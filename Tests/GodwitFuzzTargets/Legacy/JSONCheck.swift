import GodwitLegacy
import GodwitModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reader of JSON: what it accepts is JSON to Foundation too, and written anew reads back as the same.
enum JSONCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let value: LegacyValue
        do throws(GodwitError) {
            value = try JSONReader.read(bytes)
        } catch {
            return try FuzzFinding.check(error, codes: [.data])
        }
        let size = value.measure(upTo: bytes.count)
        try require(!size.isCut, "more values than bytes")
        try require(size.depth <= LegacyLimits.standard.depth, "deeper than the limit")
        guard let text = LegacyWriter.json(value) else { throw FuzzFinding("a value that JSON can't hold") }
        let again = try accepting("refused when written anew") { () throws(GodwitError) in try JSONReader.read(text) }
        try require(again == value, "written anew it reads back as something else")
        // Foundation counts levels in its own way near the limit both have.
        if size.depth < 500 {
            let isJSON = (try? JSONDecoder().decode(Anything.self, from: Data(bytes))) != nil
            try require(isJSON, "Foundation takes it for no JSON")
        }
    }

    /// Takes whatever there is; the decoder has scanned the whole text by then.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
