package import GodwitModel
package import GodwitSQLite

/// The receipt of a reopened copy: records that it covers are not copied again, unless all are.
package struct ReopenedCopy: Sendable, Equatable {
    package let receipt: Receipt
    /// Whether everything is copied again.
    package let isAll: Bool

    package init(receipt: Receipt, isAll: Bool) {
        (self.receipt, self.isAll) = (receipt, isAll)
    }
}

extension SQLiteConnection {
    private static let some = "copyReopened"
    private static let all = "copyReopenedAll"

    /// The receipt of a reopened copy; nil if there is none, or if the copy was repeated.
    package func readReopenedCopy() throws(GodwitError) -> ReopenedCopy? {
        if let receipt = try readReceipt(of: .copy, named: Self.all) {
            return ReopenedCopy(receipt: receipt, isAll: true)
        }
        return try readReceipt(of: .copy, named: Self.some).map { ReopenedCopy(receipt: $0, isAll: false) }
    }

    /// Keeps the receipt of the copy as that of a reopened one, inside the caller's transaction.
    package func reopenCopy(all isAll: Bool) throws(GodwitError) {
        guard try has(.receipt) else { return }
        let name = isAll ? Self.all : Self.some
        // Of two receipts, the newer one counts.
        if try readReceipt(.copy) != nil { try forgetReopenedCopy() }
        try execute(
            "UPDATE godwit_receipt SET stage = ? WHERE stage IN ('copy', ?, ?)",
            [
                .string(name), .string(Self.some), .string(Self.all),
            ])
    }

    /// Removes the receipt of a reopened copy, in the transaction that writes the new one.
    package func forgetReopenedCopy() throws(GodwitError) {
        guard try has(.receipt) else { return }
        try execute("DELETE FROM godwit_receipt WHERE stage IN (?, ?)", [.string(Self.some), .string(Self.all)])
    }
}
