extension SignInError {
    /// An error code.
    ///
    /// Its raw values do not change between versions. There is no literal initializer: a misspelt
    /// literal would compile, and never compare equal.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as a string, such as `token_expired`.
        public let rawValue: String

        /// Creates a code from its string.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The raw value.
        public var description: String { rawValue }
    }
}

extension SignInError.Code {
    /// The token is not a compact JWS, or a claim is missing or has the wrong type.
    public static let tokenMalformed = Self(rawValue: "token_malformed")
    /// The token is longer than 16 384 bytes.
    public static let tokenTooLong = Self(rawValue: "token_too_long")
    /// The token is of another kind, such as a notification where an identity token is expected.
    public static let tokenWrongKind = Self(rawValue: "token_wrong_kind")
    /// The token's `alg` is not RS256.
    public static let tokenUnsupportedAlgorithm = Self(rawValue: "token_unsupported_algorithm")
    /// Apple publishes no key with the token's `kid`.
    public static let tokenUnknownKey = Self(rawValue: "token_unknown_key")
    /// The token's key is unknown, and too many unknown keys were looked up.
    ///
    /// Apple's keys are fetched again after ``SignInError/retryAfter``.
    public static let tokenKeyNotPublished = Self(rawValue: "token_key_not_published")
    /// The signature does not match the key that `kid` names.
    public static let tokenSignatureInvalid = Self(rawValue: "token_signature_invalid")
    /// The token's `iss` is not the expected issuer.
    public static let tokenIssuerMismatch = Self(rawValue: "token_issuer_mismatch")
    /// The token's `aud` is another client.
    public static let tokenAudienceMismatch = Self(rawValue: "token_audience_mismatch")
    /// The token's `exp` is more than 60 seconds in the past.
    public static let tokenExpired = Self(rawValue: "token_expired")
    /// The token's `nbf` or `iat` is more than 60 seconds in the future.
    public static let tokenNotYetValid = Self(rawValue: "token_not_yet_valid")
    /// The token's nonce is not the expected one.
    public static let tokenNonceMismatch = Self(rawValue: "token_nonce_mismatch")
    /// The token has no nonce although one is expected.
    public static let tokenNonceMissing = Self(rawValue: "token_nonce_missing")
    /// The token's `c_hash` does not match the authorization code.
    public static let tokenCodeHashMismatch = Self(rawValue: "token_code_hash_mismatch")
    /// The token's `at_hash` does not match the access token.
    public static let tokenAccessTokenHashMismatch = Self(
        rawValue: "token_access_token_hash_mismatch"
    )
    /// The identity token and Apple's response to the authorization code belong to different users.
    public static let identityMismatch = Self(rawValue: "identity_mismatch")
    /// Apple did not respond, or responded that it is unavailable.
    public static let appleUnavailable = Self(rawValue: "apple_unavailable")
    /// Apple's public keys could not be fetched or used.
    public static let appleKeysUnavailable = Self(rawValue: "apple_keys_unavailable")
    /// The public keys of the accounts server could not be fetched or used.
    public static let keysUnavailable = Self(rawValue: "keys_unavailable")
    /// Apple's response could not be parsed.
    public static let appleAnswerUnreadable = Self(rawValue: "apple_answer_unreadable")
    /// Apple responded with `invalid_client`.
    public static let appleRefusedClient = Self(rawValue: "apple_refused_client")
    /// Apple responded with `invalid_grant`.
    public static let appleRefusedGrant = Self(rawValue: "apple_refused_grant")
    /// Apple responded with another error, such as `invalid_request`.
    public static let appleRefusedRequest = Self(rawValue: "apple_refused_request")
    /// The private key, its key ID or the team ID is invalid.
    public static let clientSecretKeyInvalid = Self(rawValue: "client_secret_key_invalid")
    /// A setting is missing or contradicts another one.
    public static let configurationInvalid = Self(rawValue: "configuration_invalid")
    /// The posted form has no state.
    public static let stateMissing = Self(rawValue: "state_missing")
    /// The posted form has more than one state.
    public static let stateDuplicate = Self(rawValue: "state_duplicate")
    /// The browser sent no cookie for the state in the form, or the cookie has a different state.
    public static let stateMismatch = Self(rawValue: "state_mismatch")
    /// The sign-in began more than ten minutes ago.
    public static let stateExpired = Self(rawValue: "state_expired")
    /// The posted form has no identity token.
    public static let callbackIncomplete = Self(rawValue: "callback_incomplete")
    /// The name has more than 200 characters or more than 6400 bytes.
    public static let nameTooLong = Self(rawValue: "name_too_long")
    /// The body posted to the redirect URI is not a valid authorization response.
    public static let callbackMalformed = Self(rawValue: "callback_malformed")
    /// The body posted as a notification is not a JSON object with a string `payload`.
    public static let notificationMalformed = Self(rawValue: "notification_malformed")
    /// The user pressed Cancel.
    public static let authorizationCancelled = Self(rawValue: "authorization_cancelled")

