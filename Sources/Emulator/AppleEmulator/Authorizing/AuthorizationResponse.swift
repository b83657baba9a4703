import AppleIdentity
import Foundation

/// The fields that are sent to the redirect URI.
struct AuthorizationResponse {
    typealias Field = (name: String, value: String)

    let fields: [Field]

    /// The user cancelled: the only error that Apple sends to the redirect URI.
    static func cancelled(_ request: AuthorizationRequest) -> AuthorizationResponse {
        let error = OAuthErrorResponse.Code.userCancelledAuthorize.rawValue
        return AuthorizationResponse(fields: state(of: request) + [("error", error)])
    }

    static func granted(
        _ authorization: Authorization,
        identityToken: String?,
        to request: AuthorizationRequest
    ) -> AuthorizationResponse {
        var fields = state(of: request) + [("code", authorization.code)]
        if let identityToken { fields.append(("id_token", identityToken)) }
        if authorization.isFirst, let user = user(of: authorization, for: request) {
            fields.append(("user", user))
        }
        return AuthorizationResponse(fields: fields)
    }

    private static func state(of request: AuthorizationRequest) -> [Field] {
        request.state.map { [("state", $0)] } ?? []
    }

    /// The `user` field: only at the first authorization, and only the requested data.
    private static func user(
        of authorization: Authorization,
        for request: AuthorizationRequest
    ) -> String? {
        guard request.responseMode.carriesUser else { return nil }
        var user = JSONObject()
        if request.asksEmail, let email = authorization.email {
            user["email"] = .string(email.address)
        }
        if request.asksName {
            user["name"] = [
                "firstName": .string(authorization.name.givenName ?? ""),
                "lastName": .string(authorization.name.familyName ?? ""),
            ]
        }
        return user.members.isEmpty ? nil : user.text
    }

    /// The redirect URI with the fields in its query or fragment.
    func address(for request: AuthorizationRequest) -> String {
        let encoded = FormCoding.encode(fields)
        if request.responseMode == .fragment { return request.redirectURI + "#" + encoded }
        return request.redirectURI + (request.redirectURI.contains("?") ? "&" : "?") + encoded
    }
}

/// The message of a popup to the page that opened it.
///
/// The format is that of Apple's script: a JSON string with `method` and `data`.
package enum WebMessage {
    static func text(of response: AuthorizationResponse) -> String {
        let message: JSONObject = ["method": "oauthDone", "data": .object(data(of: response))]
        return message.text
    }

    private static func data(of response: AuthorizationResponse) -> JSONObject {
        if let error = response["error"] { return ["error": .string(error)] }
        var authorization = JSONObject()
        for name in ["code", "id_token", "state"] {
            authorization[name] = response[name].map { .string($0) }
        }
        var data: JSONObject = ["authorization": .object(authorization)]
        // A form has the user as a JSON string, a message as an object.
        data["user"] = response["user"].flatMap { try? JSONValue(parsing: Data($0.utf8)) }
        return data
    }

    /// The origin of a redirect URI, as browsers write it.
    ///
    /// Source: [HTML, serialization of an origin](https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin)
    package static func origin(of redirectURI: String) -> String {
        guard let components = URLComponents(string: redirectURI),
            let scheme = components.scheme?.lowercased(),
            let host = components.encodedHost?.lowercased()
        else { return "" }
        let isDefaultPort = components.port == (scheme == "https" ? 443 : 80)
        let port = isDefaultPort ? nil : components.port
        return "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
    }
}

extension AuthorizationResponse {
    fileprivate subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension ResponseMode {
    /// Whether it may carry the data that a user shares at the first authorization.
    var carriesUser: Bool { self == .formPost || self == .webMessage }
}
