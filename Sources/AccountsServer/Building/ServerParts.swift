import Accounts
import AppleIdentity
import SignInWithApple
import SignInWithAppleHummingbird

/// What the routes work with.
struct ServerParts: Sendable {
    let configuration: AccountsServerConfiguration
    let accounts: AccountsService
    let origins: OriginChoice
    let pages: PageRenderer
    let time: TimeSource
    private let appleByOrigin: [WebOrigin: AppleSignIn]
    private let firstApple: AppleSignIn

    init(
        configuration: AccountsServerConfiguration,
        accounts: AccountsService,
        apple: AppleSignIn,
        transport: AppleTransport,
        time: TimeSource
    ) throws {
        self.configuration = configuration
        self.accounts = accounts
        self.time = time
        origins = try OriginChoice(configuration.origins)
        pages = try PageRenderer(appName: configuration.appName)
        firstApple = apple
        // These only make addresses: where browsers find Apple depends on the name they use here.
        appleByOrigin = configuration.origins.reduce(into: [:]) { byOrigin, origin in
            var settings = configuration.apple
            settings.service.browserURL = origin.appleBrowserURL
            byOrigin[origin] = AppleSignIn(
                configuration: settings,
                transport: transport,
                time: time
            )
        }
    }

    var browsers: BrowserGuard { BrowserGuard(origins: origins) }
    var authenticator: Authenticator { Authenticator(accounts: accounts, browsers: browsers) }
    var ceremonies: CeremonyCookies<SignInNote> {
        CeremonyCookies(sealer: configuration.sealer)
    }

    func apple(for origin: WebOrigin) -> AppleSignIn {
        appleByOrigin[origin] ?? firstApple
    }

    var routes: [Route] {
        SignInRoutes(server: self).routes + AccountPageRoutes(server: self).routes
            + SessionRoutes(server: self).routes + AccountRoutes(server: self).routes
            + NotificationRoutes(server: self).routes + HealthRoutes(server: self).routes
            + AssetRoutes(assets: pages.assets).routes
    }
}
