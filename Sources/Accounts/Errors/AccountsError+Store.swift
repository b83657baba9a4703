extension AccountsError {
    /// Seconds after which a store that was busy is worth another request.
    private static let storeRetryAfter = 1

    init(_ error: AccountStoreError) {
        switch error.kind {
        case .unavailable:
            self.init(
                code: .storeUnavailable,
                message: "The server can't reach its data at the moment. Please try again.",
                hint: error.hint,
                status: 503,
                isRetryable: true,
                retryAfter: Self.storeRetryAfter
            )
        case .failed:
            self.init(
                code: .internalError,
                message: "The server has made a mistake.",
                hint: error.hint,
                status: 500
            )
        }
    }

    init(_ refusal: SignInRefusal) {
        switch refusal {
        case .tokenReplayed:
            self.init(
                code: .tokenReplayed,
                message: "This sign-in has been used already. Please sign in again.",
                hint: "the identity token was accepted before; each is good for one sign-in",
                status: 401
            )
        case .consentRevoked:
            self.init(
                code: .consentRevoked,
                message: "You have stopped using Sign in with Apple here. Please sign in again.",
                hint: "Apple told of the end of consent after the identity token was issued",
                status: 401
            )
        case .nonceUnknown:
            self.init(
                code: .nonceUnknown,
                message: "This sign-in was not started here. Please sign in again.",
                hint: "nonces from the server are required, and this is not one",
                status: 401
            )
        case .nonceUsed:
            self.init(
                code: .nonceUsed,
                message: "This sign-in has been used already. Please sign in again.",
                hint: "the nonce was used before; each is good for one sign-in",
                status: 401
            )
        case .nonceExpired:
            self.init(
                code: .nonceExpired,
                message: "This sign-in took too long. Please sign in again.",
                hint: "the server's nonce is older than its lifetime",
                status: 401
            )
        }
    }
}
