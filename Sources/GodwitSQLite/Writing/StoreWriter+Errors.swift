package import GodwitModel
internal import GRDB

extension GodwitError {
    /// That a store was written between the comparison with its plan and the run's own first write (65).
    package static func changedSincePlan(_ name: String, _ stage: Stage) -> GodwitError {
        GodwitError(
            stage, .data, "\(name) was written by another process since it was compared with the plan.",
            hint: "Close the app, plan again, look at what it says now, and run that.")
    }

    /// Any error from the writing side as Godwit's own.
    ///
    /// - Parameter cancellation: of the run, where the connection is the app's: what nobody asked Godwit for is the app's doing.
    static func wrapping(
        _ error: any Error, name: String, stage: Stage, ofApp cancellation: Cancellation? = nil
    ) -> GodwitError {
        let wrapped = wrapping(error, name: name, stage: stage)
        guard let cancellation, !cancellation.isCancelled else { return wrapped }
        // SQLITE_ABORT is what GRDB says of a database that it suspended, SQLITE_INTERRUPT what it was doing then.
        if wrapped.code == .interrupted || error.isAbort {
            return GodwitError(
                stage, .busy, "The app interrupted its connection to \(name), or has suspended the database.",
                hint: "This stage was rolled back; run it again once the app lets its database work.",
                underlying: wrapped.underlying)
        }
        guard wrapped.code == .bug, !(error is GodwitError) else { return wrapped }
        return GodwitError(
            stage, .data, "An observer of the app's refused what was to be committed to \(name).",
            hint: "This stage was rolled back; see to it that the observer takes it.", underlying: wrapped.underlying)
    }

    private static func wrapping(_ error: any Error, name: String, stage: Stage) -> GodwitError {
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

extension Error {
    /// Whether GRDB ended what was under way.
    fileprivate var isAbort: Bool {
        switch self {
        case let error as DatabaseError: error.resultCode == .SQLITE_ABORT
        case let failure as StoreWriter.Failure: failure.error.resultCode == .SQLITE_ABORT
        default: false
        }
    }
}
