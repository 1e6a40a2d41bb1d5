/// The codes 1 to 37 of `CKErrorDomain`, in order.
///
/// Source: Apple, `CKError.Code`, <https://developer.apple.com/documentation/cloudkit/ckerror/code>. An error that
/// Apple calls nonrecoverable is never retried. If Apple asks to send, split, merge or fetch again, the system retries.
extension CloudErrorGuide {
    static let cloudKit: [Int: CloudErrorAdvice] = Dictionary(
        uniqueKeysWithValues: zip(1..., upTo19 + from20))

    private static let upTo19: [CloudErrorAdvice] = [
        .init(
            "internalError", .internal, .never, .tellDeveloper,
            en: "iCloud met an error of its own that it can't recover from.", ja: "iCloudで回復できない内部エラーが発生しました。"),
        .init(
            "partialFailure", .batch, .automatic, .waitThenTellDeveloper,
            en: "Some of the changes could not be synced.", ja: "一部の変更を同期できませんでした。"),
        .init(
            "networkUnavailable", .network, .automatic, .checkNetwork,
            en: "The network is not available.", ja: "ネットワークに接続されていません。"),
        .init(
            "networkFailure", .network, .automatic, .checkNetwork,
            en: "There is a network, but iCloud can't be reached.", ja: "ネットワークには接続されていますが、iCloudに接続できません。"),
        .init(
            "badContainer", .configuration, .never, .tellDeveloper,
            en: "The app uses an iCloud container that is unknown or not its own.",
            ja: "アプリが使用するiCloudコンテナが不明か、使用を許可されていません。"),
        .init(
            "serviceUnavailable", .service, .automatic, .wait,
            en: "iCloud is not available at the moment.", ja: "現在iCloudを利用できません。"),
        .init(
            "requestRateLimited", .service, .automatic, .wait,
            en: "iCloud asks for fewer requests at the moment.", ja: "リクエストが多いため、iCloudが一時的に制限しています。"),
        .init(
            "missingEntitlement", .configuration, .never, .tellDeveloper,
            en: "The app lacks an entitlement that sync needs.", ja: "同期に必要な権限がアプリに設定されていません。"),
        .init(
            "notAuthenticated", .account, .afterNextStep, .signIn,
            en: "No one is signed in to iCloud on this device.", ja: "このデバイスはiCloudにサインインしていません。"),
        .init(
            "permissionFailure", .permission, .never, .askOwner,
            en: "This account may not read or save the data.", ja: "このアカウントには、データを読み書きする権限がありません。"),
        .init(
            "unknownItem", .missing, .never, .tellDeveloper,
            en: "A record that sync asked for does not exist in iCloud.", ja: "同期で要求したレコードがiCloudに存在しません。"),
        .init(
            "invalidArguments", .configuration, .never, .tellDeveloper,
            en: "The app sent iCloud a request that is not valid.", ja: "アプリがiCloudに無効なリクエストを送信しました。"),
        .init(
            "resultsTruncated", .batch, .automatic, .wait,
            en: "iCloud sent only a part of what was asked for.", ja: "iCloudから結果の一部だけが返されました。"),
        .init(
            "serverRecordChanged", .conflict, .automatic, .wait,
            en: "Another device changed the same record first.", ja: "別のデバイスが同じレコードを先に変更しました。"),
        .init(
            "serverRejectedRequest", .service, .never, .tellDeveloper,
            en: "iCloud refused the request.", ja: "iCloudがリクエストを拒否しました。"),
        .init(
            "assetFileNotFound", .asset, .never, .tellDeveloper,
            en: "A file that belongs to a record was not found on this device.",
            ja: "レコードに添付されたファイルがこのデバイスに見つかりません。"),
        .init(
            "assetFileModified", .asset, .automatic, .wait,
            en: "A file that belongs to a record changed while it was being sent.",
            ja: "レコードに添付されたファイルが送信中に変更されました。"),
        .init(
            "incompatibleVersion", .appVersion, .afterNextStep, .updateApp,
            en: "This version of the app is too old for the data in iCloud.",
            ja: "このバージョンのアプリは古いため、iCloudのデータを扱えません。"),
        .init(
            "constraintViolation", .conflict, .never, .tellDeveloper,
            en: "iCloud holds a record with the same unique value already.", ja: "同じ一意の値を持つレコードがすでにiCloudにあります。"),
    ]

