extension String {
    /// The text with each occurrence of a part replaced, from left to right, compared by UTF-8 bytes.
    ///
    /// For Swift's `Character`, a quote followed by a combining mark is not a quote. For a shell, cron, SQL or a CI
    /// runner it is. An empty part never occurs.
    package func replacingBytes(of part: String, with other: String) -> String {
        let (bytes, wanted) = (Array(utf8), Array(part.utf8))
        guard !wanted.isEmpty else { return self }
        var replaced: [UInt8] = []
        replaced.reserveCapacity(bytes.count)
        var offset = 0
        while offset < bytes.count {
            if bytes[offset...].starts(with: wanted) {
                replaced.append(contentsOf: other.utf8)
                offset += wanted.count
            } else {
                replaced.append(bytes[offset])
                offset += 1
            }
        }
        // In UTF-8, the bytes of one scalar never occur inside another, so the result is valid.
        return String(decoding: replaced, as: UTF8.self)
    }
}
