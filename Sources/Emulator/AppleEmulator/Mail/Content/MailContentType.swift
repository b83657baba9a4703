import Foundation

/// A value with parameters, such as `text/plain; charset=utf-8`.
struct MailContentType {
    /// The value in lower case.
    let value: String
    let parameters: [String: String]

    init(_ text: String) {
        var parts = Self.parts(of: text)
        value = parts.isEmpty ? "" : parts.removeFirst().lowercased()
        var parameters: [String: String] = [:]
        var pieces: [String: [Int: MailParameterPiece]] = [:]
        for part in parts {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let name = part[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
            let value = part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            if let piece = MailParameterPiece(name, value: Self.unquoted(value)) {
                pieces[piece.name, default: [:]][piece.number] = piece
            } else if name.hasSuffix("*"), let text = Self.extended(value) {
                parameters[String(name.dropLast())] = text
            } else if parameters[name] == nil {
                parameters[name] = Self.unquoted(value)
            }
        }
        for (name, pieces) in pieces where pieces[0] != nil {
            let joined = MailParameterPiece.joined(pieces)
            parameters[name] = joined.isExtended ? Self.extended(joined.text) : joined.text
        }
        self.parameters = parameters
    }

    /// The parts between the unquoted semicolons, without comments.
    ///
    /// A comment must follow white space, because file names often have brackets without quotes.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        var commentDepth = 0
        for character in text {
            if isEscaped {
                isEscaped = false
                if commentDepth > 0 { continue }
            } else if commentDepth > 0 {
                if character == "\\" { isEscaped = true }
                if character == "(" { commentDepth += 1 }
                if character == ")" { commentDepth -= 1 }
                continue
            } else if character == "(", !isQuoted, parts.last?.last?.isWhitespace != false {
                commentDepth = 1
                continue
            } else if character == "\\" {
                isEscaped = isQuoted
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ";", !isQuoted {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// RFC 2231, section 4: `charset'language'text`, with the text percent-encoded.
    /// https://www.rfc-editor.org/rfc/rfc2231#section-4
    private static func extended(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        // The digits are those of quoted-printable, after another character.
        let quoted = parts[2].replacing("=", with: "=3D").replacing("%", with: "=")
        let bytes = MailTransferEncoding.quotedPrintable(Data(quoted.utf8))
        return MailCharset.text(bytes, String(parts[0]))
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if !isEscaped, character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}

/// A piece of a parameter in several pieces: RFC 2231, section 3.
/// https://www.rfc-editor.org/rfc/rfc2231#section-3
struct MailParameterPiece {
    static let maximumCount = 100

    let name: String
    let number: Int
    private let isExtended: Bool
    private let value: String

    /// Parses a name such as `filename*0` or `filename*0*`; nil for another.
    init?(_ name: String, value: String) {
        let parts = name.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2 || (parts.count == 3 && parts[2].isEmpty),
            let number = Int(parts[1]), (0..<Self.maximumCount).contains(number)
        else { return nil }
        self.name = String(parts[0])
        self.number = number
        isExtended = parts.count == 3
        self.value = value
    }

    /// Joins the pieces up to the first missing one, percent-encoded if the first piece is.
    static func joined(_ pieces: [Int: MailParameterPiece]) -> (text: String, isExtended: Bool) {
        let isExtended = pieces[0]?.isExtended == true
        var text = ""
        for number in 0..<maximumCount {
            guard let piece = pieces[number] else { break }
            let isPlain = isExtended && !piece.isExtended
            text += isPlain ? piece.value.replacing("%", with: "%25") : piece.value
        }
        return (text, isExtended)
    }
}
