import Accounts
import AppleIdentity
import SignInWithApple

/// What the routes work with: an object, so that no request copies it.
final class ServerParts: Sendable {
    let configuration: AccountsServerConfiguration
    let accounts: AccountsService
    let apple: AppleSignIn
    let origins: OriginChoice
    let pages: PageRenderer
    let documents = AccountDocuments()
    let time: TimeSource
    let authenticator: Authenticator
    let refusals: RefusalWriter
    let metrics: ServerMetrics
    let sampler: MetricsSampler
    let signIns: SignInMeasures

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
        pages = try PageRenderer(appName: configuration.appName)
        authenticator = Authenticator(accounts: accounts, origins: origins)
        refusals = RefusalWriter(pages: pages)
        self.metrics = metrics
        sampler = MetricsSampler(accounts: accounts, time: time, metrics: metrics.factory)
        signIns = SignInMeasures(metrics.factory)
    }

    /// What people can use besides a password.
    var offer: SignInOffer {
        SignInOffer(hasAppleButton: configuration.servicesID != nil, hasMail: hasMail)
    }

    /// Whether the server can write to people.
    var hasMail: Bool { accounts.hasMail }
}

/// How much the server takes from a stranger; the routes of the sign-in have limits of their own.
enum ServerLimits {
    /// Bytes of a JSON body.
    static let maximumJsonByteCount = 64 * 1024
    /// Bytes of a form from one of the own pages.
    static let maximumFormByteCount = 16 * 1024
    /// Bytes of one header field, and of all of them.
    static let maximumHeaderByteCount = 32 * 1024
    /// Header fields of a request.
    static let maximumHeaderFieldCount = 100
    /// Connections open at once, where the system allows as many files.
    static let maximumConnectionCount = 16_384
    /// Connections that the system may have accepted before the server takes them.
    static let waitingConnectionCount = 4096
    /// Seconds that a request may take to come, and an answer to be taken.
    static let exchangeSeconds = 60
    /// Seconds after which a silent connection is closed.
    static let connectionIdleSeconds = 60
    /// Bytes of an identifier in a path.
    static let maximumIdentifierByteCount = 128
}
