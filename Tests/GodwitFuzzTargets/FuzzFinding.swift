import GodwitModel

/// A property that an input violated without a crash.
package struct FuzzFinding: Error, Sendable {
    /// The property, in a few words.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// Throws a finding if a property does not hold.
func require(_ holds: Bool, _ reason: @autoclosure () -> String) throws(FuzzFinding) {
    guard holds else { throw FuzzFinding(reason()) }
}

/// Returns the body's result; throws a finding if the body rejects its input.
func accepting<T>(_ reason: String, _ body: () throws(GodwitError) -> T) throws(FuzzFinding) -> T {
    do throws(GodwitError) { return try body() } catch { throw FuzzFinding("\(reason): \(error.description)") }
}

extension FuzzFinding {
    /// Checks how an input was rejected: with one of these codes, in one short line without control characters.
    static func check(_ refusal: GodwitError, codes: [GodwitError.Code]) throws(FuzzFinding) {
        try require(codes.contains(refusal.code), "refused with \(refusal.code): \(refusal.description)")
        for line in [refusal.message, refusal.hint ?? "-"] {
            try require(!line.isEmpty, "an empty message or hint")
            try require(line.utf8.count <= 2000, "a message of \(line.utf8.count) bytes")
            let control = line.unicodeScalars.first { $0.value < 0x20 || $0.value == 0x7F }
            try require(control == nil, "a message with a control character: \(refusal.description)")
        }
        try require(refusal.hint != nil, "refused without a hint: \(refusal.message)")
    }
}
