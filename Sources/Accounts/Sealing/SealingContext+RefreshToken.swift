import SignInWithApple

extension SealingContext {
    package static func refreshToken(of account: AccountID, clientID: String) -> SealingContext {
        SealingContext(purpose: "apple-refresh-token", parts: [account.rawValue, clientID])
    }
}
