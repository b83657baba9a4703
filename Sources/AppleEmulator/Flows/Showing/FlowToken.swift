import AppleIdentity
import Foundation
import SignedTokens

/// A signed token, decoded; its signature is not shown, so that nobody can use what is.
package struct FlowToken: Sendable {
    /// The parameter or member it came in.
    package let name: String
    /// The header as JSON on several lines, its members as they were written.
    package let header: String
    /// The claims, likewise.
    package let claims: String
    /// What stands in place of the signature.
    package let signatureText: String

    /// Reads a compact JWS; nil when the text is none.
    ///
    /// - Parameters:
    ///   - compact: three parts with dots between.
    ///   - name: the parameter or member it came in.
    ///   - isOfApple: whether Apple signs it without doubt, so that nothing is told of it.
    init?(_ compact: String, named name: String, isOfApple: Bool = false) {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard compact.utf8.count <= UnverifiedToken.maximumByteCount, parts.count == 3,
            let header = Self.text(of: parts[0]), let claims = Self.text(of: parts[1])
        else { return nil }
        self.name = name
        self.header = header
        self.claims = claims
        let byteCount = Base64URL.decode(String(parts[2]))?.count ?? 0
        signatureText =
            isOfApple ? "not shown" : byteCount == 0 ? "none" : "\(byteCount) bytes, not shown"
    }

    var object: JSONObject {
        [
            "name": .string(name),
            "header": Self.value(of: header),
            "claims": Self.value(of: claims),
            "signature": .string(signatureText),
        ]
    }

    private static func text(of part: Substring) -> String? {
        guard let data = Base64URL.decode(String(part)),
            (try? JSONValue(parsing: data))?.objectValue != nil
        else { return nil }
        return Redaction.redacted(IndentedJSON.text(String(decoding: data, as: UTF8.self)))
    }

    private static func value(of text: String) -> JSONValue {
        (try? JSONValue(parsing: Data(text.utf8))) ?? .string(text)
    }
}
