import AppleIdentity
import Foundation
import SignedTokens

/// A signed token, decoded; its signature is left out, so that nobody can use what is shown.
package struct FlowToken: Sendable {
    /// The parameter or member it came in.
    package let name: String
    /// The header as JSON, its members as they were written.
    package let header: String
    /// The claims, likewise.
    package let claims: String
    /// How long its signature is, in bytes; nil when Apple signs it without doubt.
    package let signatureByteCount: Int?

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
        signatureByteCount = isOfApple ? nil : Base64URL.decode(String(parts[2]))?.count ?? 0
    }

    /// The token that a member is; none when it is no token.
    static func all(in object: JSONObject, named name: String, isOfApple: Bool = false) -> [Self] {
        let token = object[name]?.stringValue.flatMap {
            FlowToken($0, named: name, isOfApple: isOfApple)
        }
        return [token].compactMap(\.self)
    }

    private static func text(of part: Substring) -> String? {
        guard let data = Base64URL.decode(String(part)), (try? JSONObject(parsing: data)) != nil
        else { return nil }
        return Redaction.redacted(String(decoding: data, as: UTF8.self))
    }
}
