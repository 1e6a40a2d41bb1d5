/// What the user can do about a sync error.
package enum CloudErrorStep: Sendable, Hashable, CaseIterable {
    case wait, checkNetwork, signIn, askAdministrator, freeCloudSpace, updateApp, unlockDevice
    case exportThenSyncAgain, acceptInvitation, verifyInvitation, removeParticipants, openExistingShare, askOwner
    case tellDeveloper, waitThenTellDeveloper

    package var text: LocalizedText {
        switch self {
        case .wait:
            LocalizedText(en: "Wait a little; sync tries again by itself.", ja: "しばらくお待ちください。同期は自動的に再試行されます。")
        case .checkNetwork:
            LocalizedText(
                en: "Check the network connection; sync goes on when it is back.",
                ja: "ネットワーク接続を確認してください。接続が戻ると同期が再開します。")
        case .signIn:
            LocalizedText(
                en: "Open Settings and sign in to iCloud, or confirm the account there.",
                ja: "「設定」を開いてiCloudにサインインするか、アカウントを確認してください。")
        case .askAdministrator:
            LocalizedText(
                en: "Ask the person who manages this device or account to allow iCloud.",
                ja: "このデバイスまたはアカウントの管理者に、iCloudの使用許可を依頼してください。")
        case .freeCloudSpace:
            LocalizedText(
                en: "Free space in iCloud or get more of it, then try again.",
                ja: "iCloudの空き容量を増やすか、ストレージを追加してから、もう一度お試しください。")
        case .updateApp:
            LocalizedText(en: "Update the app, then try again.", ja: "アプリをアップデートしてから、もう一度お試しください。")
        case .unlockDevice:
            LocalizedText(en: "Unlock the device, then try again.", ja: "デバイスのロックを解除してから、もう一度お試しください。")
        case .exportThenSyncAgain:
            LocalizedText(
                en: "Export the data on this device first, then turn sync on again.",
                ja: "まずこのデバイスのデータを書き出してから、同期をもう一度オンにしてください。")
        default:
            sharingOrDeveloperText
        }
    }

    private var sharingOrDeveloperText: LocalizedText {
        switch self {
        case .acceptInvitation:
            LocalizedText(en: "Accept the invitation, then try again.", ja: "招待を承諾してから、もう一度お試しください。")
        case .verifyInvitation:
            LocalizedText(
                en: "Open the share's link and confirm the invited address or phone number.",
                ja: "共有リンクを開き、招待されたメールアドレスまたは電話番号を確認してください。")
        case .removeParticipants:
            LocalizedText(
                en: "Remove some participants from the share, then try again.",
                ja: "共有の参加者を減らしてから、もう一度お試しください。")
        case .openExistingShare:
            LocalizedText(en: "Use the share that exists already.", ja: "すでにある共有を使用してください。")
        case .askOwner:
            LocalizedText(en: "Ask the owner of the data for access.", ja: "データの所有者にアクセス権を依頼してください。")
        case .tellDeveloper:
            LocalizedText(
                en: "Report it to the app's developer with the error's domain and code.",
                ja: "エラーのドメインとコードを添えて、アプリの開発元にお知らせください。")
        default:
            LocalizedText(
                en: "Try again later; if it stays, report it to the app's developer with the error's domain and code.",
                ja: "しばらくしてからもう一度お試しください。解決しない場合は、エラーのドメインとコードを添えてアプリの開発元にお知らせください。")
        }
    }
}
