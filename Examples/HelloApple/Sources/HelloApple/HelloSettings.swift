import Foundation
import SignInWithAppleHummingbird

/// The library's facade, with the settings of the environment.
///
/// `APPLE_URL` leads to an emulated Apple, or is https://appleid.apple.com; nothing is chosen silently.
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
    let apple = AppleSignIn(configuration: configuration)
    return apple
}

/// Why the server does not start.
enum HelloError: Error {
    /// A forgotten or misspelt address of an emulator must not lead to Apple itself.
    case noAppleURL
}
