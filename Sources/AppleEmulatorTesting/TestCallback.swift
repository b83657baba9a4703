import Foundation

/// The form that a browser posts to the redirect address.
public struct TestCallback: Hashable, Sendable {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// The field's name.
        public let name: String
        /// The field's value.
        public let value: String
    }

    /// The fields, in Apple's order.
    public let fields: [Field]

    /// The value of a field.
    public subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// The form as `application/x-www-form-urlencoded`.
    public var formBody: Data {
        let pairs = fields.map { Self.encode($0.name) + "=" + Self.encode($0.value) }
        return Data(pairs.joined(separator: "&").utf8)
    }

    /// Reads the hidden fields of Apple's page, as a browser would.
    init?(page: Data) {
        let text = String(decoding: page, as: UTF8.self)
        var fields: [Field] = []
        for tag in text.split(separator: "<") where tag.hasPrefix("input") {
            guard let name = Self.attribute("name", of: tag) else { continue }
            fields.append(Field(name: name, value: Self.attribute("value", of: tag) ?? ""))
        }
        guard fields.contains(where: { $0.name == "code" || $0.name == "error" }) else {
            return nil
        }
        self.fields = fields
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let start = tag.range(of: " \(name)=\""),
            let end = tag[start.upperBound...].firstIndex(of: "\"")
        else { return nil }
        return [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            .reduce(String(tag[start.upperBound..<end])) { text, pair in
                text.replacing(pair.0, with: pair.1)
            }
    }

    private static func encode(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
