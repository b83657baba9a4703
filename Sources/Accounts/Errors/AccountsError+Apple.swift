import AppleIdentity
import SignInWithApple

extension AccountsError {
    /// Carries a failure of the Apple side on under its own code.
    package init(_ error: SignInError) {
        self.init(
            code: Code(error.code.rawValue),
            message: error.message,
            hint: error.hint,
            status: Self.status(for: error),
            isRetryable: error.isRetryable,
            retryAfter: error.isRetryable
                ? error.retryAfter?.wholeSeconds ?? Self.appleRetryAfter : nil
        )
    }

    /// A refused notification brings no credentials of its sender: it is simply a bad request.
    init(notification error: SignInError) {
        let refusal = AccountsError(error)
        self.init(
            code: refusal.code,
            message: refusal.message,
            hint: refusal.hint,
            status: refusal.isRetryable ? refusal.status : 400,
            isRetryable: refusal.isRetryable,
            retryAfter: refusal.retryAfter
        )
    }

    /// Seconds after which another attempt to reach Apple makes sense.
    private static let appleRetryAfter = 2

    private static func status(for error: SignInError) -> Int {
        if error.isRetryable { return 503 }
        return switch error.code {
        case .callbackMalformed, .authorizationCancelled: 400
        case .appleRefusedGrant: 401
        case .appleRefusedClient, .appleRefusedRequest: 502
        case .clientSecretKeyInvalid, .configurationInvalid: 500
        // The rest is about the identity token, which is the request's credential.
        default: 401
        }
    }
}
