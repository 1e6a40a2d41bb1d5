/// A pattern for one name: `*` any characters, `?` one, `[a-z]` one of these, `[!a-z]` none of these.
///
/// Characters are Unicode scalars, compared without locale, case or normalization, so that a pattern matches the same
/// names on every machine. `[*]` is the star itself. A `[` that is never closed is a `[`. A name with a dot at its
/// start matches only a pattern with a dot at its start.
package struct Glob: Sendable {
    private enum Step {
        case exactly(Unicode.Scalar)
        case any
        case anything
        case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .exactly(let own): own == scalar
            case .any: true
            case .anything: false
            case .oneOf(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
            }
        }

        var isAnything: Bool { if case .anything = self { true } else { false } }
    }

    private let steps: [Step]
    private let matchesHidden: Bool

    package static func isPattern(_ word: String) -> Bool {
        word.utf8.contains { $0 == 0x2A || $0 == 0x3F || $0 == 0x5B }
    }

    /// Reads a pattern; every text is one.
    package init(_ pattern: String) {
        var rest = pattern.unicodeScalars[...]
        var steps: [Step] = []
        matchesHidden = rest.first == "."
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": if steps.last?.isAnything != true { steps.append(.anything) }
            case "?": steps.append(.any)
            case "[": steps.append(Self.set(&rest) ?? .exactly("["))
            default: steps.append(.exactly(scalar))
            }
        }
        self.steps = steps
    }

    /// Reads the characters between brackets, after the first bracket; nil, without reading, if the second is missing.
    private static func set(_ rest: inout Substring.UnicodeScalarView) -> Step? {
        var inside = rest
        let isNegated = inside.first == "!" || inside.first == "^"
        if isNegated { inside.removeFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var isFirst = true
        while let scalar = inside.popFirst() {
            // As the first character, `]` is one of the characters.
            if scalar == "]", !isFirst {
                rest = inside
                return .oneOf(ranges, isNegated: isNegated)
            }
            isFirst = false
            let end = inside.dropFirst().first
            if inside.first == "-", let end, end != "]" {
                inside.removeFirst(2)
                // A range from high to low is empty.
                if scalar <= end { ranges.append(scalar...end) }
            } else {
                ranges.append(scalar...scalar)
            }
        }
        return nil
    }

    /// Whether the pattern matches the whole name; the time is limited by the product of the lengths.
    package func matches(_ name: String) -> Bool {
        let scalars = Array(name.unicodeScalars)
        guard matchesHidden || scalars.first != "." else { return false }
        var (index, step) = (0, 0)
        // The last star and the end of its match so far; only the last star ever needs another try.
        var star: (step: Int, reach: Int)?
        while index < scalars.count {
            if step < steps.count, steps[step].isAnything {
                star = (step, index)
                step += 1
            } else if step < steps.count, steps[step].matches(scalars[index]) {
                (index, step) = (index + 1, step + 1)
            } else if let last = star {
                star = (last.step, last.reach + 1)
                (index, step) = (last.reach + 1, last.step + 1)
            } else {
                return false
            }
        }
        return steps[step...].allSatisfy(\.isAnything)
    }
}
