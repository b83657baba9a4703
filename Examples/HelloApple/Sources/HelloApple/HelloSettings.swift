import Foundation
import SignInWithAppleHummingbird

/// The library's facade, with the settings of the environment; without APPLE_URL it is Apple's own.
func helloApple(_ settings: [String: String]) throws -> AppleSignIn {
    let key = try ClientSecretKey(
        pem: String(contentsOfFile: settings["KEY_FILE"] ?? "AuthKey.p8", encoding: .utf8),
        keyID: KeyID(settings["KEY_ID"] ?? ""),
        teamID: TeamID(settings["TEAM_ID"] ?? "")
    )
    var configuration = AppleSignIn.Configuration(
        clientIDs: ["com.example.juice", "com.example.juice.web"],
        key: key
    )
    if let url = settings["APPLE_URL"].flatMap({ URL(string: $0) }) {
        configuration.service = AppleService(url: url)
    }
    let apple = AppleSignIn(configuration: configuration)
    return apple
}
