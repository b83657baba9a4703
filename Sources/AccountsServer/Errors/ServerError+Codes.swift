import HTTPTypes

extension ServerError {
    /// RFC 6750, section 3: a request without credentials is told the scheme and no error.
    /// https://www.rfc-editor.org/rfc/rfc6750#section-3
    static let bearer = "Bearer realm=\"accounts\""
    /// The same section: a token that is not good any more.
    static let invalidBearer = bearer + ", error=\"invalid_token\""

    static let notFound = ServerError(
        "not_found",
        .notFound,
        "Nothing was found at this address.",
        hint: "no route has this path"
    )

    /// Told as if there were no such path; the log says why.
    static let metricsHidden = ServerError(
        notFound.code,
        notFound.status,
        notFound.message,
        hint: "metrics are for \(MetricsReaders.settingName) alone, not behind a proxy"
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

    static let nativeSignInUnavailable = ServerError(
        "native_sign_in_unavailable",
        .notFound,
        "Signing in from an app is not set up here.",
        hint: "SIWA_CLIENT_IDS is not set"
    )

    static func methodNotAllowed(_ methods: [String]) -> ServerError {
        var error = ServerError(
            "method_not_allowed",
            .methodNotAllowed,
            "This address does not support this method.",
            hint: "the path has other methods: \(methods.joined(separator: ", "))"
        )
        // RFC 9110, section 15.5.6: the answer must tell the methods the resource has.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6
        error.headers[.allow] = methods.joined(separator: ", ")
        return error
    }

    static func fieldNotOnce(_ name: String) -> ServerError {
        var error = ServerError(
            "field_not_once",
            .unprocessableContent,
            "The form must have the field \(name) exactly once. Nothing was changed.",
            hint: "the field \(name) is missing or duplicated"
        )
        error.parameters = ["field": name]
        return error
    }

    static let sessionNotFound = ServerError(
        "session_not_found",
        .notFound,
        "There is no such session.",
        hint: "no session can have that id"
    )

    static func internalError(_ error: any Error) -> ServerError {
        // The type alone: what an unforeseen error says of itself may hold anything.
        ServerError(
            "internal_error",
            .internalServerError,
            "Something went wrong on the server.",
            hint: "unexpected error of type \(type(of: error))"
        )
    }
}
