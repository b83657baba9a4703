import Foundation
import Hummingbird
import SignInWithApple

/// Starts the server with settings from the environment.
@main struct HelloApple {
    static func main() async throws {
        let settings = ProcessInfo.processInfo.environment
        let port = Int(settings["PORT"] ?? "") ?? 9080
        let hello = try Hello(
            apple: AppleSignIn(configuration: .init(environment: settings)),
            sealer: TokenSealer(keys: settings["SEALING_KEYS"] ?? ""),
            store: DemoAppleTokenStore(file: URL(filePath: "apple-tokens.json")),
            publicURL: settings["PUBLIC_URL"] ?? "http://127.0.0.1:\(port)"
        )
        let app = Application(
            router: hello.router,
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            services: [hello.tokens]
        )
        try await app.runService()
    }
}
