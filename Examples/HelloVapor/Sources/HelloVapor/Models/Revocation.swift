import Fluent
import SignInWithApple
import Vapor

/// A token of a deleted account, which waits until Apple has revoked it.
final class Revocation: Model, @unchecked Sendable {
    static let schema = "revocations"

    @ID(key: .id) var id: UUID?
    /// Whose it was; there is no such row any more.
    @Field(key: "user_id") var userID: UUID
    @Field(key: "client_id") var clientID: String
    @Field(key: "sealed") var sealed: String

    init() {}

    init(of token: RefreshToken) {
        userID = token.$user.id
        clientID = token.clientID
        sealed = token.sealed
    }

    /// The token itself.
    func opened(by sealer: TokenSealer) throws -> String {
        let secret = try sealer.open(sealed, for: .refreshToken(userID, clientID))
        return String(decoding: secret, as: UTF8.self)
    }
}
