import AppleIdentity

extension AccountsError.Code {
    /// No live session belongs to the token.
    public static let sessionInvalid: Self = "session_invalid"
    /// The account has no live session of that name.
    public static let sessionNotFound: Self = "session_not_found"
    /// The step needs a fresh proof of who is asking.
    public static let recentSignInRequired: Self = "recent_sign_in_required"
    /// The identity token has been used before.
    public static let tokenReplayed: Self = "token_replayed"
    /// The person stopped using the app at Apple after the identity token was issued.
    public static let consentRevoked: Self = "consent_revoked"
    /// The server asks for a nonce and none was sent.
    public static let nonceRequired: Self = "nonce_required"
    /// The server has not given out that nonce.
    public static let nonceUnknown: Self = "nonce_unknown"
    /// The nonce has been used before.
    public static let nonceUsed: Self = "nonce_used"
    /// The nonce was given out too long ago.
    public static let nonceExpired: Self = "nonce_expired"
    /// Too many nonces are stored for another one.
    public static let nonceLimitReached: Self = "nonce_limit_reached"
    /// The name has too many characters.
    public static let nameTooLong: Self = "name_too_long"
    /// The name has nothing to see.
    public static let nameEmpty: Self = "name_empty"
    /// The store can't answer or can't write at the moment.
    public static let storeUnavailable: Self = "store_unavailable"
    /// Something that should never happen did.
    public static let internalError: Self = "internal_error"
}
