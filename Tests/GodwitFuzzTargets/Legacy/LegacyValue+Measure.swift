import GodwitModel

extension LegacyValue {
    /// The size of a value when each shared part is counted as often as it occurs.
    struct Measure {
        var nodes = 0
        var depth = 0
        /// Whether counting stopped at the limit.
        var isCut = false
    }

    /// Counts values and keys up to a limit, without recursion.
    func measure(upTo bound: Int) -> Measure {
        var measure = Measure()
        var open = [(value: self, depth: 0)]
        while let (value, depth) = open.popLast() {
            measure.nodes += 1
            guard measure.nodes <= bound else {
                measure.isCut = true
                return measure
            }
            switch value {
            case .array(let items):
                measure.depth = max(measure.depth, depth + 1)
                open += items.map { ($0, depth + 1) }
            case .dictionary(let pairs):
                measure.depth = max(measure.depth, depth + 1)
                measure.nodes += pairs.count
                open += pairs.map { ($0.value, depth + 1) }
            default: break
            }
        }
        return measure
    }

    /// Whether all values inside and all keys pass a test.
    func allSatisfy(keys isGoodKey: (String) -> Bool, values isGood: (LegacyValue) -> Bool) -> Bool {
        var open = [self]
        while let value = open.popLast() {
            guard isGood(value) else { return false }
            switch value {
            case .array(let items): open += items
            case .dictionary(let pairs):
                guard pairs.allSatisfy({ isGoodKey($0.key) }) else { return false }
                open += pairs.map(\.value)
            default: break
            }
        }
        return true
    }
}
