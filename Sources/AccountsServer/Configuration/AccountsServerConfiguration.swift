import Accounts
import AccountsPostgreSQL
import AppleIdentity
import Configuration
import SignInWithApple

/// Everything the accounts server is told before it starts.
package struct AccountsServerConfiguration: Sendable {
    /// The app's name, shown on pages.
    package var appName: String
    /// The names by which browsers reach the server; the first one when a request names none of them.
    package var origins: [WebOrigin]
    /// Where the accounts are stored.
    package var database: DatabaseAddress
    /// What the library needs to know about Apple.
    package var apple: AppleSignIn.Configuration
    /// The apps that may sign in natively.
    package var nativeClientIDs: Set<ClientID>
    /// The apps that come back from the browser, and where.
    package var appRedirects = AppRedirects()
    /// The Services ID of the web flow; without one there is no Apple button.
    package var servicesID: ClientID?
    /// The keys that seal Apple's refresh tokens and the browsers' pending sign-ins.
    package var sealer: TokenSealer
    /// Whether native sign-in needs a nonce from this server.
    package var requiresNonce: Bool
    package var log = LogSettings()
    /// The proxies in front of the server whose word about the client's address counts.
    package var trustedProxies = TrustedProxies()
    /// Who may read `GET /metrics`.
    package var metricsReaders = MetricsReaders()
    /// Whether lines of the log tell their trace, and requests to Apple carry it, without another tracer.
    package var handsTracesOn = false
    /// How mail leaves the server; without it nobody gets any.
    package var mail: MailSettings?
    /// Connections open at once; each is an open file of the process.
    package var maximumConnectionCount = ServerLimits.maximumConnectionCount
    /// The rules of sessions, names and nonces.
    package var rules = AccountsConfiguration()
}

extension AccountsServerConfiguration {
    /// The rules, with the app's name, and whether what needs mail is offered.
    var completeRules: AccountsConfiguration {
        var rules = rules
        rules.appName = appName
        rules.hasMail = mail != nil
        rules.teamID = apple.key?.teamID
        return rules
    }
}

/// Where the accounts are stored.
package enum DatabaseAddress: Hashable, Sendable {
    /// A SQLite file at this path.
    case sqlite(path: String)
    /// A PostgreSQL database, which several servers may share.
    case postgreSQL(ConnectionSettings)

    /// Reads where a server with these settings stores its accounts, whatever the other settings are; throws
    /// ``ConfigurationError`` about `SIWA_DATABASE_URL`.
    package init(reader: ConfigReader) throws(ConfigurationError) {
        try self.init(ConfigurationValues(reader))
    }

    init(_ values: ConfigurationValues) throws(ConfigurationError) {
        try self.init(values.optional("SIWA_DATABASE_URL") ?? "sqlite:siwa.sqlite")
    }

    /// Reads an address, which may carry a password: no error repeats it; throws ``ConfigurationError`` about
    /// `SIWA_DATABASE_URL`.
    package init(_ text: String) throws(ConfigurationError) {
        let scheme = "sqlite:"
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgreSQL(try Self.settings(text))
        } else if text.hasPrefix(scheme), text.count > scheme.count {
            self = .sqlite(path: String(text.dropFirst(scheme.count)))
        } else {
            throw ConfigurationError(
                "SIWA_DATABASE_URL",
                "is not the address of a database",
                fix:
                    "write sqlite:PATH, for example sqlite:/var/lib/siwa/siwa.sqlite, or postgres://USER@HOST/DATABASE"
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
