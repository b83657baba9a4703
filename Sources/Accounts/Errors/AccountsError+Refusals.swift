import AppleIdentity
import SignInWithApple

extension AccountsError {
    static let sessionInvalid = AccountsError(
        code: .sessionInvalid,
        message: "You are not signed in.",
        hint: "no live session belongs to the token: ended, expired, deleted or never made",
        status: 401
    )

    static let sessionNotFound = AccountsError(
        code: .sessionNotFound,
        message: "There is no such session.",
        hint: "the account has no live session of that id",
        status: 404
    )

    static let recentSignInRequired = AccountsError(
        code: .recentSignInRequired,
        message: "Please sign in again first.",
        hint: "the session's sign-in is older than the limit for this step",
        status: 403
    )

    static let nonceRequired = AccountsError(
        code: .nonceRequired,
        message: "The sign-in has no nonce.",
        hint: "this server requires a nonce of its own for native sign-in",
        status: 422
    )

    static let nonceLimitReached = AccountsError(
        code: .nonceLimitReached,
        message: "Too many sign-ins are under way. Please try again later.",
        hint: "as many nonces are stored as may be; is somebody asking for them in bulk?",
        status: 503,
        isRetryable: true,
        retryAfter: 60
    )

    static let nameEmpty = AccountsError(
        code: .nameEmpty,
        message: "The name is empty.",
        hint: "nothing visible is left of the name without its control characters",
        status: 422
    )

    static func nameTooLong(hint: String) -> AccountsError {
        AccountsError(
            code: .nameTooLong,
            message: "The name is longer than \(PersonName.maximumCharacterCount) characters.",
            hint: hint,
            status: 422
        )
    }
}
