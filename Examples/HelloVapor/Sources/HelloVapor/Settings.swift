import SignInWithApple
import Vapor

/// Settings from the environment.
struct Settings: Sendable {
    /// The library's entry point.
    let apple: AppleSignIn
    /// Seals refresh tokens, and what a browser keeps while it is at Apple.
    let sealer: TokenSealer
    /// Where browsers find this server: scheme, host and port, without a slash at the end.
    let publicURL: String
    /// The file of the database.
    let database: String

    /// The name of the session cookie, `__Host-session` at https.
    var sessionCookieName: String { SiteCookies(at: publicURL).name("session") }

    /// Reads the environment and the file `.env`.
    static func fromEnvironment(_ environment: Environment) throws -> Settings {
        let isProduction = environment == .production
        let publicURL = try required("PUBLIC_URL", or: isProduction ? nil : "http://localhost:8080")
        guard URL(string: publicURL)?.host != nil, !publicURL.hasSuffix("/") else {
            throw SettingsError.unusable("PUBLIC_URL")
        }
        return Settings(
            apple: AppleSignIn(configuration: try .init()),
            sealer: try TokenSealer(keys: try required("SEALING_KEYS")),
            publicURL: publicURL,
            database: try required("DATABASE", or: isProduction ? nil : "hello.sqlite")
        )
    }

    private static func required(_ name: String, or other: String? = nil) throws -> String {
        guard let value = Environment.get(name) ?? other, !value.isEmpty else {
            throw SettingsError.missing(name)
        }
        return value
    }
}

/// The reason why the server does not start.
enum SettingsError: Error, Equatable, CustomStringConvertible {
    case missing(String)
    case unusable(String)

    var description: String {
        switch self {
        case .missing(let name): "\(name) is missing in the environment and in .env"
        case .unusable(let name): "\(name) is not a valid URL, or ends with a slash"
        }
    }
}
