internal import GodwitModel

/// The words for the result of a container, by command.
struct FleetWords: Sendable {
    let command: FleetCommand
    let isDryRun: Bool

    /// The order in which sums are shown.
    static let order: [FleetVerdict] = [.passed, .completed, .unchanged, .partial, .failed, .unreadable]

    /// A verdict behind a number: `12 done`.
    func counted(_ verdict: FleetVerdict) -> String {
        switch (verdict, command) {
        case (.passed, _): "passed"
        case (.completed, .export): isDryRun ? "would be exported" : "exported"
        case (.completed, _): isDryRun ? "would be done" : "done"
        case (.unchanged, .export): "unchanged"
        case (.unchanged, _): isDryRun ? "have nothing to do" : "had nothing to do"
        case (.partial, _): isDryRun ? "would be partly done" : "partly done"
        case (.failed, _): "failed"
        case (.unreadable, _): "can't be verified"
        }
    }

    /// The result of a container, in a few words.
    func headline(of entry: FleetEntry) -> String {
        result(of: entry) + (entry.backup.map { ", backup \(isDryRun ? "would be " : "")in \($0.folder)" } ?? "")
    }

    private func result(of entry: FleetEntry) -> String {
        let checks = (entry.passed + entry.failed.count).counted("check")
        switch entry.verdict {
        case .passed: return "\(entry.passed.counted("check")) passed\(entry.expected)"
        case .unreadable: return "can't be verified"
        case .failed where !entry.failed.isEmpty:
            return "\(entry.failed.count.grouped) of \(checks) failed\(entry.expected)"
        case .failed where command == .verify: return "\(entry.passed.counted("check")) passed\(entry.expected)"
        case .failed: return "failed"
        case .completed where command == .export:
            return counted(.completed) + (entry.file.map { " to \($0)" } ?? "")
        case .unchanged where command == .export: return "unchanged" + (entry.file.map { " since \($0)" } ?? "")
        case .completed: return counted(.completed) + (entry.passed > 0 ? ", \(checks) passed" : "")
        case .unchanged: return isDryRun ? "has nothing to do" : "had nothing to do"
        case .partial:
            let stay = isDryRun ? "would stay behind" : "could not be moved"
            return "\(counted(.partial)): some values \(stay) (conflict, unsupported)"
        }
    }

    /// The sign of a container's result; an arrow if a dry run would change it.
    func symbol(of verdict: FleetVerdict) -> Symbol {
        switch verdict {
        case .passed: .good
        case .completed: isDryRun ? .pointer : .good
        case .unchanged: .item
        case .partial, .unreadable: .caution
        case .failed: .bad
        }
    }
}

extension FleetVerdict {
    /// Whether nothing has to be said of it: what is left is counted, and not listed.
    var isFine: Bool { self != .failed && self != .unreadable && self != .partial }
}

extension FleetEntry {
    /// Whether nothing has to be said of it.
    var isFine: Bool { verdict.isFine && warnings == nil }

    /// `, as expected`.
    fileprivate var expected: String {
        switch expectation?.verdict {
        case nil: ""
        case .met: ", as expected"
        case .differs: ", not as expected"
        case .written: ", expectation written"
        case .unchanged: ", expectation unchanged"
        }
    }
}
