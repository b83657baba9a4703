/// UTF-8 text in lines of printable ASCII.
///
/// Source: [RFC 2045, section 6.7](https://www.rfc-editor.org/rfc/rfc2045#section-6.7)
enum QuotedPrintable {
    /// How long a line may be, in bytes, its soft break included.
    private static let maximumLineByteCount = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Encodes a text; every kind of line break in it becomes CRLF.
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
            // One more byte for the soft break, where the line goes on.
            if length + token.count > maximumLineByteCount - (isLast ? 0 : 1) {
                encoded += "=\r\n".utf8
                length = 0
            }
            encoded += token
            length += token.count
        }
        return encoded
    }

    /// A byte as it stands; blanks at the end of a line would be lost on the way.
    private static func token(_ byte: UInt8, isLast: Bool) -> [UInt8] {
        let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        let isPrintable = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
        if isPrintable || (isBlank && !isLast) { return [byte] }
        return [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
