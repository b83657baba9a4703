import Foundation
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// People and their sessions, in memory.
actor Accounts {
    private var names: [UserID: String] = [:]
    private var signedInAt: [UserID: Date] = [:]
    private var sessions: [String: UserID] = [:]
    private var handled: Set<String> = []

    func open(_ signIn: VerifiedSignIn) -> WebSession {
        let session = WebSession()
        let user = signIn.userID
        // Apple sends the name on the first sign-in only. A suggested one may be another person's.
        if let name = signIn.name, names[user] == nil || !signIn.isNameSuggested {
            names[user] = name.displayName
        }
        signedInAt[user] = max(signedInAt[user] ?? .distantPast, signIn.identity.issuedAt)
        sessions[session.token] = user
        signIn.previousSessionToken.map { sessions[$0] = nil }
        return session
    }

    /// Handles a notification once, because Apple can send it twice.
    func act(on notification: VerifiedNotification) {
        guard !handled.contains(notification.notificationID) else { return }
        let user = notification.userID
        switch notification.event.kind {
        case .consentRevoked:
            // A late one is about an earlier consent.
            let lastSignIn = signedInAt[user] ?? .distantPast
            guard notification.event.eventTime >= lastSignIn else { break }
            sessions = sessions.filter { $0.value != user }
        case .accountDeleted, .accountDelete:
            sessions = sessions.filter { $0.value != user }
            names[user] = nil
        default: break
        }
        // Recorded last: after a failure, a repeated notification is handled.
        handled.insert(notification.notificationID)
    }

    func name(token: String?) -> String? {
        token.flatMap { sessions[$0] }.map { names[$0] ?? "friend" }
    }
}

/// The start page, which Cancel also opens.
private let startPage = """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Hello</title>
    <h1>Hello, stranger</h1>
    <p><a href="/auth/apple?return_to=/hello">Sign in with Apple</a></p>
    """

/// Creates the routes: a start page, the sign-in, Apple's notifications and a greeting.
func helloRouter(apple: AppleSignIn, publicURL: String) throws -> Router<BasicRequestContext> {
    let accounts = Accounts()
    let router = Router()
    let web = WebFlow(redirectURI: publicURL + "/auth/apple/callback")
    try router.signInWithApple(apple, web: web, native: NativeEndpoint()) { signIn, _ in
        .session(await accounts.open(signIn))
    }
    router.signInWithAppleNotifications(apple) { notification, _ in
        await accounts.act(on: notification)
    }
    router.get { _, _ in
        Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: startPage))
        )
    }
    router.get("hello") { request, _ in
        guard let name = await accounts.name(token: web.sessionToken(of: request)) else {
            throw HTTPError(.unauthorized)
        }
        return "Hello, \(name)"
    }
    return router
}
