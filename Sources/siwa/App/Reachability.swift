import Foundation
import HTTPTypes
import SignInWithApple

/// Finds out at the start whether the servers are there, so that a wrong address is told at once.
enum Reachability {
    /// Asks for a path that every running server answers.
    static func check(_ url: URL, path: String, option: String) async throws {
        let host = url.host() ?? ""
        let request = HTTPRequest(
            method: .get,
            scheme: url.scheme,
            authority: url.port.map { "\(host):\($0)" } ?? host,
            path: path
        )
        let status = try? await AppleTransport.live().send(request, body: Data()).0.status
        guard let status else {
            throw CommandFailure(
                "nothing answers at \(url.absoluteString)",
                hint: "start siwa demo (or make run) in another terminal, or give the address with "
                    + option
            )
        }
        guard status == .ok else {
            throw CommandFailure(
                "\(url.absoluteString) answers \(path) with \(status.code)",
                hint: "give the address that siwa demo prints with \(option)"
            )
        }
    }

    /// Reads an address from the command line.
    static func address(_ text: String, option: String) throws -> URL {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme),
            url.host()?.isEmpty == false
        else {
            throw CommandFailure.usage(
                "\(option) \(text) is not an address",
                hint: "give one such as http://localhost:8080"
            )
        }
        return url
    }
}