    private static let from20: [CloudErrorAdvice] = [
        .init(
            "operationCancelled", .cancelled, .automatic, .wait,
            en: "Sync was stopped before its end.", ja: "同期が途中で中止されました。"),
        .init(
            "changeTokenExpired", .service, .automatic, .wait,
            en: "This device has been away for long and has to fetch all changes again.",
            ja: "前回の同期から時間が経っているため、すべての変更を取得し直す必要があります。"),
        .init(
            "batchRequestFailed", .batch, .automatic, .waitThenTellDeveloper,
            en: "One change was refused, and those sent with it had to wait.",
            ja: "1件の変更が拒否されたため、同時に送信した変更も保留されました。"),
        .init(
            "zoneBusy", .service, .automatic, .wait,
            en: "iCloud is too busy to take the changes.", ja: "iCloudが混み合っているため、変更を送信できません。"),
        .init(
            "badDatabase", .configuration, .never, .tellDeveloper,
            en: "The app sent a request to the wrong iCloud database.", ja: "アプリが誤ったiCloudデータベースにリクエストを送信しました。"),
        .init(
            "quotaExceeded", .quota, .afterNextStep, .freeCloudSpace,
            en: "There is no space left in iCloud.", ja: "iCloudの空き容量が不足しています。"),
        .init(
            "zoneNotFound", .missing, .automatic, .waitThenTellDeveloper,
            en: "The app's zone does not exist in iCloud.", ja: "アプリのデータ領域（ゾーン）がiCloudに存在しません。"),
        .init(
            "limitExceeded", .batch, .automatic, .wait,
            en: "Too much was sent to iCloud at once.", ja: "一度に送信する変更が多すぎます。"),
        .init(
            "userDeletedZone", .missing, .afterNextStep, .exportThenSyncAgain,
            en: "The app's data was deleted from iCloud in Settings.", ja: "「設定」で、アプリのデータがiCloudから削除されました。"),
        .init(
            "tooManyParticipants", .sharing, .afterNextStep, .removeParticipants,
            en: "The share has too many participants.", ja: "共有の参加者が多すぎます。"),
        .init(
            "alreadyShared", .sharing, .never, .openExistingShare,
            en: "The record is part of another share already.", ja: "このレコードはすでに別の共有に含まれています。"),
        .init(
            "referenceViolation", .conflict, .automatic, .waitThenTellDeveloper,
            en: "A record refers to one that iCloud does not have.", ja: "レコードの参照先がiCloudに存在しません。"),
        .init(
            "managedAccountRestricted", .account, .never, .askAdministrator,
            en: "This managed account may not use iCloud here.", ja: "この管理対象アカウントでは、iCloudの使用が制限されています。"),
        .init(
            "participantMayNeedVerification", .sharing, .afterNextStep, .verifyInvitation,
            en: "This account is not a confirmed participant of the share.",
            ja: "このアカウントは、共有の参加者として確認されていません。"),
        .init(
            "serverResponseLost", .network, .automatic, .wait,
            en: "The connection broke before iCloud's answer arrived.", ja: "iCloudの応答を受け取る前に接続が切れました。"),
        .init(
            "assetNotAvailable", .asset, .afterNextStep, .unlockDevice,
            en: "A file that belongs to a record can't be opened at the moment.",
            ja: "レコードに添付されたファイルを現在開けません。"),
        .init(
            "accountTemporarilyUnavailable", .account, .afterNextStep, .signIn,
            en: "The iCloud account is not ready; it may have to be confirmed.",
            ja: "iCloudアカウントの準備ができていません。確認が必要な場合があります。"),
        .init(
            "participantAlreadyInvited", .sharing, .afterNextStep, .acceptInvitation,
            en: "An invitation to the share is waiting to be accepted.", ja: "共有への招待がまだ承諾されていません。"),
    ]
}
