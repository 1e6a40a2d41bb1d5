package import GodwitModel

extension JSONReport {
    /// The error as one line of JSON:
    /// `{"messageType":"error","code":75,"stage":"copy","message":…,"hint":…,"place":{…},"report":{…}}` and a
    /// newline.
    ///
    /// Keys come in this order; `hint`, `place` and `report` are left out if there is none. The cause from the system
    /// or a library is part of `message`, after a colon, as in the text. Never fails: a part that cannot be encoded is
    /// left out.
    package static func encode(error: GodwitError) -> [UInt8] {
        var fields = [
            #""messageType":"error""#,
            #""code":\#(error.code.rawValue)"#,
            #""stage":"\#(error.stage.rawValue)""#,
            #""message":\#(fragment(error.messageWithCause) ?? #""""#)"#,
        ]
        if let hint = error.hint.flatMap(fragment) { fields.append(#""hint":\#(hint)"#) }
        if let place = error.position.flatMap(fragment) { fields.append(#""place":\#(place)"#) }
        if let report = error.report.flatMap(fragment) { fields.append(#""report":\#(report)"#) }
        return Array("{\(fields.joined(separator: ","))}\n".utf8)
    }

    private static func fragment(_ value: some Encodable) -> String? {
        (try? encode(value, indented: false)).map { String(decoding: $0, as: UTF8.self) }
    }
}
