import GodwitModel
import Testing

struct CountingTests {
    @Test(
        "a count of 1,000 or more has separators",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_000_000, "1,000,000"),
            (.min, "-9,223,372,036,854,775,808"),
        ] as [(Int64, String)])
    func grouped(number: Int64, text: String) {
        #expect(number.grouped == text)
    }

    @Test(
        "a count agrees with its noun in number",
        arguments: [
            (0, "0 records"), (1, "1 record"), (2, "2 records"), (1000, "1,000 records"), (-1, "-1 records"),
            (1_234_567, "1,234,567 records"), (.min, "-9,223,372,036,854,775,808 records"),
        ] as [(Int64, String)])
    func counted(_ number: Int64, _ text: String) {
        #expect(number.counted("record") == text)
    }

    @Test("a noun with its own plural uses the plural from 2 on")
    func plural() {
        #expect(1.counted("entry", "entries") == "1 entry")
        #expect(2.counted("entry", "entries") == "2 entries")
    }
}
