import Accounts
import AppleIdentity
import SignInWithApple

/// The services that the routes share; a class, so no request copies it.
final class ServerParts: Sendable {
    let configuration: AccountsServerConfiguration
    let accounts: AccountsService
    let apple: AppleSignIn
    let origins: OriginChoice
    let pages: PageRenderer
    let time: TimeSource
    let authenticator: Authenticator
    let refusals: RefusalWriter
    let metrics: ServerMetrics
    let sampler: MetricsSampler
    let signIns: SignInMeasures
    let tokens: TokenMeasures
    let limiter: RefusalLimiter
    /// Limits the access tokens of an account.
    let tokenLimiter: TokenBuckets
    /// Limits the introspections of a service.
    let introspectionLimiter: TokenBuckets

    init(
        configuration: AccountsServerConfiguration,
        accounts: AccountsService,
        apple: AppleSignIn,
        time: TimeSource,
        metrics: ServerMetrics
    ) throws {
        self.configuration = configuration
        self.accounts = accounts
        self.apple = apple
        self.time = time
        origins = try OriginChoice(configuration.origins)
        pages = try PageRenderer(appName: configuration.appName, brand: configuration.brand)
        authenticator = Authenticator(
            accounts: accounts,
            origins: origins,
            allowedOrigins: configuration.allowedOrigins
        )
        refusals = RefusalWriter(pages: pages)
        self.metrics = metrics
        sampler = MetricsSampler(accounts: accounts, time: time, metrics: metrics.factory)
        signIns = SignInMeasures(metrics.factory)
        tokens = TokenMeasures(metrics.factory)
        limiter = RefusalLimiter(time: time)
        tokenLimiter = TokenBuckets(burst: 60, perSecond: 1, time: time)
        introspectionLimiter = TokenBuckets(burst: 2_000, perSecond: 1_000, time: time)
    }

    /// The optional features that pages and routes offer.
    var offer: SignInOffer {
        SignInOffer(hasAppleButton: configuration.servicesID != nil, hasMail: hasMail)
    }

    var hasMail: Bool { accounts.hasMail }
}

/// The limits for requests; the sign-in routes have their own.
enum ServerLimits {
    /// Bytes of a JSON body.
    static let maximumJsonByteCount = 64 * 1024
    /// Bytes of a form that one of the server's pages posts.
    static let maximumFormByteCount = 16 * 1024
    /// Bytes of one header field, and of all together.
    static let maximumHeaderByteCount = 32 * 1024
    /// Header fields of a request.
    static let maximumHeaderFieldCount = 100
    /// Connections open at once, if the system allows as many files.
    static let maximumConnectionCount = 16_384
    /// One peer may have one of this many connections.
    static let peerShare = 8
    /// Bytes of all request bodies that are in memory.
    static let maximumBodiesByteCount = 32 * 1024 * 1024
    /// Bytes of one read from a connection.
    static let maximumReadByteCount = 8 * 1024
    /// Connections that the system may accept before the server takes them.
    static let waitingConnectionCount = 4096
    /// Seconds within which a request must arrive and a response must be received.
    static let exchangeSeconds = 60
    /// Seconds after which an idle connection is closed.
    static let connectionIdleSeconds = 60
    /// Bytes of an identifier in a path.
    static let maximumIdentifierByteCount = 128
}
