/// Encodes UTF-8 text as lines of printable ASCII.
///
/// Source: [RFC 2045, section 6.7](https://www.rfc-editor.org/rfc/rfc2045#section-6.7)
enum QuotedPrintable {
    /// The maximum length of a line with its soft break, in bytes.
    private static let maximumLineByteCount = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes text and converts every kind of line break to CRLF.
    static func encode(_ text: String) -> [UInt8] {
        let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        return Array(lines.map(encode(line:)).joined(separator: "\r\n".utf8))
    }

    private static func encode(line: Substring) -> [UInt8] {
        var encoded: [UInt8] = []
        var length = 0
        let bytes = line.utf8
        for (index, byte) in zip(bytes.indices, bytes) {
            let isLast = bytes.index(after: index) == bytes.endIndex
            let token = token(byte, isLast: isLast)
            // A line that continues needs one more byte for the soft break.
            if length + token.count > maximumLineByteCount - (isLast ? 0 : 1) {
                encoded += "=\r\n".utf8
                length = 0
            }
            encoded += token
            length += token.count
        }
        return encoded
    }

    /// Encodes a byte, and a blank at the end of a line, which mail servers may remove.
    private static func token(_ byte: UInt8, isLast: Bool) -> [UInt8] {
        let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        let isPrintable = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
        if isPrintable || (isBlank && !isLast) { return [byte] }
        return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
