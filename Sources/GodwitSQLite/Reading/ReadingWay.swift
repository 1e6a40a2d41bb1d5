/// How a store that is not Godwit's to change is read.
package enum ReadingWay: Sendable, Equatable {
    /// With `mode=ro`, in its own folder: in rollback mode without a hot journal SQLite then writes nothing.
    case inPlace
    /// From a private clone, where SQLite may recover: opening a WAL store writes `-shm` and may checkpoint.
    case clone

    /// The decision; a journal of any size may be hot, and only SQLite can tell by opening it for writing.
    package static func decide(_ header: StoreHeader?, _ companions: StoreCompanions) -> ReadingWay {
        let hasJournal = (companions.journalSize ?? 0) > 0
        guard let header else { return .clone }
        return header.isWAL || hasJournal || companions.walSize != nil ? .clone : .inPlace
    }
}
