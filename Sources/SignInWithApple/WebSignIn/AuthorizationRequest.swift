import AppleIdentity
import Foundation

/// The parameters of Apple's page.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
struct AuthorizationRequest {
    let clientID: ClientID
    let redirectURI: String
    let scopes: [Scope]
    let state: String
    let nonce: String

    func url(at browserURL: URL) -> URL {
        let page = browserURL.appending(path: ApplePath.authorize)
        var components = URLComponents(url: page, resolvingAgainstBaseURL: true)
        // A space is %20 and a plus sign %2B here: Foundation would leave the plus sign alone,
        // and whoever reads the query as a form would take it for a space.
        components?.percentEncodedQuery = FormCoding.encode(fields)
        return components?.url ?? page
    }

    private var fields: [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = [
            ("client_id", clientID.rawValue),
            ("redirect_uri", redirectURI),
            ("response_type", "code id_token"),
            ("response_mode", ResponseMode.formPost.rawValue),
        ]
        if !scopes.isEmpty {
            fields.append(("scope", scopes.map(\.rawValue).joined(separator: " ")))
        }
        fields.append(("state", state))
        fields.append(("nonce", nonce))
        return fields
    }
}
