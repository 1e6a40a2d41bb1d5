import Foundation

/// Which generated cases a test tries.
///
/// A test names how many cases it has, and how few are enough during work on the code. Without GODWIT_GENERATED all are
/// tried; `GODWIT_GENERATED=few`, as `Scripts/test` sets it, tries the first few.
package enum GeneratedCases {
    package static let areFew = ProcessInfo.processInfo.environment["GODWIT_GENERATED"] == "few"

    package static func count(_ all: Int, few: Int) -> Int { areFew ? few : all }

    /// The arguments of a test that has one case for each argument.
    package static func of<Argument>(_ all: [Argument], few: [Argument]) -> [Argument] { areFew ? few : all }

    /// The numbers of a test's cases.
    package static func numbers(_ all: Range<Int>, few: Int) -> Range<Int> {
        all.lowerBound..<all.lowerBound + count(all.count, few: few)
    }

    /// The seeds that an environment variable sets, as `5000` (that many) or `5000..<6000` (exactly these).
    package static func seeds(_ variable: String, all: Int, few: Int) -> Range<Int> {
        guard let text = ProcessInfo.processInfo.environment[variable] else { return 0..<count(all, few: few) }
        let bounds = text.components(separatedBy: "..<").compactMap(Int.init)
        return bounds.count == 2 ? bounds[0]..<max(bounds[0], bounds[1]) : 0..<(bounds.first ?? 0)
    }
}
