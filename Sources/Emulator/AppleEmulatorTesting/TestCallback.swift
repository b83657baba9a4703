import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes

/// Apple's authorization response at the redirect URI, from a form, the query or the fragment.
public struct TestCallback: Hashable, Sendable {
    /// A field of the response.
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

    /// The fields in the order in which Apple sends them.
    public let fields: [Field]
    /// The redirect URI; without `form_post`, it includes the fields.
    public let url: URL?
    /// Whether the browser posts the fields, as with `form_post`.
    public let isPosted: Bool

    /// The value of the first field with a name; nil if there is none.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The fields as an `application/x-www-form-urlencoded` body.
    public var formBody: Data {
        Data(FormCoding.encode(fields.map { ($0.name, $0.value) }).utf8)
    }

    /// Reads Apple's response as a browser does; nil if it does not lead to a redirect URI.
    init?(_ answer: EmulatorAnswer) {
        guard case .formPost(let page) = answer.page else {
            let address = answer.response.headerFields[.location] ?? ""
            self.init(fields: Self.fields(of: address), url: URL(string: address), isPosted: false)
            return
        }
        let fields = page.fields.map { Field(name: $0.name, value: $0.value) }
        self.init(fields: fields, url: URL(string: page.redirectURI))
    }

    /// Creates a callback from fields; nil if they have neither `code` nor `error`.
    package init?(fields: [Field], url: URL? = nil, isPosted: Bool = true) {
        guard fields.contains(where: { $0.name == "code" || $0.name == "error" }) else {
            return nil
        }
        (self.fields, self.url, self.isPosted) = (fields, url, isPosted)
    }

    /// The parameters of a URL's fragment, or of its query if it has no fragment.
    private static func fields(of address: String) -> [Field] {
        guard var components = URLComponents(string: address) else { return [] }
        if let fragment = components.percentEncodedFragment {
            components.percentEncodedQuery = fragment
        }
        return (components.queryItems ?? []).map { Field(name: $0.name, value: $0.value ?? "") }
    }
}
