import AppleIdentity
import SignedTokens

extension SignInError {
    /// Tells the refusal of a token in this library's words.
    init(_ error: SignedTokenError) {
        switch error {
        case .tooLong(let byteCount, let limit):
            self.init(.tokenTooLong, hint: "it has \(byteCount) bytes, and \(limit) are allowed")
        case .malformed(let reason):
            self.init(.tokenMalformed, hint: reason)
        case .unsupportedAlgorithm(let name):
            self.init(
                .tokenUnsupportedAlgorithm,
                hint: "its header names \(Excerpt.quoting(name)); Apple signs with RS256"
            )
        case .algorithmMismatch(let token, let key):
            self.init(
                .tokenUnsupportedAlgorithm,
                hint: "it is made for \(token.rawValue), the key for \(key.rawValue)"
            )
        case .criticalExtension:
            self.init(.tokenMalformed, hint: "its header has a critical extension; Apple has none")
        case .invalidSignature:
            self.init(
                .tokenSignatureInvalid,
                hint: "the key named in its header did not sign these bytes"
            )
        case .unusableKey(let reason):
            self.init(.appleKeysUnavailable, hint: "the key can't be used: \(reason)")
        }
    }
}

extension SignInError {
    /// Tells why claims are refused.
    init(_ error: ClaimsError, otherKind: String = Self.notificationHint) {
        switch error {
        case .otherKind: self.init(.tokenWrongKind, hint: otherKind)
        case .unreadable(let error):
            self.init(.tokenMalformed, hint: "its payload is refused: \(error)")
        case .missing(let name):
            self.init(.tokenMalformed, hint: "its claim \(Excerpt.quoting(name)) is missing")
        case .wrongType(let name):
            self.init(
                .tokenMalformed,
                hint: "its claim \(Excerpt.quoting(name)) has the wrong type"
            )
        }
    }

    private static let notificationHint =
        "it is a server-to-server notification: it carries \"events\""

    /// Tells why the claims of a notification are refused.
    init(notification error: ClaimsError) {
        self.init(
            error,
            otherKind: "it carries no \"events\"; an identity token is no notification"
        )
    }
}
