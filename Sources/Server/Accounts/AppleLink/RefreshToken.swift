import AppleIdentity
import Foundation
import SignInWithApple

/// An encrypted refresh token from Apple.
package struct RefreshToken: Hashable, Sendable, Codable {
    /// The identifier for which the token is encrypted; it exists before the account, outside of a transaction.
    package internal(set) var id: RefreshTokenID
    /// The client that the token was issued to.
    package internal(set) var clientID: ClientID
    /// The token, encrypted for its identifier and client.
    package internal(set) var sealedToken: String
    package internal(set) var receivedAt: Date
}

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

extension AccountsService {
    /// Encrypts a refresh token for its new identifier; nil for no token.
    func sealed(
        _ text: String?,
        _ clientID: ClientID,
        now: Date
    ) -> RefreshToken? {
        guard let text else { return nil }
        let id = RefreshTokenID.random()
        return RefreshToken(
            id: id,
            clientID: clientID,
            sealedToken: sealer.seal(Data(text.utf8), for: .refreshToken(id, clientID: clientID)),
            receivedAt: now
        )
    }
}
