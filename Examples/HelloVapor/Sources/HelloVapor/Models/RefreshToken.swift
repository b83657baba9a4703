import Fluent
import SignInWithApple
import Vapor

/// Apple's refresh token for a person's sign-in, one for the app and one for the site, sealed.
///
/// A token without a user belonged to a deleted account, and waits until Apple has revoked it.
final class RefreshToken: Model, @unchecked Sendable {
    static let schema = "refresh_tokens"

    @ID(key: .id) var id: UUID?
    @OptionalParent(key: "user_id") var user: User?
    /// The person, also after the account is deleted.
    @Field(key: "apple_issuer") var appleIssuer: String
    @Field(key: "apple_user") var appleUser: String
    @Field(key: "client_id") var clientID: String
    @Field(key: "sealed") var sealed: String
    /// When Apple may be asked about the person again.
    @Field(key: "next_check_at") var nextCheckAt: Date
    /// When the worker last tried to send it to Apple.
    @Field(key: "attempted_at") var attemptedAt: Date

    init() {}
}

extension RefreshToken {
    /// Stores the token of a sign-in in place of the client's earlier one.
    ///
    /// Tokens that wait since the account was deleted go: revoking one would end the new consent, for all clients of the group.
    static func store(
        _ signIn: VerifiedSignIn,
        of user: User,
        _ sealer: TokenSealer,
        on database: any Database
    ) async throws {
        let tokens = RefreshToken.query(on: database)
            .filter(\.$appleIssuer == user.appleIssuer)
            .filter(\.$appleUser == user.appleUser)
        try await tokens.copy().filter(\.$user.$id == nil).delete()
        guard let grant = signIn.grant, let secret = grant.refreshToken else { return }
        let token = RefreshToken()
        token.id = UUID()
        token.$user.id = try user.requireID()
        token.appleIssuer = user.appleIssuer
        token.appleUser = user.appleUser
        token.clientID = signIn.identity.clientID.rawValue
        token.sealed = sealer.seal(Data(secret.utf8), for: token.sealingContext)
        token.nextCheckAt = grant.nextCheck
        token.attemptedAt = Date()
        try await tokens.filter(\.$clientID == token.clientID).delete()
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
