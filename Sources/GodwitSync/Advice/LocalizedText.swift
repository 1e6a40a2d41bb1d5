/// The languages of messages to an app's user.
package enum MessageLanguage: String, Sendable, CaseIterable {
    case en
    case ja

    /// The language of a locale or language tag such as `ja`, `ja-JP` or `ja_JP.UTF-8`; English unless it is Japanese.
    package init(locale: String) {
        let language = locale.prefix { $0 != "-" && $0 != "_" && $0 != "." }
        self = language.lowercased() == "ja" ? .ja : .en
    }
}

/// One text in each language.
package struct LocalizedText: Sendable, Hashable {
    package let en: String
    package let ja: String

    package init(en: String, ja: String) {
        (self.en, self.ja) = (en, ja)
    }

    package func text(in language: MessageLanguage) -> String {
        switch language {
        case .en: en
        case .ja: ja
        }
    }
}
