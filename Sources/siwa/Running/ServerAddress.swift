import Foundation
import HTTPTypes
import SignInWithApple

/// The address of a server, as people give it on the command line.
extension URL {
    /// Nil when the text has no host, or is for another protocol than HTTP.
    init?(server text: String) {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme),
            url.host()?.isEmpty == false
        else { return nil }
        self = url
    }

    /// Asks the server for what is at this address.
    func answer() async throws -> (status: Int, body: Data) {
        let host = host() ?? ""
        let request = HTTPRequest(
            method: .get,
            scheme: scheme,
            authority: port.map { "\(host):\($0)" } ?? host,
            path: path() + (query().map { "?" + $0 } ?? "")
        )
        let (response, body) = try await AppleTransport.live().send(request, body: Data())
        return (response.status.code, body)
    }
}
