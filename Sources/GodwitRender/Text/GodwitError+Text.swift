package import GodwitModel

extension GodwitError: ReadableReport {
    /// `godwit: error: message: cause`, then `hint: …`: one line each, never wrapped, so that they can
    /// be searched for in logs.
    package func text(_ style: TextStyle) -> String {
        let label = Painted("error:", .bad).rendered(color: style.color)
        var text = "godwit: \(label) \(Painted(messageWithCause.shortened).text)\n"
        if let hint {
            text += "\(Painted("hint:", .pointer).rendered(color: style.color)) \(Painted(hint.shortened).text)\n"
        }
        return text
    }

    /// The message, and the cause from the system or a library after a colon.
    var messageWithCause: String {
        underlying.map { "\(message): \($0)" } ?? message
    }
}

extension String {
    /// The text, or its beginning and its end if it is too long to read, as paths and names may be.
    fileprivate var shortened: String {
        count <= 2000 ? self : "\(prefix(1500)) … \(suffix(300))"
    }
}
