import AppleIdentity

/// Whether a refusal to refresh says that the person ended the relation with the app.
///
/// Whoever is told so is signed out. Only Apple's words decide, and what was sent: what may have
/// caused a refusal is explained afterwards, and has no say here.
enum RevocationVerdict {
    static func isRevocation(_ refusal: OAuthErrorResponse, of token: String) -> Bool {
        // Another kind of token in its place is this server's mistake, and says nothing about the
        // person. Apple has the same sentence for it.
        guard [nil, .refreshToken].contains(AppleTextForm(token)) else { return false }
        switch refusal.error {
        // A bare invalid_grant can mean another client as well.
        case .invalidGrant: return AppleSentence(refusal.errorDescription) == .tokenExpired
        // TN3107 names two reasons: the form of the request, which is fixed here, or that the
        // person revoked the client.
        // https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors
        case .invalidRequest:
            return refusal.errorDescription?.lowercased().contains("revoked") ?? true
        default: return false
        }
    }
}
