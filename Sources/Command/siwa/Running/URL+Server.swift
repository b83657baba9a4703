import Foundation
import HTTPTypes
import SignInWithApple

/// The URL of a server, from the command line.
extension URL {
    /// Creates a URL; nil if the string has no host or its scheme is neither http nor https.
    init?(server text: String) {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme),
            url.host()?.isEmpty == false
        else { return nil }
        self = url
    }

    static func server(_ text: String, orUsage words: String, hint: String? = nil) throws -> URL {
        guard let url = URL(server: text) else { throw CommandFailure.usage(words, hint: hint) }
        return url
    }

    func answer() async throws -> (status: Int, body: Data) {
        let host = host() ?? ""
        let request = HTTPRequest(
            method: .get,
            scheme: scheme,
            authority: port.map { "\(host):\($0)" } ?? host,
            path: path() + (query().map { "?" + $0 } ?? "")
        )
        let proxy = try AppleProxy(environment: ProcessInfo.processInfo.environment)
        let response = try await AppleTransport.live(through: proxy)
            .send(request, body: Data())
        return (response.head.status.code, response.body)
    }
}
