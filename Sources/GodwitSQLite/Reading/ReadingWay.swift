/// How to read a store that Godwit must not change.
package enum ReadingWay: Sendable, Equatable {
    /// In its own folder with `mode=ro`: in rollback mode without a hot journal, SQLite writes nothing then.
    case inPlace
    /// From a private clone that SQLite may recover: opening a WAL store writes `-shm` and may run a checkpoint.
    case clone

    /// Treats every journal that is not empty as hot: only SQLite can decide that, by opening the store for writing.
    package static func decide(_ header: StoreHeader?, _ companions: StoreCompanions) -> ReadingWay {
        let hasJournal = (companions.journalSize ?? 0) > 0
        guard let header else { return .clone }
        return header.isWAL || hasJournal || companions.walSize != nil ? .clone : .inPlace
    }
}
