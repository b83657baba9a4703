import Foundation
import Hummingbird

/// Starts the server with the settings of the environment.
@main struct HelloApple {
    static func main() async throws {
        let settings = ProcessInfo.processInfo.environment
        let router = try helloRouter(
            apple: helloApple(settings),
            sealingKeys: settings["SEALING_KEYS"] ?? "",
            publicURL: settings["PUBLIC_URL"] ?? "http://localhost:8080"
        )
        try await Application(router: router).runService()
    }
}
