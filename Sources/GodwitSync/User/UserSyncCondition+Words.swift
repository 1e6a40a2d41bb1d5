package import GodwitModel

extension StatusReport.UserSync {
    package init(_ inputs: UserSyncInputs, in language: MessageLanguage) {
        self = UserSyncCondition(inputs).status(in: language)
    }
}

extension UserSyncCondition {
    package func status(in language: MessageLanguage) -> StatusReport.UserSync {
        let words = words
        return StatusReport.UserSync(
            state: name, message: words.message.text(in: language), nextStep: words.next?.text(in: language),
            needsSignIn: words.needsSignIn, canRetry: words.canRetry)
    }

    /// The condition's name in reports.
    package var name: String {
        switch self {
        case .notConfigured, .turnedOff: "notConfigured"
        case .localOnly, .newLocalOnly, .restartToSync, .cloudUnusable: "localOnly"
        case .offline: "offline"
        case .syncing: "syncing"
        case .synced: "synced"
        case .error: "error"
        }
    }

    private var words: Words {
        switch self {
        case .notConfigured:
            Words(
                en: "No sync has been seen yet.", ja: "同期はまだ確認されていません。",
                next: LocalizedText(
                    en: "Open the app on this device with iCloud turned on.",
                    ja: "このデバイスで、iCloudをオンにしてアプリを開いてください。"))
        case .turnedOff:
            Words(
                en: "Sync is turned off in the app; the data is on this device only.",
                ja: "アプリの設定で同期がオフになっています。データはこのデバイスにのみ保存されています。",
                next: LocalizedText(
                    en: "To sync it, turn sync on in the app's settings.", ja: "同期するには、アプリの設定で同期をオンにしてください。"))
        case .restartToSync:
            Words(
                en: "The data is on this device only.", ja: "データはこのデバイスにのみ保存されています。",
                next: LocalizedText(en: "Restart the app to sync.", ja: "同期するには、アプリを再起動してください。"))
        case .cloudUnusable:
            Words(
                en: "The data is on this device only.", ja: "データはこのデバイスにのみ保存されています。",
                next: LocalizedText(
                    en: "Restart the app; if it stays so, tell its developer that the synced data can't be opened.",
                    ja: "アプリを再起動してください。解決しない場合は、同期用のデータを開けないことをアプリの開発元にお知らせください。"))
        case .localOnly(let account):
            Words(
                en: "The data is on this device only.", ja: "データはこのデバイスにのみ保存されています。",
                next: Self.wayToCloud(account), needsSignIn: account == .noAccount)
        case .newLocalOnly(let account):
            Words(
                en: "New data is on this device only.", ja: "新しいデータはこのデバイスにのみ保存されています。",
                next: Self.wayToCloud(account), needsSignIn: account == .noAccount)
        case .offline(let pending):
            Self.offline(pending)
        case .syncing(let done, let total):
            Self.syncing(done, total)
        case .synced(let lastSeen):
            Self.synced(lastSeen)
        case .error(let problem):
            Self.error(problem)
        }
    }

    private static func wayToCloud(_ account: Freshness.Account) -> LocalizedText {
        switch account {
        case .noAccount: CloudErrorStep.signIn.text
        case .restricted: CloudErrorStep.askAdministrator.text
        case .available, .unknown:
            LocalizedText(en: "Copy the data to the cloud store to sync it.", ja: "同期するには、データをクラウドストアにコピーしてください。")
        }
    }

    private static func offline(_ pending: Int64) -> Words {
        let next = CloudErrorStep.checkNetwork.text
        guard pending > 0 else {
            return Words(en: "This device is offline.", ja: "このデバイスはオフラインです。", next: next, canRetry: true)
        }
        return Words(
            en: "This device is offline; \(pending) \(pending == 1 ? "change waits" : "changes wait") to be synced.",
            ja: "このデバイスはオフラインです。\(pending)件の変更が同期を待っています。", next: next, canRetry: true)
    }

    private static func syncing(_ done: Int64, _ total: Int64) -> Words {
        let next = LocalizedText(
            en: "Keep the app open and the device online until it is done.",
            ja: "完了するまで、アプリを開いたまま、デバイスをオンラインにしておいてください。")
        guard total > 0 else { return Words(en: "Syncing.", ja: "同期中です。", next: next) }
        return Words(
            en: "Syncing: \(done) of \(total) \(total == 1 ? "record" : "records") done.",
            ja: "同期中です：\(total)件中\(done)件が完了しました。", next: next)
    }

    private static func synced(_ lastSeen: Instant?) -> Words {
        guard let lastSeen else {
            return Words(
                en: "Sync was last seen to work; other devices may hold newer changes.",
                ja: "直近の同期は成功しています。ほかのデバイスに新しい変更がある可能性があります。")
        }
        return Words(
            en: "Sync was last seen to work at \(lastSeen.iso8601); other devices may hold newer changes.",
            ja: "最後に同期の成功を確認したのは\(lastSeen.iso8601)です。ほかのデバイスに新しい変更がある可能性があります。")
    }

    private static func error(_ problem: UserSyncProblem) -> Words {
        switch problem {
        case .failed(let error):
            let advice = CloudErrorGuide.advice(on: error)
            return Words(
                en: advice.message.en, ja: advice.message.ja, next: advice.nextStep,
                needsSignIn: advice.needsSignIn, canRetry: advice.canRetry)
        case .account(.restricted):
            return Words(
                en: "This account may not use iCloud here.", ja: "このアカウントでは、iCloudの使用が制限されています。",
                next: CloudErrorStep.askAdministrator.text)
        case .account:
            return Words(
                en: "No one is signed in to iCloud on this device, so nothing is synced.",
                ja: "このデバイスはiCloudにサインインしていないため、同期されません。",
                next: CloudErrorStep.signIn.text, needsSignIn: true, canRetry: true)
        case .notSyncing:
            return Words(
                en: "Sync is set up, but nothing has been received yet.", ja: "同期は設定されていますが、まだ何も受信していません。",
                next: LocalizedText(
                    en: "If it stays so, open Settings and confirm the iCloud account there.",
                    ja: "この状態が続く場合は、「設定」でiCloudアカウントを確認してください。"),
                canRetry: true)
        }
    }
}

/// The texts of a condition, with the user's options.
private struct Words {
    let message: LocalizedText
    let next: LocalizedText?
    let needsSignIn: Bool
    let canRetry: Bool

    init(en: String, ja: String, next: LocalizedText? = nil, needsSignIn: Bool = false, canRetry: Bool = false) {
        message = LocalizedText(en: en, ja: ja)
        (self.next, self.needsSignIn, self.canRetry) = (next, needsSignIn, canRetry)
    }
}
