internal import GodwitModel
internal import GodwitStore

/// References of which the store does not tell where they lead: without the app's model in it, only some columns do.
extension CoreDataDraft {
    static let untoldCode = "referenceNotResolved"

    static func untold(_ relation: CoreDataRelation, of entity: String, _ column: String) -> Warning {
        Warning(
            untoldCode,
            "\(entity).\(column) takes over numbers of rows: the store does not tell to which entity they lead.",
            hint:
                "Each record has its own number beside its key, so that nothing is lost; but in another store they mean "
                + "nothing. Where you know it, write `{ from: \(relation.name).KEY, entity: NAME }`, and give its column "
                + "the type of that key.")
    }

    static func isUntold(_ relation: CoreDataRelation, in model: CoreDataModel) -> Bool {
        relation.target.flatMap { model.entity(named: $0) }?.table == nil
    }
}
