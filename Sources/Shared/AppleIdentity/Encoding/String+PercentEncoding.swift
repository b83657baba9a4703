import Foundation

extension String {
    /// The text with all characters but the unreserved ones percent-encoded, for a query, a path segment or a form.
    ///
    /// Source: [RFC 3986, section 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3)
    package var percentEncoded: String {
        addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
