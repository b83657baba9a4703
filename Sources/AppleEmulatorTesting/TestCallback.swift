import Foundation
import HTTPTypes

/// What a browser brings to the redirect address: by a form, in the query or in the fragment.
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

    /// Reads Apple's answer as a browser would.
    package init?(_ response: HTTPResponse, body: Data) {
        let fields: [Field]
        switch response.status {
        case .ok: fields = Self.hiddenFields(of: body)
        case .found, .seeOther: fields = Self.fields(of: response.headerFields[.location] ?? "")
        default: return nil
        }
        guard fields.contains(where: { $0.name == "code" || $0.name == "error" }) else {
            return nil
        }
        self.fields = fields
    }

    /// The parameters of an address: of its fragment when there is one, else of its query.
    private static func fields(of address: String) -> [Field] {
        guard var components = URLComponents(string: address) else { return [] }
        if let fragment = components.percentEncodedFragment {
            components.percentEncodedQuery = fragment
        }
        return (components.queryItems ?? []).map { Field(name: $0.name, value: $0.value ?? "") }
    }

    private static func hiddenFields(of page: Data) -> [Field] {
        let text = String(decoding: page, as: UTF8.self)
        var fields: [Field] = []
        for tag in text.split(separator: "<") where tag.hasPrefix("input") {
            guard let name = Self.attribute("name", of: tag) else { continue }
            fields.append(Field(name: name, value: Self.attribute("value", of: tag) ?? ""))
        }
        return fields
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
