import AccountsAccessTokens
import Hummingbird
import SignInWithAppleHummingbird

struct ServiceContext: AccessTokenContext {
    var coreContext: CoreRequestContextStorage
    var accessToken: VerifiedAccessToken?

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}

func makeService(_ accountsServer: String, audience: String) throws -> Router<ServiceContext> {
    let router = Router(context: ServiceContext.self)
    let verifier = try AccessTokenVerifier(issuer: accountsServer, audience: audience)
    router.add(middleware: AccessTokenMiddleware(verifier))
    router.get("orders") { _, context in "the orders of \(context.accessToken?.accountID ?? "")" }
    return router
}
