import Foundation
import Hummingbird
import SignInWithApple
import SignInWithAppleHummingbird

/// Starts the server with settings from the environment.
@main struct HelloApple {
    static func main() async throws {
        let settings = ProcessInfo.processInfo.environment
        let port = Int(settings["PORT"] ?? "") ?? 9080
        let router = try helloRouter(
            apple: AppleSignIn(configuration: .init(environment: settings)),
            publicURL: settings["PUBLIC_URL"] ?? "http://127.0.0.1:\(port)"
        )
        let app = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: port))
        )
        try await app.runService()
    }
}
