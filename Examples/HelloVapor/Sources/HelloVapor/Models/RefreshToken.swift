import Fluent
import SignInWithApple
import Vapor

/// What Apple gave for a person's sign-in, one for the app and one for the site.
///
/// It is good for asking whether the person still uses the app, and for revoking. It is worth as much as a password, and is sealed.
final class RefreshToken: Model, @unchecked Sendable {
    static let schema = "refresh_tokens"

    @ID(key: .id) var id: UUID?
    @Parent(key: "user_id") var user: User
    @Field(key: "client_id") var clientID: String
    @Field(key: "sealed") var sealed: String
    @Field(key: "checked_at") var checkedAt: Date

    init() {}
}

extension RefreshToken {
    /// Keeps the token of a sign-in in place of the client's earlier one.
    static func store(
        _ grant: AppleGrant,
        of userID: UUID,
        _ sealer: TokenSealer,
        on database: any Database
    ) async throws {
        guard let secret = grant.refreshToken else { return }
        let clientID = grant.identity.clientID.rawValue
        try await RefreshToken.query(on: database)
            .filter(\.$user.$id == userID)
            .filter(\.$clientID == clientID)
            .delete()
        let token = RefreshToken()
        token.$user.id = userID
        token.clientID = clientID
        token.sealed = try sealer.seal(Data(secret.utf8), for: .refreshToken(userID, clientID))
        token.checkedAt = Date()
        try await token.create(on: database)
    }

    /// The token itself.
    func opened(by sealer: TokenSealer) throws -> String {
        let secret = try sealer.open(sealed, for: .refreshToken($user.id, clientID))
        return String(decoding: secret, as: UTF8.self)
    }
}

extension SealingContext {
    /// A token that is copied into another row does not open there.
    static func refreshToken(_ userID: UUID, _ clientID: String) -> SealingContext {
        SealingContext(purpose: "refresh token", parts: [userID.uuidString, clientID])
    }
}
