import Foundation
import Hummingbird
import SignInWithApple

/// Starts the server with the settings of the environment.
@main struct HelloApple {
    static func main() async throws {
        let settings = ProcessInfo.processInfo.environment
        let key = try ClientSecretKey(
            pem: String(contentsOfFile: settings["KEY_FILE"] ?? "AuthKey.p8", encoding: .utf8),
            keyID: KeyID(settings["KEY_ID"] ?? ""),
            teamID: TeamID(settings["TEAM_ID"] ?? "")
        )
        let clientIDs: [ClientID] = ["com.example.juice", "com.example.juice.web"]
        let apple = AppleSignIn(configuration: .init(clientIDs: clientIDs, key: key))
        let router = try helloRouter(apple: apple, sealingKeys: settings["SEALING_KEYS"] ?? "")
        try await Application(router: router).runService()
    }
}
