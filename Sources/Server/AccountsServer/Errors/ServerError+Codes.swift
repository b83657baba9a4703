import AppleIdentity
import HTTPTypes

extension ServerError {
    /// RFC 6750, section 3: a response to a request without credentials names the scheme, no error.
    /// https://www.rfc-editor.org/rfc/rfc6750#section-3
    static let bearer = "Bearer realm=\"accounts\""
    /// The same section: the token has expired, is revoked or is invalid.
    static let invalidBearer = bearer + ", error=\"invalid_token\""

    static let notFound = ServerError(
        "not_found",
        .notFound,
        "Nothing was found at this URL.",
        hint: "no route has this path"
    )

    /// The response does not reveal that the path exists; the log says why.
    static let metricsHidden = ServerError(
        notFound.code,
        notFound.status,
        notFound.message,
        hint: "metrics are only for direct connections from \(MetricsReaders.settingName)"
    )

    static let notSignedIn: ServerError = {
        var error = ServerError(
            "not_signed_in",
            .unauthorized,
            "You are not signed in.",
            hint: "the request has neither a Bearer token nor a session cookie"
        )
        error.headers[.wwwAuthenticate] = bearer
        return error
    }()

    static let webSignInUnavailable = ServerError(
        "web_sign_in_unavailable",
        .notFound,
        "Signing in on the web is not set up here.",
        hint: "SIWA_SERVICES_ID is not set"
    )

    /// A sign-in would fail at Apple's response, because the browser sends its cookies only to the host that set them.
    static func hostMismatch(_ host: String, _ publicURL: String) -> ServerError {
        let host = Excerpt.quoting(host)
        var error = ServerError(
            "host_mismatch",
            .misdirectedRequest,
            "The request's Host is \(host), but the public URL of this server is \(publicURL).",
            hint: "the Host is \(host): the proxy must pass it unchanged (nginx: proxy_set_header "
                + "Host $http_host), or SIWA_PUBLIC_URL, now \(publicURL), must be the URL in browsers"
        )
        error.parameters = ["host": host, "publicURL": publicURL]
        return error
    }

    static func accessTokensUnavailable(without setting: String) -> ServerError {
        ServerError(
            "access_tokens_unavailable",
            .notFound,
            "Tokens for other services are not set up here.",
            hint: "\(setting) is not set"
        )
    }

    static let audienceUnknown = ServerError(
        "audience_unknown",
        .unprocessableContent,
        "There are no access tokens for this audience.",
        hint: "the audience is not in SIWA_TOKEN_AUDIENCES"
    )

    /// The code of RFC 6749, section 5.2, which is also the member `error`.
    /// https://www.rfc-editor.org/rfc/rfc6749#section-5.2
    static let invalidClient: ServerError = {
        var error = ServerError(
            "invalid_client",
            .unauthorized,
            "The service or its secret is wrong.",
            hint: "the service and its secret are not in SIWA_INTROSPECTION_SECRETS"
        )
        error.isOAuth = true
        error.headers[.wwwAuthenticate] = "Basic realm=\"introspection\""
        return error
    }()

    static let invalidRequest: ServerError = {
        var error = ServerError(
            "invalid_request",
            .badRequest,
            "The form must contain the field token exactly once.",
            hint: "the field token is missing or duplicated"
        )
        error.isOAuth = true
        return error
    }()

    static func methodNotAllowed(_ methods: [String]) -> ServerError {
        var error = ServerError(
            "method_not_allowed",
            .methodNotAllowed,
            "This URL does not support this method.",
            hint: "the methods of this path are \(methods.joined(separator: ", "))"
        )
        // RFC 9110, section 15.5.6: the response must list the methods that the resource supports.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6
        error.headers[.allow] = methods.joined(separator: ", ")
        return error
    }

    static func fieldNotOnce(_ name: String) -> ServerError {
        var error = ServerError(
            "field_not_once",
            .unprocessableContent,
            "The form must contain the field \(name) exactly once. Nothing was changed.",
            hint: "the field \(name) is missing or duplicated"
        )
        error.parameters = ["field": name]
        return error
    }

    static let sessionNotFound = ServerError(
        "session_not_found",
        .notFound,
        "This session does not exist.",
        hint: "the account has no session with this id"
    )

    static func internalError(_ error: any Error) -> ServerError {
        // Only the type: the description of an unforeseen error may contain a secret.
        ServerError(
            "internal_error",
            .internalServerError,
            "Something went wrong on the server.",
            hint: "unexpected error of type \(type(of: error))"
        )
    }
}
