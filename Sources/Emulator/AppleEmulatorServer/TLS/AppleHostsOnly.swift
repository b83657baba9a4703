import AppleEmulator
import Hummingbird

/// Passes requests for Apple's hosts to Apple's port as `https`, and refuses others.
struct AppleHostsOnly: HTTPResponder {
    let port: ApplePort

    func respond(to request: Request, context: PortContext) async throws -> Response {
        guard let authority = request.head.authority, AppleHosts.contain(authority: authority)
        else {
            // The body is not read.
            let problem = RequestProblem.hostUnknown(served: AppleHosts.names)
            return try await port.respond(
                to: request.head,
                body: .failure(problem),
                context: context
            )
        }
        var head = request.head
        // The server does not know that the connection is secure.
        head.scheme = "https"
        return try await port.respond(to: Request(head: head, body: request.body), context: context)
    }
}

/// Apple's host names that the emulator serves over TLS.
package enum AppleHosts {
    package static let names = ["appleid.apple.com", "account.apple.com", "appleid.cdn-apple.com"]

    /// Whether an authority, with or without port, is one of the names.
    static func contain(authority: String) -> Bool {
        names.contains(String(authority.lowercased().prefix { $0 != ":" }))
    }
}
