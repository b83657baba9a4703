import SignInWithApple
import Vapor

/// What the server is told from outside.
struct Settings: Sendable {
    /// The app's bundle identifier.
    static let appID: ClientID = "com.example.juice"
    /// The web site's Services ID.
    static let servicesID: ClientID = "com.example.juice.web"

    /// The library's facade.
    let apple: AppleSignIn
    /// Seals refresh tokens, and what a browser keeps while it is at Apple.
    let sealer: TokenSealer
    /// Where browsers find this server: scheme, host and port.
    let publicURL: String
    /// The file of the database.
    let database: String

    /// Reads the environment, and the file `.env`.
    ///
    /// `APPLE_URL` is the address of an emulated Apple, or https://appleid.apple.com; it has no default.
    static func fromEnvironment() throws -> Settings {
        guard let url = URL(string: try required("APPLE_URL")) else {
            throw SettingsError.unusable("APPLE_URL")
        }
        let key = try ClientSecretKey(
            pem: String(contentsOfFile: try required("KEY_FILE"), encoding: .utf8),
            keyID: KeyID(try required("KEY_ID")),
            teamID: TeamID(try required("TEAM_ID"))
        )
        let configuration = AppleSignIn.Configuration(
            clientIDs: [appID, servicesID],
            key: key,
            service: AppleService(url: url)
        )
        return Settings(
            apple: AppleSignIn(configuration: configuration),
            sealer: try TokenSealer(keys: try required("SEALING_KEYS")),
            publicURL: Environment.get("PUBLIC_URL") ?? "http://localhost:8080",
            database: Environment.get("DATABASE") ?? "hello.sqlite"
        )
    }

    private static func required(_ name: String) throws -> String {
        guard let value = Environment.get(name), !value.isEmpty else {
            throw SettingsError.missing(name)
        }
        return value
    }
}

/// Why the server does not start.
enum SettingsError: Error, Equatable, CustomStringConvertible {
    case missing(String)
    case unusable(String)

    var description: String {
        switch self {
        case .missing(let name): "\(name) is missing in the environment and in .env"
        case .unusable(let name): "\(name) is no address"
        }
    }
}
