import Foundation
import SignInWithApple

/// The code of the article about the web flow; the tidy tests compare the two.
struct WebFlowExample {
    struct Welcome {
        let user: UserID
        let name: PersonName?
        let refreshToken: String?
    }

    static let servicesID: ClientID = "com.example.juice.web"
    static let redirectURI = "https://juice.example.com/sign-in/apple/callback"
    static let purpose = SealingContext(purpose: "web sign-in")

    let apple: AppleSignIn
    let sealer: TokenSealer

    func begin() throws -> (page: URL, cookie: String) {
        let start = apple.beginWebSignIn(
            clientID: Self.servicesID,
            redirectURI: Self.redirectURI
        )
        let cookie = sealer.seal(try JSONEncoder().encode(start.pending), for: Self.purpose)
        return (start.authorizationURL, cookie)
    }

    func setCookie(_ sealed: String) -> String {
        SiteCookies(at: Self.redirectURI)
            .setCookie("sign-in", sealed, lifetime: .seconds(86_400), reach: .everySite)
    }

    func page(form: Data, cookie: String?) throws -> String? {
        guard cookie == nil else { return nil }
        return try CallbackForwarding(formBody: form)?.page(action: "/sign-in/apple/callback")
    }

    func pending(in cookie: String?) -> PendingWebSignIn? {
        cookie.flatMap { try? sealer.open($0, for: Self.purpose) }
            .flatMap { try? JSONDecoder().decode(PendingWebSignIn.self, from: $0) }
    }

    func finish(form: Data, cookie: String?) async throws -> Welcome? {
        let signIn = try await apple.finishWebSignIn(
            AuthorizationCallback(formBody: form),
            pending: pending(in: cookie)
        )
        guard let signIn else { return nil }  // The person pressed Cancel.
        let grant = try await apple.exchange(signIn)
        return Welcome(
            user: signIn.identity.userID,
            name: signIn.name,
            refreshToken: grant.refreshToken
        )
    }

    func answer(form: Data, cookie: String?) async throws -> (status: Int, text: String) {
        do {
            guard let welcome = try await finish(form: form, cookie: cookie) else {
                return (303, "/")
            }
            return (200, "Hello, \(welcome.name?.displayName ?? "friend")")
        } catch let error as SignInError {
            return (error.httpStatus.code, error.message)
        }
    }
}
