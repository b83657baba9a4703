import AppleIdentity
import Foundation
import HTTPTypes
import SignInWithApple

/// Checks the apps of `SIWA_APP_IDS`, and the file that Apple's systems fetch from the running server.
struct AssociatedAppsCheck {
    let identifiers: [String]
    let teamID: String
    let clientIDs: [String]
    let publicURL: String
    let transport: AppleTransport

    private var check: Check { Check("associated apps") }

    func findings() async -> [DiagnosticFinding] {
        guard !identifiers.isEmpty else { return [] }
        let unknown = identifiers.filter {
            !$0.hasPrefix(teamID + ".")
                || !clientIDs.contains(String($0.dropFirst(teamID.count + 1)))
        }
        guard unknown.isEmpty else {
            return [
                check.warning(
                    "\(unknown.joined(separator: ", ")): not the team SIWA_TEAM_ID with one of "
                        + "SIWA_CLIENT_IDS; that app can't use this server's passwords"
                )
            ]
        }
        return [await served()]
    }

    private func served() async -> DiagnosticFinding {
        let file = publicURL + WebPath.appAssociation
        guard publicURL.hasPrefix("https:") else {
            return check.warning("Apple's systems fetch \(WebPath.appAssociation) only over https")
        }
        guard let response = try? await transport.send(request, body: Data()) else {
            return check.unchecked("no response from \(file); is the server started?")
        }
        let document = try? JSONFields(JSONObject(parsing: response.body)).optionalFields(
            "webcredentials"
        )
        let served = document?.object["apps"]?.arrayValue?.compactMap(\.stringValue) ?? []
        guard response.head.status == .ok, Set(identifiers).isSubset(of: served) else {
            return check.failure(
                "\(file) responds with \(response.head.status.code) and does not list SIWA_APP_IDS; restart "
                    + "the server, and let the proxy pass the path without a redirect"
            )
        }
        return check.ok("\(file) lists \(identifiers.joined(separator: ", "))")
    }

    private var request: HTTPRequest { .reading(WebPath.appAssociation, at: publicURL) }
}

extension HTTPRequest {
    /// A request for a path of a server.
    static func reading(_ path: String, at publicURL: String) -> HTTPRequest {
        let url = URL(string: publicURL)
        let port = url?.port.map { ":\($0)" } ?? ""
        return HTTPRequest(
            method: .get,
            scheme: url?.scheme,
            authority: url?.host().map { $0 + port },
            path: path
        )
    }
}
