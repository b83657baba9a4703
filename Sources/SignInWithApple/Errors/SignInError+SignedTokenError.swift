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
