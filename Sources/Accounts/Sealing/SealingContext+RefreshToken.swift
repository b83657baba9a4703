import AppleIdentity
import SignInWithApple

extension SealingContext {
    package static func refreshToken(_ id: RefreshTokenID, clientID: ClientID) -> SealingContext {
        SealingContext(purpose: "apple-refresh-token", parts: [id.rawValue, clientID.rawValue])
    }
}
