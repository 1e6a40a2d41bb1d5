package import GodwitModel

extension GodwitError: ReadableReport {
    /// `godwit: error: message (what lies behind it)`, then `hint: …`: one line each, never wrapped, so that they can
    /// be searched for in logs.
    package func text(_ style: TextStyle) -> String {
        let label = Painted("error:", .bad).rendered(color: style.color)
        var text = "godwit: \(label) \(Painted(messageWithCause).text)\n"
        if let hint {
            text += "\(Painted("hint:", .pointer).rendered(color: style.color)) \(Painted(hint).text)\n"
        }
        return text
    }

    /// The message, and what the system or a library said in parentheses.
    var messageWithCause: String {
        underlying.map { "\(message) (\($0))" } ?? message
    }
}
