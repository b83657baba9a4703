import Accounts
import AppleIdentity
import SignInWithApple

/// What the routes work with.
struct ServerParts: Sendable {
    let configuration: AccountsServerConfiguration
    let accounts: AccountsService
    let apple: AppleSignIn
    let origins: OriginChoice
    let pages: PageRenderer
    let time: TimeSource

    init(
        configuration: AccountsServerConfiguration,
        accounts: AccountsService,
        apple: AppleSignIn,
        time: TimeSource
    ) throws {
        self.configuration = configuration
        self.accounts = accounts
        self.apple = apple
        self.time = time
        origins = try OriginChoice(configuration.origins)
        pages = try PageRenderer(appName: configuration.appName)
    }

    var authenticator: Authenticator { Authenticator(accounts: accounts, origins: origins) }
    var refusals: RefusalWriter { RefusalWriter(pages: pages) }
}
