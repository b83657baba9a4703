import AppleIdentity
import Foundation
import SignInWithApple

extension SealingContext {
    package static func refreshToken(_ id: RefreshTokenID, clientID: ClientID) -> SealingContext {
        SealingContext(purpose: "apple-refresh-token", parts: [id.rawValue, clientID.rawValue])
    }
}

extension RefreshToken {
    /// Decrypts the token; throws `SealingError` when no key decrypts it.
    func opened(by sealer: TokenSealer) throws(SealingError) -> String {
        let data = try sealer.open(sealedToken, for: .refreshToken(id, clientID: clientID))
        return String(decoding: data, as: UTF8.self)
    }
}
