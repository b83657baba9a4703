import Foundation
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// Starts the server with settings from the environment.
@main struct HelloApple {
    static func main() async throws {
        let settings = ProcessInfo.processInfo.environment
        guard let port = Int(settings["PORT"] ?? "9080") else { throw HelloError.malformedPort }
        let router = try helloRouter(
            apple: helloApple(settings),
            sealingKeys: settings["SEALING_KEYS"] ?? "",
            publicURL: settings["PUBLIC_URL"] ?? "http://127.0.0.1:\(port)"
        )
        let app = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port))
        )
        try await app.runService()
    }
}

/// Creates the library's entry point with settings from the environment.
///
/// `APPLE_URL` is the URL of an emulator, or https://appleid.apple.com; it has no default.
func helloApple(_ settings: [String: String]) throws -> AppleSignIn {
    guard let url = URL(string: settings["APPLE_URL"] ?? "") else { throw HelloError.noAppleURL }
    let key = try ClientSecretKey(
        pem: String(contentsOfFile: settings["KEY_FILE"] ?? "AuthKey.p8", encoding: .utf8),
        keyID: KeyID(settings["KEY_ID"] ?? ""),
        teamID: TeamID(settings["TEAM_ID"] ?? "")
    )
    let configuration = AppleSignIn.Configuration(
        clientIDs: ["com.example.juice", "com.example.juice.web"],
        key: key,
        service: AppleService(url: url)
    )
    return AppleSignIn(configuration: configuration)
}

/// The reason why the server does not start.
enum HelloError: Error {
    /// There is no default, because a forgotten `APPLE_URL` would send requests to Apple.
    case noAppleURL
    case malformedPort
}
