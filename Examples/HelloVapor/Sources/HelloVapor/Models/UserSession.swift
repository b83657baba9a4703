import Crypto
import Fluent
import SignInWithApple
import Vapor

/// A browser or an app in which a person is signed in; deleting it signs out.
final class UserSession: Model, ModelSessionAuthenticatable, @unchecked Sendable {
    static let schema = "user_sessions"

    @ID(key: .id) var id: UUID?
    @Parent(key: "user_id") var user: User
    /// The hash of an app's token; a browser has Vapor's session instead.
    @OptionalField(key: "token_hash") var tokenHash: String?
    /// Recognizes a callback posted twice.
    @OptionalField(key: "nonce_hash") var nonceHash: String?
    @Field(key: "created_at") var createdAt: Date

    init() {}

    init(userID: UUID, token: String? = nil, nonce: String? = nil) {
        $user.id = userID
        tokenHash = token.map(Hash.of)
        nonceHash = nonce.map(Hash.of)
        createdAt = Date()
    }
}

extension UserSession {
    /// The sessions that have not ended, with their people.
    static func current(on database: any Database) -> QueryBuilder<UserSession> {
        let earliest = Date(timeIntervalSinceNow: -SessionsConfiguration.lifetime)
        return query(on: database).filter(\.$createdAt > earliest).with(\.$user)
    }

    /// Stores person, name, refresh token and session in one transaction: if it fails, the sign-in can be repeated.
    static func open(
        for signIn: VerifiedSignIn,
        token: String?,
        _ sealer: TokenSealer,
        on database: any Database
    ) async throws -> UserSession {
        try await database.transaction { database in
            let user = try await User.signedIn(by: signIn, on: database)
            try await RefreshToken.store(signIn, of: user, sealer, on: database)
            // Apps only; browsers: `Request.signIn`.
            if let previous = signIn.previousSessionToken {
                try await UserSession.query(on: database)
                    .filter(\.$tokenHash == Hash.of(previous))
                    .delete()
            }
            let session = UserSession(
                userID: try user.requireID(),
                token: token,
                nonce: signIn.nonce
            )
            try await session.create(on: database)
            return session
        }
    }

    /// The session's successor.
    func replaced(on database: any Database) async throws -> UserSession {
        try await database.transaction { database in
            try await self.delete(on: database)
            let session = UserSession(userID: self.$user.id)
            try await session.create(on: database)
            return session
        }
    }
}

/// A hash of a secret we only compare.
enum Hash {
    static func of(_ secret: String) -> String {
        SHA256.hash(data: Data(secret.utf8)).hex
    }
}
