import Fluent
import SignInWithAppleVapor
import Vapor

/// A person, identified by Apple's `sub` and never by the email address.
final class User: Model, Content, Authenticatable, @unchecked Sendable {
    static let schema = "users"

    @ID(key: .id) var id: UUID?
    @OptionalField(key: "apple_user") var appleUser: String?
    @OptionalField(key: "name") var name: String?
    @OptionalField(key: "email") var email: String?
    @Field(key: "is_mail_stopped") var isMailStopped: Bool
    @Children(for: \.$user) var sessions: [UserSession]

    init() {}
}

extension User {
    /// Finds or creates the person of a sign-in, stores the name, and opens a session.
    static func open(_ signIn: VerifiedSignIn, on database: any Database) async throws -> WebSession
    {
        // SQLite cannot turn each read transaction into a writing one: it begins with a write.
        try await UserSession.end(signIn.previousSessionToken, on: database)
        let user = try await of(signIn.userID, on: database) ?? User()
        user.appleUser = signIn.userID.rawValue
        // Apple sends the name once; a later one comes from somewhere else.
        user.name = user.name ?? signIn.name?.displayName
        // Apple forwards mail to a new address.
        if user.id == nil || signIn.email ?? user.email != user.email {
            user.isMailStopped = false
        }
        user.email = signIn.email ?? user.email
        try await user.save(on: database)
        return try await UserSession.open(for: user, on: database)
    }

    static func of(_ user: UserID, on database: any Database) async throws -> User? {
        try await query(on: database).filter(\.$appleUser == user.rawValue).first()
    }

    /// Acts on a notification of Apple.
    static func act(on event: NotificationEvent, on database: any Database) async throws {
        guard let user = try await of(event.subject, on: database) else { return }
        switch event.kind {
        case .consentRevoked: try await endConsent(of: event.subject, on: database)
        case .accountDeleted, .accountDelete: try await user.delete(on: database)
        case .emailDisabled, .emailEnabled:
            user.isMailStopped = event.kind == .emailDisabled
            try await user.update(on: database)
        default: break
        }
    }

    /// Signs the person out everywhere; Apple forwards mail again after a new consent.
    static func endConsent(of user: UserID, on database: any Database) async throws {
        guard let user = try await of(user, on: database) else { return }
        try await user.$sessions.query(on: database).delete()
        user.isMailStopped = false
        try await user.update(on: database)
    }

    /// Deletes the person with all sessions, and ends the app's access at Apple.
    func delete(
        _ tokens: AppleTokens<SQLAppleTokenStore>,
        on database: any Database
    ) async throws {
        try await database.transaction { database in
            try await self.delete(on: database)
            let store = SQLAppleTokenStore(database: database)
            guard let user = self.appleUser else { return }
            try await tokens.queueRevocations(of: UserID(user), in: store)
        }
    }

    /// Stores the name of a form.
    func rename(by request: Request) async throws {
        let name = try request.content.get(String.self, at: "name")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...200).contains(name.count) else {
            throw Abort(.unprocessableEntity, reason: "A name has 1 to 200 characters.")
        }
        self.name = name
        try await update(on: request.db)
    }
}

/// A browser or an app in which a person is signed in; deleting it signs out.
final class UserSession: Model, @unchecked Sendable {
    static let schema = "user_sessions"

    @ID(custom: "token_hash", generatedBy: .user) var id: String?
    @Parent(key: "user_id") var user: User
    @Field(key: "expires_at") var expiresAt: Date

    init() {}
}

extension UserSession {
    static func open(for user: User, on database: any Database) async throws -> WebSession {
        try await query(on: database).filter(\.$expiresAt < Date()).delete()
        let opened = WebSession()
        let session = UserSession()
        session.id = opened.tokenHash
        session.$user.id = try user.requireID()
        session.expiresAt = Date() + opened.lifetime / .seconds(1)
        try await session.create(on: database)
        return opened
    }

    static func user(_ tokenHash: String, on database: any Database) async throws -> User? {
        try await query(on: database).filter(\.$id == tokenHash).filter(\.$expiresAt > Date())
            .with(\.$user).first()?.user
    }

    static func end(_ token: String?, on database: any Database) async throws {
        try await query(on: database).filter(\.$id == WebSession.hash(of: token ?? "")).delete()
    }
}

struct CreateTables: AsyncMigration {
    func prepare(on database: any Database) async throws {
        try await database.schema(User.schema).id()
            .field("apple_user", .string).unique(on: "apple_user")
            .field("name", .string)
            .field("email", .string)
            .field("is_mail_stopped", .bool, .required)
            .create()
        try await database.schema(UserSession.schema)
            .field("token_hash", .string, .identifier(auto: false))
            .field("user_id", .uuid, .required, .references(User.schema, "id", onDelete: .cascade))
            .field("expires_at", .datetime, .required)
            .create()
    }

    func revert(on database: any Database) async throws {
        try await database.schema(UserSession.schema).delete()
        try await database.schema(User.schema).delete()
    }
}
