import Fluent
import SignInWithApple
import Vapor

/// A person, identified by Apple's `sub` and never by the email address.
final class User: Model, @unchecked Sendable {
    static let schema = "users"

    @ID(key: .id) var id: UUID?
    @Field(key: "apple_issuer") var appleIssuer: String
    @Field(key: "apple_user") var appleUser: String
    @OptionalField(key: "name") var name: String?
    /// The name was kept from a failed sign-in in this browser and may belong to someone else.
    @Field(key: "is_name_suggested") var isNameSuggested: Bool
    @OptionalField(key: "email") var email: String?
    @Field(key: "is_mail_forwarded") var isMailForwarded: Bool
    /// When Apple last said whether it forwards mail, by Apple's clock.
    @OptionalField(key: "mail_changed_at") var mailChangedAt: Date?
    /// When Apple signed the person in last, by Apple's clock.
    @Field(key: "signed_in_at") var signedInAt: Date
    @Children(for: \.$user) var sessions: [UserSession]
    @Children(for: \.$user) var refreshTokens: [RefreshToken]

    init() {}

    init(_ identity: VerifiedIdentity) {
        appleIssuer = identity.issuer
        appleUser = identity.userID.rawValue
        isNameSuggested = false
        isMailForwarded = true
        signedInAt = identity.issuedAt
    }
}

extension User {
    /// Finds a person, and locks the row until the transaction ends.
    ///
    /// SQLite can't always upgrade a read transaction (SQLITE_BUSY), so we write first. If no row matches, PostgreSQL locks
    /// nothing; the unique constraint and the retry cover that.
    static func locked(
        _ issuer: String,
        _ user: UserID,
        on database: any Database
    ) async throws -> User? {
        let people = User.query(on: database)
            .filter(\.$appleIssuer == issuer)
            .filter(\.$appleUser == user.rawValue)
        try await people.copy().set(\.$appleUser, to: user.rawValue).update()
        return try await people.first()
    }

    /// Finds or creates the person of a sign-in, and stores the name in the same write.
    static func signedIn(
        by signIn: VerifiedSignIn,
        on database: any Database
    ) async throws -> User {
        let identity = signIn.identity
        let known = try await locked(identity.issuer, identity.userID, on: database)
        let user = known ?? User(identity)
        user.signedInAt = max(user.signedInAt, identity.issuedAt)
        try await user.resetForwarding(identity, on: database)
        user.email = identity.email ?? user.email
        // Apple sends the name once; a later one comes from somewhere else.
        let isNameWanted = user.name == nil || (user.isNameSuggested && !signIn.isNameSuggested)
        if let name = signIn.name, isNameWanted {
            user.name = name.displayName
            user.isNameSuggested = signIn.isNameSuggested
        }
        try await user.save(on: database)
        return user
    }

    /// Apple forwards mail to a new address, and again after a new consent: the end of one removes its tokens.
    private func resetForwarding(
        _ identity: VerifiedIdentity,
        on database: any Database
    ) async throws {
        guard id != nil, identity.issuedAt >= mailChangedAt ?? .distantPast else { return }
        let isNewAddress = identity.email.map { $0 != email } ?? false
        let hasConsented = try await $refreshTokens.query(on: database).count() > 0
        guard isNewAddress || !hasConsented else { return }
        isMailForwarded = true
        mailChangedAt = identity.issuedAt
    }
}
