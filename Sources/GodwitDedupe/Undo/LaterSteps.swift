import GodwitModel
import GodwitStore

/// Whether a later run has gone on with what an earlier one did: then that one must be undone first.
///
/// Of records in a group only the key is sure to be known later on, so that is what is compared: two runs that chose
/// among records of one key stand on each other, even where they might be taken apart.
enum LaterSteps {
    /// A record, as far as the books of two runs can speak of the same one.
    private struct Mention: Hashable {
        let entity: String
        let key: Value
    }

    /// The newest of the later runs that have changed or removed a record which this run's steps speak of.
    static func blocking(_ steps: [BookedStep], later: [BookedStep]) -> String? {
        let mine = Set(steps.flatMap(mentions))
        return later.last { mentions(of: $0).contains(where: mine.contains) }?.run
    }

    private static func mentions(of step: BookedStep) -> [Mention] {
        let entity = step.entity.lowercased()
        let other: Value? =
            switch step.action {
            case .removed(_, let winnerKey): winnerKey
            case .changed(_, _, let to): step.reason == "rekeyed" ? to : nil
            }
        return [Mention(entity: entity, key: step.key)] + (other.map { [Mention(entity: entity, key: $0)] } ?? [])
    }
}
