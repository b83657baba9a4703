import AppleIdentity

/// Whether an error of a refresh means that the user stopped using the app.
///
/// Such a user is signed out. Only Apple's error and the sent token decide this, not the possible
/// causes that are found afterwards.
enum RevocationVerdict {
    static func isRevocation(_ refusal: OAuthErrorResponse, of token: String) -> Bool {
        // Another kind of token in its place is this server's mistake, and says nothing about the
        // user. Apple's description is the same for it.
        guard [nil, .refreshToken].contains(AppleTextForm(token)) else { return false }
        switch refusal.error {
        // A bare invalid_grant can mean another client as well.
        case .invalidGrant: return AppleSentence(refusal.errorDescription) == .tokenExpired
        // TN3107 names two reasons: the form of the request, which a proxy may have rewritten, or
        // that the user revoked the client.
        // https://developer.apple.com/documentation/technotes/tn3107-resolving-sign-in-with-apple-response-errors
        case .invalidRequest:
            return refusal.errorDescription?.lowercased().contains("revoked") == true
        default: return false
        }
    }
}

/// Apple's sentences in `error_description`, which are undocumented and often missing.
enum AppleSentence: String, CaseIterable {
    case codeUsed = "code has already been used"
    case codeExpired = "code has expired"
    case clientMismatch = "client_id mismatch"
    case redirectMismatch = "redirect_uri mismatch"
    case tokenExpired = "token has expired"

    /// Finds a sentence by the words that have not changed over the years.
    init?(_ description: String?) {
        let text = (description ?? "").lowercased()
        guard let known = Self.allCases.first(where: { text.contains($0.rawValue) }) else {
            return nil
        }
        self = known
    }
}

/// The form of Apple's codes and tokens: a letter, 32 hexadecimal digits and a dot.
///
/// It is observed, not documented: no token is rejected and no user signed out because of it.
enum AppleTextForm: String {
    case code = "an authorization code"
    case accessToken = "an access token"
    case refreshToken = "a refresh token"
    case identityToken = "an identity token"

    init?(_ text: String) {
        if text.hasPrefix("eyJ") {
            self = .identityToken
            return
        }
        guard text.prefixMatch(of: /[acr][0-9a-f]{32}\./) != nil else { return nil }
        switch text.first {
        case "c": self = .code
        case "a": self = .accessToken
        default: self = .refreshToken
        }
    }
}
