import Fluent
import SignInWithAppleVapor
import Vapor

@testable import HelloVapor

/// The password of a person.
final class Password: Model, @unchecked Sendable {
    static let schema = "passwords"

    @ID(custom: "username", generatedBy: .user) var id: String?
    @Parent(key: "user_id") var user: User
    @Field(key: "hash") var hash: String

    init() {}
}

struct PasswordForm: Content {
    let username: String
    let password: String
}

/// Adds a sign-in with a password, which opens the same session as Apple's.
func addPasswordSignIn(to pages: any RoutesBuilder, _ web: WebFlow) {
    pages.post("password") { request in
        let form = try request.content.decode(PasswordForm.self)
        let known = try await Password.query(on: request.db).filter(\.$id == form.username)
            .with(\.$user).first()
        // An unknown name takes as long as a wrong password.
        let other = try await request.password.async.hash("")
        let isRight = try await request.password.async
            .verify(form.password, created: known?.hash ?? other)
        guard let user = known?.user, isRight else {
            throw Abort(.unauthorized, reason: "The name or the password is wrong.")
        }
        try await UserSession.end(web.sessionToken(of: request), on: request.db)
        let session = try await UserSession.open(for: user, on: request.db)
        let response = request.redirect(to: "/account")
        web.addSessionCookie(session, to: response, for: request)
        return response
    }
}

/// Links Apple to the person who began the sign-in at `/auth/apple?purpose=link`.
func link(_ signIn: VerifiedSignIn, on database: any Database) async throws -> SignInAnswer {
    let token = signIn.previousSessionToken ?? ""
    guard let user = try await UserSession.user(WebSession.hash(of: token), on: database) else {
        throw Abort(.unauthorized, reason: "Please sign in first.")
    }
    if let other = try await User.of(signIn.userID, on: database), other.id != user.id {
        throw Abort(.conflict, reason: "This Apple Account belongs to another account.")
    }
    user.appleUser = signIn.userID.rawValue
    try await user.update(on: database)
    return .response(.redirect(to: signIn.returnPath ?? "/account"))
}

/// Links Apple, or opens a session; both keep Apple's tokens in the same transaction.
func finish(
    _ signIn: VerifiedSignIn,
    _ tokens: AppleTokens<SQLAppleTokenStore>,
    on database: any Database
) async throws -> SignInAnswer {
    let answer =
        signIn.purpose == "link"
        ? try await link(signIn, on: database)
        : .session(try await User.open(signIn, on: database))
    try await tokens.keep(signIn, in: SQLAppleTokenStore(database: database))
    return answer
}
