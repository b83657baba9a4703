import Foundation
import SignInWithApple

/// The code of the article about the web flow; the tidy tests compare the two.
struct WebFlowExample {
    struct Ceremony: Codable {
        let state: String
        let nonce: String
    }

    struct Welcome {
        let user: UserID
        let name: PersonName?
        let refreshToken: String?
    }

    struct ForeignCallback: Error {}

    static let servicesID: ClientID = "com.example.juice.web"
    static let redirectURI = "https://juice.example.com/sign-in/apple/callback"
    static let purpose = SealingContext(purpose: "sign-in ceremony")

    let apple: AppleSignIn
    let sealer: TokenSealer

    func begin() throws -> (page: URL, cookie: String) {
        let ceremony = Ceremony(state: Self.unguessable(), nonce: Self.unguessable())
        let page = apple.authorizationURL(
            clientID: Self.servicesID,
            redirectURI: Self.redirectURI,
            scopes: [.name, .email],
            state: ceremony.state,
            nonce: ceremony.nonce
        )
        return (page, try sealer.seal(JSONEncoder().encode(ceremony), for: Self.purpose))
    }

    func ceremony(of callback: AuthorizationCallback, cookie: String) throws -> Ceremony {
        let opened = try sealer.open(cookie, for: Self.purpose)
        let ceremony = try JSONDecoder().decode(Ceremony.self, from: opened)
        guard callback.state == ceremony.state else { throw ForeignCallback() }
        return ceremony
    }

    func finish(form: Data, cookie: String) async throws -> Welcome? {
        let callback = try AuthorizationCallback(formBody: form)
        let ceremony = try ceremony(of: callback, cookie: cookie)
        if callback.error == .userCancelledAuthorize { return nil }

        let authorization = try callback.authorization()
        let identity = try await apple.verify(
            authorization.identityToken ?? "",
            expecting: .init(
                nonce: .raw(ceremony.nonce),
                clientIDs: [Self.servicesID],
                authorizationCode: authorization.code
            )
        )
        let grant = try await apple.redeem(
            code: authorization.code,
            for: identity,
            redirectURI: Self.redirectURI
        )
        return Welcome(
            user: identity.user,
            name: authorization.user?.name,
            refreshToken: grant.refreshToken
        )
    }

    static func unguessable() -> String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    }
}
