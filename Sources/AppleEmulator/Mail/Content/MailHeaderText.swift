import Foundation

/// Words of other languages in header fields.
enum MailHeaderText {
    /// Reads a value with encoded words; what is not one stays as it is.
    ///
    /// RFC 2047, section 2: `=?charset?encoding?text?=`; white space between two of them is dropped.
    /// https://www.rfc-editor.org/rfc/rfc2047#section-2
    static func decoded(_ value: String) -> String {
        var result = ""
        var rest = value[...]
        var isAfterWord = false
        while let start = rest.range(of: "=?") {
            let before = rest[..<start.lowerBound]
            guard let word = Word(rest[start.lowerBound...]) else {
                result += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                isAfterWord = false
                continue
            }
            if !(isAfterWord && before.allSatisfy(\.isWhitespace)) { result += before }
            result += word.text
            rest = rest[word.end...]
            isAfterWord = true
        }
        return result + rest
    }

    /// Writes a value so that every server can carry it.
    static func encoded(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && !value.contains("=?")
        if isPlain { return value }
        // RFC 2047, section 2: an encoded word has at most 75 characters; 45 bytes make 60.
        var words: [String] = []
        var chunk = ""
        for character in value {
            if chunk.utf8.count + String(character).utf8.count > 45 {
                words.append(chunk)
                chunk = ""
            }
            chunk.append(character)
        }
        words.append(chunk)
        return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }
            .joined(separator: "\r\n ")
    }

    private struct Word {
        let text: String
        let end: String.Index

        init?(_ text: Substring) {
            let parts = text.dropFirst(2).split(
                separator: "?",
                maxSplits: 3,
                omittingEmptySubsequences: false
            )
            guard parts.count == 4, parts[3].hasPrefix("=") else { return nil }
            let bytes: Data
            switch parts[1].lowercased() {
            case "b":
                guard let data = Data(base64Encoded: String(parts[2])) else { return nil }
                bytes = data
            case "q":
                bytes = MailTransferEncoding.quotedPrintable(
                    Data(parts[2].replacing("_", with: " ").utf8)
                )
            default: return nil
            }
            // RFC 2231, section 5: a language may follow the charset.
            let charset = parts[0].prefix { $0 != "*" }
            self.text = MailCharset.text(bytes, String(charset))
            end = text.index(after: parts[3].startIndex)
        }
    }
}
