extension SignInError {
    /// The kinds of failure; their words are stable.
    ///
    /// No literal makes one: a misspelt word would compile, and never compare equal.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word for programs.
        public let rawValue: String

        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The word itself.
        public var description: String { rawValue }
    }
}

extension SignInError.Code {
    /// The text is not a token, or a claim is missing or of the wrong type.
    public static let tokenMalformed = Self(rawValue: "token_malformed")
    /// The token is longer than any of Apple's.
    public static let tokenTooLong = Self(rawValue: "token_too_long")
    /// The token is a notification or a client secret.
    public static let tokenWrongKind = Self(rawValue: "token_wrong_kind")
    /// The token's header names an algorithm that Apple does not use for identity tokens.
    public static let tokenUnsupportedAlgorithm = Self(rawValue: "token_unsupported_algorithm")
    /// Apple publishes no key of the name in the token's header.
    public static let tokenUnknownKey = Self(rawValue: "token_unknown_key")
    /// Apple did not publish the key named in the header a moment ago, and is not asked again yet.
    public static let tokenKeyNotPublished = Self(rawValue: "token_key_not_published")
    /// The key named in the header did not sign these bytes.
    public static let tokenSignatureInvalid = Self(rawValue: "token_signature_invalid")
    /// The token comes from somebody else than Apple.
    public static let tokenIssuerMismatch = Self(rawValue: "token_issuer_mismatch")
    /// The token is meant for another client.
    public static let tokenAudienceMismatch = Self(rawValue: "token_audience_mismatch")
    /// The token's time is over.
    public static let tokenExpired = Self(rawValue: "token_expired")
    /// The token's time has not come yet.
    public static let tokenNotYetValid = Self(rawValue: "token_not_yet_valid")
    /// The token carries another nonce than the one expected.
    public static let tokenNonceMismatch = Self(rawValue: "token_nonce_mismatch")
    /// The token carries no nonce although one is expected.
    public static let tokenNonceMissing = Self(rawValue: "token_nonce_missing")
    /// The token was not made together with the authorization code.
    public static let tokenCodeHashMismatch = Self(rawValue: "token_code_hash_mismatch")
    /// The token was not made together with the access token.
    public static let tokenAccessTokenHashMismatch = Self(
        rawValue: "token_access_token_hash_mismatch"
    )
    /// The identity token and Apple's answer to the authorization code are about two people.
    public static let identityMismatch = Self(rawValue: "identity_mismatch")
    /// Apple did not answer, or answered that it can't at the moment.
    public static let appleUnavailable = Self(rawValue: "apple_unavailable")
    /// Apple's keys could not be had.
    public static let appleKeysUnavailable = Self(rawValue: "apple_keys_unavailable")
    /// Apple's answer is not of the documented form.
    public static let appleAnswerUnreadable = Self(rawValue: "apple_answer_unreadable")
    /// Apple answered `invalid_client`.
    public static let appleRefusedClient = Self(rawValue: "apple_refused_client")
    /// Apple answered `invalid_grant`.
    public static let appleRefusedGrant = Self(rawValue: "apple_refused_grant")
    /// Apple refused for another reason.
    public static let appleRefusedRequest = Self(rawValue: "apple_refused_request")
    /// The private key, its ID or the team's ID can't be used.
    public static let clientSecretKeyInvalid = Self(rawValue: "client_secret_key_invalid")
    /// A setting is missing or contradicts another.
    public static let configurationInvalid = Self(rawValue: "configuration_invalid")
    /// The posted form has no state.
    public static let stateMissing = Self(rawValue: "state_missing")
    /// The posted form has more than one state.
    public static let stateDuplicate = Self(rawValue: "state_duplicate")
    /// The sign-in was begun in another browser, or has been finished already.
    public static let stateMismatch = Self(rawValue: "state_mismatch")
    /// The sign-in was begun too long ago.
    public static let stateExpired = Self(rawValue: "state_expired")
    /// The posted form has no identity token.
    public static let callbackIncomplete = Self(rawValue: "callback_incomplete")
    /// The name has too many characters or bytes.
    public static let nameTooLong = Self(rawValue: "name_too_long")
    /// The form posted to the redirect address is not one of Apple's.
    public static let callbackMalformed = Self(rawValue: "callback_malformed")
    /// The body posted as a notification is not of the documented form.
    public static let notificationMalformed = Self(rawValue: "notification_malformed")
    /// The person pressed Cancel.
    public static let authorizationCancelled = Self(rawValue: "authorization_cancelled")

    /// Every code this library makes.
    public static let all: [SignInError.Code] = Array(messages.keys).sorted {
        $0.rawValue < $1.rawValue
    }

    var message: String { Self.messages[self] ?? "The sign-in did not succeed." }

    var isRetryable: Bool {
        switch self {
        case .appleUnavailable, .appleKeysUnavailable, .appleAnswerUnreadable,
            .tokenKeyNotPublished:
            true
        default: false
        }
    }

    private static let messages: [SignInError.Code: String] = [
        .tokenMalformed: "The identity token is not readable.",
        .tokenTooLong: "The identity token is too long.",
        .tokenWrongKind: "This is not an identity token.",
        .tokenUnsupportedAlgorithm: "The identity token is signed in a way that is not accepted.",
        .tokenUnknownKey: "The identity token is signed with an unknown key.",
        .tokenKeyNotPublished: "This token names a key that Apple did not publish a moment ago.",
        .tokenSignatureInvalid: "The identity token's signature is not valid.",
        .tokenIssuerMismatch: "The identity token was not issued by Apple.",
        .tokenAudienceMismatch: "The identity token is meant for another app.",
        .tokenExpired: "The identity token has expired.",
        .tokenNotYetValid: "The identity token is not valid yet.",
        .tokenNonceMismatch: "The identity token belongs to another sign-in.",
        .tokenNonceMissing: "The identity token is not bound to this sign-in.",
        .tokenCodeHashMismatch:
            "The identity token and the authorization code do not belong together.",
        .tokenAccessTokenHashMismatch:
            "The identity token and the access token do not belong together.",
        .identityMismatch: "The identity token and the authorization code are two people's.",
        .appleUnavailable: "Apple can't be reached at the moment.",
        .appleKeysUnavailable: "Apple's keys can't be had at the moment.",
        .appleAnswerUnreadable: "Apple's answer could not be understood.",
        .appleRefusedClient: "Apple did not accept this server's credentials.",
        .appleRefusedGrant: "Apple did not accept the authorization code or token.",
        .appleRefusedRequest: "Apple did not accept the request.",
        .clientSecretKeyInvalid: "The key for Sign in with Apple can't be used.",
        .configurationInvalid: "Sign in with Apple is not set up for this.",
        .stateMissing: "Something is missing from the answer that came back from Apple.",
        .stateDuplicate: "The answer that came back from Apple is not in order.",
        .stateMismatch:
            "The browser sent no cookie of this sign-in: it keeps none of this site, the sign-in was "
            + "begun in another browser or at another address of this site, or it is finished.",
        .stateExpired: "This sign-in took longer than ten minutes.",
        .callbackIncomplete: "The answer posted by the browser is incomplete.",
        .nameTooLong: "The name is longer than \(PersonName.maximumCharacterCount) characters.",
        .callbackMalformed: "The answer posted by the browser is not readable.",
        .notificationMalformed: "The notification is not readable.",
        .authorizationCancelled: "The sign-in was cancelled.",
    ]
}
