import AppleIdentity
import HTTPTypes
import SignInWithAppleHummingbird

extension ServerError {
    /// RFC 6750, section 3: a request without credentials is told the scheme and no error.
    /// https://www.rfc-editor.org/rfc/rfc6750#section-3
    static let bearer = "Bearer realm=\"accounts\""
    /// The same section: a token that is not good any more.
    static let invalidBearer = bearer + ", error=\"invalid_token\""

    static let notFound = ServerError(
        "not_found",
        .notFound,
        "There is nothing at this address.",
        hint: "no route has this path"
    )

    static let notSignedIn: ServerError = {
        var error = ServerError(
            "not_signed_in",
            .unauthorized,
            "You are not signed in.",
            hint: "neither an Authorization field with a Bearer token nor a session cookie came"
        )
        error.headers[.wwwAuthenticate] = bearer
        return error
    }()

    static let crossSiteRequest = ServerError(
        "cross_site_request",
        .forbidden,
        "This change was not asked for from one of our own pages.",
        hint: "Sec-Fetch-Site is not same-origin, or without it Origin is not this server's"
    )

    static let webSignInUnavailable = ServerError(
        "web_sign_in_unavailable",
        .notFound,
        "Signing in on the web is not set up here.",
        hint: "SIWA_SERVICES_ID is not set"
    )

    static func methodNotAllowed(_ methods: [String]) -> ServerError {
        var error = ServerError(
            "method_not_allowed",
            .methodNotAllowed,
            "This address can't be used that way.",
            hint: "the path has other methods: \(methods.joined(separator: ", "))"
        )
        // RFC 9110, section 15.5.6: the answer must tell the methods the resource has.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.6
        error.headers[.allow] = methods.joined(separator: ", ")
        return error
    }

    static func unreadableJSON(_ hint: String) -> ServerError {
        ServerError(
            "json_unreadable",
            .badRequest,
            "The request's content is not a JSON object.",
            hint: hint
        )
    }

    static func unreadableForm(_ hint: String) -> ServerError {
        ServerError("form_unreadable", .badRequest, "The form could not be read.", hint: hint)
    }

    static func missingField(_ name: String) -> ServerError {
        ServerError(
            "field_missing",
            .unprocessableContent,
            "The field \(name) is missing.",
            hint: "the field \(name) is missing or null"
        )
    }

    static func fieldNotOnce(_ name: String) -> ServerError {
        ServerError(
            "field_not_once",
            .unprocessableContent,
            "The form has to have the field \(name) exactly once. Nothing was changed.",
            hint: "the field \(name) is missing or doubled"
        )
    }

    static func invalidField(_ name: String, expected: String) -> ServerError {
        ServerError(
            "field_invalid",
            .unprocessableContent,
            "The field \(name) has to be \(expected).",
            hint: "the field \(name) is of another type"
        )
    }

    static let sessionNotFound = ServerError(
        "session_not_found",
        .notFound,
        "There is no such session.",
        hint: "no session can have that id"
    )

    static func unknownField(_ name: String, known: [String]) -> ServerError {
        let name = Excerpt.quoting(name)
        return ServerError(
            "field_unknown",
            .badRequest,
            "The field \(name) is not known here; known are: \(known.joined(separator: ", ")).",
            hint: "the field \(name) is unknown"
        )
    }

    static func internalError(_ error: any Error) -> ServerError {
        // The type alone: what an unforeseen error says of itself may hold anything.
        ServerError(
            "internal_error",
            .internalServerError,
            "The server has made a mistake.",
            hint: "an error of type \(type(of: error)) was not foreseen"
        )
    }
}

extension ServerError {
    init(_ refusal: ContentRefusal) {
        self =
            switch refusal {
            case .unsupportedType(let expected): .unsupportedContentType(expected)
            case .tooLarge(let maximumByteCount): .tooLarge(maximumByteCount: maximumByteCount)
            case .tooSlow(let maximumSeconds): .requestTooSlow(maximumSeconds: maximumSeconds)
            }
    }

    private static func tooLarge(maximumByteCount: Int) -> ServerError {
        ServerError(
            "content_too_large",
            .contentTooLarge,
            "The request is too large.",
            hint: "the body has more than \(maximumByteCount) bytes"
        )
    }

    private static func unsupportedContentType(_ expected: String) -> ServerError {
        ServerError(
            "content_type_unsupported",
            .unsupportedMediaType,
            "The request's content has to be \(expected).",
            hint: "the Content-Type field is missing or names another type"
        )
    }

    private static func requestTooSlow(maximumSeconds: Int) -> ServerError {
        var error = ServerError(
            "request_too_slow",
            .requestTimeout,
            "The request took too long to arrive.",
            hint: "the body was not there after \(maximumSeconds) seconds"
        )
        // RFC 9110, section 15.5.9: the server does not want to wait any longer.
        // https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9
        error.headers[.connection] = "close"
        return error
    }
}
