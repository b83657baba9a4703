import Foundation

/// Encoded words in header fields.
enum MailHeaderText {
    static let maximumByteCount = 16 * 1024

    /// Decodes the encoded words of a value; other text stays as it is.
    ///
    /// RFC 2047, section 2: `=?charset?encoding?text?=`; white space between two of them is dropped.
    /// https://www.rfc-editor.org/rfc/rfc2047#section-2
    static func decoded(_ value: String) -> String {
        let isWhole = value.utf8.count <= maximumByteCount
        let read =
            isWhole ? value : String(decoding: value.utf8.prefix(maximumByteCount), as: UTF8.self)
        var result = ""
        var rest = read[...]
        var isAfterWord = false
        while let start = wordStart(in: rest) {
            let before = rest[..<start]
            guard let word = Word(rest[start...]) else {
                let next = rest.utf8.index(start, offsetBy: 2)
                result += rest[..<next]
                rest = rest[next...]
                isAfterWord = false
                continue
            }
            if !(isAfterWord && before.allSatisfy(\.isWhitespace)) { result += before }
            result += word.text
            rest = rest[word.end...]
            isAfterWord = true
        }
        return result + rest + (isWhole ? "" : "…")
    }

    private static func wordStart(in text: Substring) -> String.Index? {
        var rest = text.utf8
        while let start = rest.firstIndex(of: UInt8(ascii: "=")) {
            rest = rest[rest.index(after: start)...]
            if rest.first == UInt8(ascii: "?") { return start }
        }
        return nil
    }

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
                let digits = Data(parts[2].utf8)
                let isBase64 = digits.allSatisfy {
                    $0 == UInt8(ascii: "=") || MailTransferEncoding.isBase64($0)
                }
                guard isBase64 else { return nil }
                bytes = MailTransferEncoding.base64(digits)
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
