import Foundation

extension String {
    /// The text with all characters but the unreserved ones percent-encoded, for a query, a path segment or a form.
    ///
    /// Source: [RFC 3986, section 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3)
    package var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    /// Creates the text of a form or a query.
    package init(formEncoding fields: [(name: String, value: String)]) {
        self = fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
            .joined(separator: "&")
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}

extension Substring {
    /// A name or value of a form or a query, in which `+` is a space; nil if it is not percent-encoded UTF-8.
    package var formDecoded: String? { replacing("+", with: "%20").removingPercentEncoding }
}
