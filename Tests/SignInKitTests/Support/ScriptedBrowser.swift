import AppleIdentity
import Foundation

@testable import SignInKit

/// A browser whose person comes back with what a test wants.
struct ScriptedBrowser: BrowserSession {
    let opened = LockedValue<[URL]>([])
    /// The query, for the state of the request.
    let answer: @Sendable (String) -> String

    func redirectURI() async throws(AuthorizationFailure) -> URL {
        guard let url = URL(string: "com.example.juice:/signed-in") else {
            throw AuthorizationFailure(.failed)
        }
        return url
    }

    func open(_ url: URL, callback: URL) async throws(AuthorizationFailure) -> URL {
        opened.withLock { $0.append(url) }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        let state = items?.first { $0.name == "state" }?.value ?? ""
        guard let url = URL(string: callback.absoluteString + answer(state)) else {
            throw AuthorizationFailure(.failed)
        }
        return url
    }
}
