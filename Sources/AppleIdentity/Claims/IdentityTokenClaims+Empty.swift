import Foundation

extension IdentityTokenClaims {
    /// Claims of which none is filled in: for a reader that does without a decoder.
    ///
    /// What every token must have holds a value that no check lets pass.
    package init() {
        issuer = ""
        audience = Audience([])
        expirationTime = .distantPast
        issuedAt = .distantFuture
        subject = UserID(rawValue: "")
    }
}
