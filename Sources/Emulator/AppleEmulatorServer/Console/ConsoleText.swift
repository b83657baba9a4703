import AppleIdentity
import Foundation
import HTTPTypes

/// Turns values of the control port's JSON into text for people.
enum ConsoleText {
    /// A time of the JSON in a readable form, in UTC: `2026-01-31 12:00:00`.
    static func time(_ value: JSONValue?) -> String {
        guard let text = value?.stringValue else { return "" }
        return text.replacing("T", with: " ").replacing("Z", with: "")
    }

    /// The offset of the clock from the machine's clock.
    static func offset(_ seconds: Int) -> String {
        guard abs(seconds) > 1 else { return "none" }
        let size = abs(seconds)
        let parts = [
            (size / 86_400, "d"), (size % 86_400 / 3_600, "h"), (size % 3_600 / 60, "min"),
            (size % 60, "s"),
        ]
        let units = parts.filter { $0.0 > 0 }.prefix(3).map { "\($0.0) \($0.1)" }
        let length = units.joined(separator: " ")
        return length + (seconds > 0 ? " ahead" : " behind")
    }

    /// The state of a delivery or a reply in words.
    static func state(_ name: String) -> String { name.replacing("_", with: " ") }

    /// A refusal's message as a sentence.
    static func sentence(_ message: String) -> String {
        let text = message.prefix(1).uppercased() + message.dropFirst()
        return text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
    }

    static func title(of status: HTTPResponse.Status) -> String {
        switch status {
        case .notFound: "Not found"
        case .forbidden: "Refused"
        default: "That can’t be done"
        }
    }

    /// A single value without quotes.
    static func plain(_ value: JSONValue?) -> String { value?.plainText ?? "" }

    /// A value as a person types it: a list has one line for each element.
    static func input(_ value: JSONValue?) -> String {
        value?.arrayValue.map { $0.map(plain).joined(separator: "\n") } ?? plain(value)
    }

    /// An object as JSON, one member per line.
    static func lines(_ object: JSONObject) -> String {
        let lines = object.members.map { member in
            "  \(JSONValue.string(member.name).text): \(member.value.text)"
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}"
    }

    /// A text split into `words` and web addresses, each a `url`.
    static func parts(of text: String) -> [JSONObject] {
        var parts: [JSONObject] = []
        var end = text.startIndex
        for match in text.matches(of: #/https?:\/\/[^\s<>"]+/#.matchingSemantics(.unicodeScalar)) {
            var url = text[match.range]
            // Punctuation after a web address belongs to the sentence.
            while let last = url.last, ".,;:!?'*)]}".contains(last) { url.removeLast() }
            if end < url.startIndex {
                parts.append(["words": .string(String(text[end..<url.startIndex]))])
            }
            parts.append(["url": .string(String(url))])
            end = url.endIndex
        }
        if end < text.endIndex { parts.append(["words": .string(String(text[end...]))]) }
        return parts
    }

    static func pathPart(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plainCharacters) ?? ""
    }

    private static let plainCharacters = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@"
    )
}

extension JSONObject {
    func text(_ name: String) -> String { self[name]?.stringValue ?? "" }

    /// A copy with the times in these members in a readable form.
    func readable(_ names: String...) -> JSONObject {
        var object = self
        for name in names where object[name] != nil {
            object[name] = .string(ConsoleText.time(object[name]))
        }
        return object
    }
}

extension JSONValue {
    static func list(_ objects: some Sequence<JSONObject>) -> JSONValue {
        .array(objects.map { .object($0) })
    }
}
