import AppleIdentity
import Foundation

/// RFC 7519, section 4: the names of claims must be unique.
///
/// Decoders keep one of two silently, and not all keep the same.
///
/// Source: [RFC 7519, section 4](https://www.rfc-editor.org/rfc/rfc7519#section-4)
enum UniqueClaims {
    static func check(_ payload: Data) throws(SignInError) {
        do {
            try JSONMemberCheck.check(payload)
        } catch .duplicate(let name) {
            throw SignInError(
                .tokenMalformed,
                hint: "its payload has \(Excerpt.quoting(name)) twice"
            )
        } catch {
            throw SignInError(.tokenMalformed, hint: "its payload nests too deeply")
        }
    }
}
