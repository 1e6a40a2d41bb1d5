internal import GRDB
package import GodwitModel

extension GodwitError {
    /// That a store was written between the comparison with its plan and the run's own first write (65).
    package static func changedSincePlan(_ name: String, _ stage: Stage) -> GodwitError {
        GodwitError(
            stage, .data, "\(name) was written by another process since it was compared with the plan.",
            hint: "Close the app, plan again, look at what it says now, and run that.")
    }

    /// Any error from the writing side as Godwit's own.
    static func wrapping(_ error: any Error, name: String, stage: Stage) -> GodwitError {
        switch error {
        case let error as GodwitError: error
        case let error as DatabaseError:
            .sqlite(error.extendedResultCode.rawValue, error.message ?? "", name: name, stage: stage)
        case let failure as StoreWriter.Failure:
            .sqlite(
                failure.error.extendedResultCode.rawValue, failure.error.message ?? "", name: name, stage: stage,
                systemError: failure.systemError, isOpen: true)
        default: GodwitError(stage, .bug, "Something unexpected happened to \(name).", underlying: "\(error)")
        }
    }
}
