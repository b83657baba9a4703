import AppleEmulator
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

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in Apple's order.
    public let fields: [Field]

    /// The value of a field.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The form as `application/x-www-form-urlencoded`.
    public var formBody: Data {
        let pairs = fields.map { Self.encode($0.name) + "=" + Self.encode($0.value) }
        return Data(pairs.joined(separator: "&").utf8)
    }

    /// Reads Apple's answer as a browser would; nil when it sends nobody to a redirect address.
    init?(_ answer: EmulatorAnswer) {
        let fields: [Field]
        if case .formPost(let page) = answer.page {
            fields = page.fields.map { Field(name: $0.name, value: $0.value) }
        } else {
            fields = Self.fields(of: answer.response.headerFields[.location] ?? "")
        }
        self.init(fields: fields)
    }

    /// What a form carries; nil when it is no answer of Apple's.
    package init?(fields: [Field]) {
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

    private static func encode(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