    /// Every code of this library.
    public static let all: [SignInError.Code] = Array(messages.keys).sorted {
        $0.rawValue < $1.rawValue
    }

    var message: String { Self.messages[self] ?? "The sign-in did not succeed." }

    var isRetryable: Bool {
        switch self {
        case .appleUnavailable, .appleKeysUnavailable, .keysUnavailable,
            .appleAnswerUnreadable, .tokenKeyNotPublished:
            true
        default: false
        }
    }

    private static let messages: [SignInError.Code: String] = [
        .tokenMalformed: "The identity token cannot be read.",
        .tokenTooLong: "The identity token is too long.",
        .tokenWrongKind: "This is not an identity token.",
        .tokenUnsupportedAlgorithm: "The identity token uses an unsupported signature algorithm.",
        .tokenUnknownKey: "The identity token is signed with an unknown key.",
        .tokenKeyNotPublished:
            "The identity token is signed with a key that Apple does not publish yet.",
        .tokenSignatureInvalid: "The identity token's signature is not valid.",
        .tokenIssuerMismatch: "The identity token was not issued by Apple.",
        .tokenAudienceMismatch: "The identity token was issued for another app.",
        .tokenExpired: "The identity token has expired.",
        .tokenNotYetValid: "The identity token is not valid yet.",
        .tokenNonceMismatch: "The identity token belongs to another sign-in.",
        .tokenNonceMissing: "The identity token is not bound to this sign-in.",
        .tokenCodeHashMismatch:
            "The identity token and the authorization code do not belong together.",
        .tokenAccessTokenHashMismatch:
            "The identity token and the access token do not belong together.",
        .identityMismatch:
            "The identity token and the authorization code belong to different people.",
        .appleUnavailable: "Apple cannot be reached at the moment.",
        .appleKeysUnavailable: "Apple's keys are not available at the moment.",
        .keysUnavailable: "The keys of the access tokens are not available at the moment.",
        .appleAnswerUnreadable: "Apple's response cannot be read.",
        .appleRefusedClient: "Apple did not accept this server's credentials.",
        .appleRefusedGrant: "Apple did not accept the authorization code or token.",
        .appleRefusedRequest: "Apple did not accept the request.",
        .clientSecretKeyInvalid: "The key for Sign in with Apple is invalid.",
        .configurationInvalid: "Sign in with Apple is not configured correctly.",
        .stateMissing: "Apple's response has no state. Please sign in again.",
        .stateDuplicate: "Apple's response has more than one state. Please sign in again.",
        .stateMismatch:
            "This sign-in cannot be continued in this browser. "
            + "Please allow cookies for this site, and sign in again.",
        .stateExpired: "This sign-in took longer than ten minutes. Please sign in again.",
        .callbackIncomplete: "Apple's response is incomplete. Please sign in again.",
        .nameTooLong:
            "The name is too long. At most \(PersonName.maximumCharacterCount) characters are allowed.",
        .callbackMalformed: "Apple's response cannot be read. Please sign in again.",
        .notificationMalformed: "The notification cannot be read.",
        .authorizationCancelled: "The sign-in was cancelled.",
    ]
}
