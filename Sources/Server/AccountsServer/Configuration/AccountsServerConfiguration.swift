import Accounts
import AccountsPostgreSQL
import AppleIdentity
import Configuration
import SignInWithApple

/// The settings of the accounts server.
package struct AccountsServerConfiguration: Sendable {
    /// The app's name, shown on pages.
    package var appName = standardAppName
    /// The team's logo, color and links on the pages.
    package var brand = Brand()
    /// The origins of the server; the first one is used when a request names none of them.
    package var origins: [WebOrigin]
    /// The database with the accounts.
    package var database: DatabaseAddress
    /// The configuration of the library, with the client IDs and the key.
    package var apple: AppleSignIn.Configuration
    /// The apps that may use the native sign-in.
    package var nativeClientIDs: Set<ClientID>
    /// The apps that sign in through the browser, with their redirect URIs.
    package var appRedirects = AppRedirects()
    /// The apps that Apple's systems associate with the server's host.
    package var associatedApps = AssociatedApps()
    /// The Android apps to which the server leads back from Apple's page.
    package var androidApps = AndroidApps()
    /// The services for which sessions get access tokens.
    package var tokenAudiences = TokenAudiences()
    /// The services that may introspect tokens.
    package var introspectionSecrets = IntrospectionSecrets()
    /// The Services IDs of the team; the first is the one of the server's own pages.
    package var servicesIDs: [ClientID]
    /// Seals (encrypts) Apple's refresh tokens and the browsers' pending sign-ins.
    package var sealer: TokenSealer
    /// Whether the native sign-in requires a nonce from this server.
    package var requiresNonce = false
    /// The origins whose pages may call the API.
    package var allowedOrigins = AllowedOrigins()
    package var log = LogSettings()
    /// The proxy for requests to Apple; nil for none.
    package var proxy: AppleProxy?
    /// The proxies that are trusted to forward the client's IP address.
    package var trustedProxies = TrustedProxies()
    /// The networks that may read `GET /metrics`.
    package var metricsReaders = MetricsReaders()
    /// The mail settings; nil when the server sends no mail.
    package var mail: MailSettings?
    /// The maximum number of refresh tokens that this process validates a minute.
    package var validationsPerMinute = TokenValidationService.defaultCountPerMinute
    /// The maximum number of open connections; each is an open file of the process.
    package var maximumConnectionCount = ServerLimits.maximumConnectionCount
    /// The rules for sessions, names and nonces.
    package var rules = AccountsConfiguration()
}

extension AccountsServerConfiguration {
    /// The name of the sample app, whose logo the pages have.
    package static let standardAppName = "Juice"

    /// The Services ID of the server's pages; without it they have no Apple button.
    package var servicesID: ClientID? { servicesIDs.first }

    /// The rules with the app's name, and with whether the server sends mail.
    var completeRules: AccountsConfiguration {
        var rules = rules
        rules.appName = appName
        rules.issuer = origins.first?.serialized ?? ""
        rules.hasMail = mail != nil
        rules.teamID = apple.key?.teamID
        return rules
    }
}

package enum DatabaseAddress: Hashable, Sendable {
    /// A SQLite file at this path.
    case sqlite(path: String)
    /// A PostgreSQL database, which several replicas may share.
    case postgreSQL(ConnectionSettings)

    /// The URL without the setting.
    static let standardURL = "sqlite:siwa.sqlite"

    /// Reads only the database's URL; throws ``ConfigurationError`` about `SIWA_DATABASE_URL`.
    package init(reader: ConfigReader) throws(ConfigurationError) {
        try self.init(ConfigurationValues(reader))
    }

    init(_ values: ConfigurationValues) throws(ConfigurationError) {
        try self.init(values.secret("SIWA_DATABASE_URL") ?? Self.standardURL)
    }

    /// Reads a URL; throws ``ConfigurationError``, which never contains the URL's password.
    package init(_ text: String) throws(ConfigurationError) {
        let scheme = "sqlite:"
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgreSQL(try Self.settings(text))
        } else if text.hasPrefix(scheme), text.count > scheme.count {
            self = .sqlite(path: String(text.dropFirst(scheme.count)))
        } else {
            throw ConfigurationError(
                "SIWA_DATABASE_URL",
                "is not a database URL",
                fix:
                    "use sqlite:PATH, for example sqlite:/var/lib/siwa/siwa.sqlite, or postgres://USER@HOST/DATABASE"
            )
        }
    }

    private static func settings(_ url: String) throws(ConfigurationError) -> ConnectionSettings {
        do throws(ConnectionSettings.URLError) {
            return try ConnectionSettings(url: url)
        } catch {
            throw ConfigurationError("SIWA_DATABASE_URL", error.message, fix: error.fix)
        }
    }
}
