import Fluent
import SignInWithApple
import Vapor

/// What Apple gave for a person's sign-in, one for the app and one for the site, sealed.
///
/// One without a person belonged to an account that is deleted, and waits until Apple has revoked it.
final class RefreshToken: Model, @unchecked Sendable {
    static let schema = "refresh_tokens"

    @ID(key: .id) var id: UUID?
    @OptionalParent(key: "user_id") var user: User?
    @Field(key: "client_id") var clientID: String
    @Field(key: "sealed") var sealed: String
    @Field(key: "checked_at") var checkedAt: Date

    init() {}
}

extension RefreshToken {
    /// Keeps the token of a sign-in in place of the client's earlier one.
    static func store(
        _ grant: AppleGrant,
        of user: User,
        _ sealer: TokenSealer,
        on database: any Database
    ) async throws {
        guard let secret = grant.refreshToken else { return }
        let userID = try user.requireID()
        let token = RefreshToken()
        token.id = UUID()
        token.$user.id = userID
        token.clientID = grant.identity.clientID.rawValue
        token.sealed = try sealer.seal(Data(secret.utf8), for: token.sealingContext)
        token.checkedAt = Date()
        try await RefreshToken.query(on: database)
            .filter(\.$user.$id == userID)
            .filter(\.$clientID == token.clientID)
            .delete()
        try await token.create(on: database)
    }

    /// The token itself.
    func opened(by sealer: TokenSealer) throws -> String {
        String(decoding: try sealer.open(sealed, for: sealingContext), as: UTF8.self)
    }

    /// A token that is copied into another row does not open there.
    private var sealingContext: SealingContext {
        SealingContext(purpose: "refresh token", parts: [id?.uuidString ?? "", clientID])
    }
}
