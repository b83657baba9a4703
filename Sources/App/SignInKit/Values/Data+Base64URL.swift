import Foundation

/// Base64url without padding.
///
/// Source: [RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)
extension Data {
    /// The text of the data.
    var base64URL: String {
        base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Decodes a text; nil if it is not base64url.
    init?(base64URL text: some StringProtocol) {
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
        self.init(base64Encoded: plain + padding)
    }
}
