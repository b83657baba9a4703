import Foundation

struct MailMailbox: Hashable {
    /// The display name as written, with quotes and encodings; empty if there is none.
    let phrase: String
    let address: MailAddress

    /// Parses a field with one mailbox; nil if there are several or it is invalid.
    init?(_ value: String) {
        guard let parts = Self.parts(of: value), let address = MailAddress(parts.address) else {
            return nil
        }
        self.phrase = parts.phrase
        self.address = address
    }

    static let maximumCount = 20

    /// Parses the mailboxes of a field, without invalid ones.
    static func all(in value: String) -> [MailMailbox] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in value {
            if !isEscaped, character == "\"" { isQuoted.toggle() }
            isEscaped = !isEscaped && character == "\\"
            if character == ",", !isQuoted {
                if parts.count == maximumCount { break }
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts.compactMap { MailMailbox($0) }
    }

    /// Splits at the brackets, ignoring quoted commas and brackets, and removes comments.
    private static func parts(of value: String) -> (phrase: String, address: String)? {
        var phrase = ""
        var address: String?
        var isQuoted = false
        var isEscaped = false
        var isInBrackets = false
        var commentDepth = 0
        for character in value {
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"", commentDepth == 0 {
                isQuoted.toggle()
            } else if !isQuoted {
                if character == "(" { commentDepth += 1 }
                if character == ")", commentDepth > 0 {
                    commentDepth -= 1
                    continue
                }
                if commentDepth > 0 { continue }
                if character == "," || character == ";" { return nil }
                if character == "<" {
                    guard address == nil else { return nil }
                    address = ""
                    isInBrackets = true
                    continue
                }
                if character == ">" {
                    guard isInBrackets else { return nil }
                    isInBrackets = false
                    continue
                }
            }
            if commentDepth > 0 { continue }
            if isInBrackets { address?.append(character) } else { phrase.append(character) }
        }
        guard !isQuoted, !isInBrackets, commentDepth == 0 else { return nil }
        let trimmed = phrase.trimmingCharacters(in: .whitespaces)
        return address.map { (trimmed, $0) } ?? ("", trimmed)
    }
}
