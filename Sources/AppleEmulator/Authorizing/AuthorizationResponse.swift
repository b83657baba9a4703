import AppleIdentity

/// What goes to the redirect address.
struct AuthorizationResponse {
    typealias Field = (name: String, value: String)

    let fields: [Field]

    /// The person said no: the only error that Apple sends to the redirect address.
    static func cancelled(_ request: AuthorizationRequest) -> AuthorizationResponse {
        let error = OAuthErrorResponse.Code.userCancelledAuthorize.rawValue
        return AuthorizationResponse(fields: state(of: request) + [("error", error)])
    }

    /// The person said yes.
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

    /// The `user` field: only the first time, and only what was asked.
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

    /// The redirect address with the fields in its query or fragment.
    func address(for request: AuthorizationRequest) -> String {
        let encoded = FormFields.encode(fields)
        if request.responseMode == .fragment { return request.redirectURI + "#" + encoded }
        return request.redirectURI + (request.redirectURI.contains("?") ? "&" : "?") + encoded
    }
}
