package import GodwitModel
internal import GRDB

extension GodwitError {
    /// Another process wrote to the store between the comparison with the plan and the run's first write (65).
    package static func changedSincePlan(_ name: String, _ stage: GodwitError.Stage) -> GodwitError {
        GodwitError(
            stage, .data, "another process wrote to `\(name)` after it was compared with the plan",
            hint: "Close the app, plan again, check the new plan, and run it.")
    }

    /// Converts any error of a writing connection to Godwit's own.
    ///
    /// - Parameter cancellation: of the run, if the connection is the app's: an interruption that the run did not
    ///   request comes from the app.
    static func wrapping(
        _ error: any Error, name: String, stage: GodwitError.Stage, ofApp cancellation: Cancellation? = nil
    ) -> GodwitError {
        let wrapped = wrapping(error, name: name, stage: stage)
        guard let cancellation, !cancellation.isCancelled else { return wrapped }
        // GRDB reports SQLITE_ABORT for a database that it has suspended, and SQLITE_INTERRUPT for statements that ran
        // then.
        if wrapped.code == .interrupted || error.isAbort {
            return GodwitError(
                stage, .busy,
                "the app interrupted its connection to `\(name)`, or has suspended the database; this "
                    + "stage was rolled back",
                hint: "Run it again when the app lets its database work.",
                underlying: wrapped.underlying)
        }
        guard wrapped.code == .bug, !(error is GodwitError) else { return wrapped }
        return GodwitError(
            stage, .data, "an observer of the app refused the commit to `\(name)`; this stage was rolled back",
            hint: "Make the observer accept the commit.", underlying: wrapped.underlying)
    }

    private static func wrapping(_ error: any Error, name: String, stage: GodwitError.Stage) -> GodwitError {
        switch error {
        case let error as GodwitError: error
        case let error as DatabaseError:
            .sqlite(error.extendedResultCode.rawValue, error.message ?? "", name: name, stage: stage)
        case let failure as StoreWriter.Failure:
            .sqlite(
                failure.error.extendedResultCode.rawValue, failure.error.message ?? "", name: name, stage: stage,
                systemError: failure.systemError, isOpen: true)
        default: GodwitError(stage, .bug, "unexpected failure of `\(name)`", underlying: "\(error)")
        }
    }
}

extension Error {
    /// Whether GRDB aborted the statement.
    fileprivate var isAbort: Bool {
        switch self {
        case let error as DatabaseError: error.resultCode == .SQLITE_ABORT
        case let failure as StoreWriter.Failure: failure.error.resultCode == .SQLITE_ABORT
        default: false
        }
    }
}
