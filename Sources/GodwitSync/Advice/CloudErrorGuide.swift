/// The meaning of each sync error, and what to do about it.
package enum CloudErrorGuide {
    /// The domain of CloudKit's own errors.
    package static let cloudKitDomain = "CKErrorDomain"

    /// The advice for an error; also for unknown errors.
    package static func advice(on error: SyncError) -> CloudErrorAdvice {
        switch (error.domain, error.code) {
        case (cloudKitDomain, _): cloudKit[error.code] ?? unknown
        case ("NSCocoaErrorDomain", 134_400): noAccountAtSetup
        case ("NSURLErrorDomain", -999): cancelledRequest
        case ("NSURLErrorDomain", _): unreachable
        default: unknown
        }
    }

    /// An unknown error: new systems add codes, so a retry stays possible.
    static let unknown = CloudErrorAdvice(
        "unknown", .unknown, .automatic, .waitThenTellDeveloper,
        en: "Sync stopped with an error this version does not know.",
        ja: "このバージョンでは未知のエラーにより、同期が停止しました。")

    /// Core Data could not set up its mirroring, because no account is ready.
    ///
    /// Source: the log of `NSPersistentCloudKitContainer`, "Unable to initialize without an iCloud account".
    static let noAccountAtSetup = CloudErrorAdvice(
        "mirroringWithoutAccount", .account, .afterNextStep, .signIn,
        en: "Sync could not be set up, because no iCloud account is ready.",
        ja: "利用できるiCloudアカウントがないため、同期を設定できませんでした。")

    /// Source: Apple, `NSURLErrorCancelled`.
    static let cancelledRequest = CloudErrorAdvice(
        "requestCancelled", .cancelled, .automatic, .wait,
        en: "A request to the cloud was cancelled.", ja: "クラウドへのリクエストがキャンセルされました。")

    /// Source: Apple, `URLError.Code`.
    static let unreachable = CloudErrorAdvice(
        "unreachable", .network, .automatic, .checkNetwork,
        en: "The cloud could not be reached.", ja: "クラウドに接続できませんでした。")
}
