import GodwitModel
import Testing

/// Numbers and their nouns.
struct CountingTests {
    @Test(
        "thousands are grouped",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_000_000, "1,000,000"),
            (.min, "-9,223,372,036,854,775,808"),
        ] as [(Int64, String)])
    func grouped(number: Int64, text: String) {
        #expect(number.grouped == text)
    }

    @Test(
        "numbers agree with their nouns",
        arguments: [
            (0, "0 records"), (1, "1 record"), (2, "2 records"), (1000, "1,000 records"), (-1, "-1 records"),
            (1_234_567, "1,234,567 records"), (.min, "-9,223,372,036,854,775,808 records"),
        ] as [(Int64, String)])
    func counted(_ number: Int64, _ text: String) {
        #expect(number.counted("record") == text)
    }

    @Test("a plural of its own is used from two on")
    func plural() {
        #expect(1.counted("entry", "entries") == "1 entry")
        #expect(2.counted("entry", "entries") == "2 entries")
    }
}
