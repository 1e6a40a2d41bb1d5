internal import GodwitModel
internal import GodwitSQLite

/// A store that is being verified: open, with its integrity check on another thread.
final class StoreProof {
    let role: StoreRole
    let snapshot: StoreSnapshot
    let check: IntegrityCheck

    /// - Parameter tables: those which the command reads whole.
    init(_ role: StoreRole, in stores: StoreOpener, promising tables: [String] = []) throws(GodwitError) {
        // A Core Data store is converted only if it is sound.
        let isConverted = role == .local && stores.scope.isCoreData
        let opened = try stores.snapshot(role, .verify, checkingIntegrity: isConverted)
        self.role = role
        check = IntegrityCheck(
            of: opened, context: stores.scope.context, isAsked: !isConverted, promising: tables)
        snapshot = opened
    }

    /// The file of a store of either layout, before its content is used.
    ///
    /// - Parameters:
    ///   - tables: those which the command reads whole.
    ///   - isHeldBack: whether its check waits for `begin()`.
    init(
        surveying role: StoreRole, in scope: RunScope, promising tables: [String], isHeldBack: Bool
    ) throws(GodwitError) {
        let opened = try scope.original(role, .container)
        self.role = role
        check = IntegrityCheck(
            of: opened, context: scope.context, promising: tables, isHeldBack: isHeldBack)
        snapshot = opened
    }

    // The snapshot must outlive its check.
    deinit { check.wait() }

    /// Throws (65) where the store is not sound.
    func requireIntegrity() throws(GodwitError) { try check.require() }

    /// What the check waits for, where it is this very file that is read; else it no longer does.
    func sums(ofStoreAt path: String) -> RecordSums? {
        if snapshot.path == path { return check.sums }
        check.sums?.withdraw()
        return nil
    }

    /// Has the check wait for nothing any more.
    func expectNothing() { check.sums?.withdraw() }

    /// Waits for the check: whether it found the store sound.
    func isSound() -> Bool { check.isSound() }
}
