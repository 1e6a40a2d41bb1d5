extension String {
    /// The text with each occurrence of a part replaced, from left to right, told by UTF-8 bytes.
    ///
    /// To Swift's Characters a quote with a combining mark behind it is no quote, and neither is one behind a sign that
    /// runs into the next; to a shell, cron, SQL or a CI runner it is one. An empty part occurs nowhere.
    package func replacingBytes(of part: String, with other: String) -> String {
        let (bytes, wanted) = (Array(utf8), Array(part.utf8))
        guard !wanted.isEmpty else { return self }
        var replaced: [UInt8] = []
        replaced.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            if bytes[place...].starts(with: wanted) {
                replaced.append(contentsOf: other.utf8)
                place += wanted.count
            } else {
                replaced.append(bytes[place])
                place += 1
            }
        }
        // No sign's bytes are found within those of another, so whole signs were replaced by whole ones.
        return String(decoding: replaced, as: UTF8.self)
    }
}
