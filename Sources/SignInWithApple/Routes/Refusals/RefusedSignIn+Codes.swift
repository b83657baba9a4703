import AppleIdentity
import HTTPTypes

extension RefusedSignIn {
    /// Seconds after which a server's own failure is worth another attempt.
    private static let ownRetryAfterSeconds = 2

    /// The type alone is told: what an unforeseen error says of itself may hold anything.
    static func signInUnfinished(_ error: any Error) -> RefusedSignIn {
        RefusedSignIn(
            "sign_in_unfinished",
            .serviceUnavailable,
            "The sign-in could not be finished at the moment.",
            hint: "your function for sign-ins threw an error of type \(type(of: error))",
            isRetryable: true,
            retryAfterSeconds: ownRetryAfterSeconds
        )
    }

    static func notificationUnfinished(_ error: any Error) -> RefusedSignIn {
        RefusedSignIn(
            "notification_unfinished",
            .serviceUnavailable,
            "The notification could not be acted on at the moment.",
            hint: "your function for notifications threw an error of type \(type(of: error))",
            isRetryable: true,
            retryAfterSeconds: ownRetryAfterSeconds
        )
    }
}

/// About the request itself.
extension RefusedSignIn {
    package static let crossSiteRequest = RefusedSignIn(
        "cross_site_request",
        .forbidden,
        "This change was not asked for from one of our own pages.",
        hint: "Sec-Fetch-Site is not same-origin, or without it Origin is not this server's"
    )

    static let purposeUnknown = RefusedSignIn(
        "purpose_unknown",
        .unprocessableContent,
        "This sign-in was begun for something unknown.",
        hint: "the purpose is none of the web flow's"
    )

    static let repeatedCallbackAltered = RefusedSignIn(
        "callback_malformed",
        .badRequest,
        "The answer that came back from Apple could not be read.",
        hint: "the sealed callback is missing or altered"
    )

    package static let contentMalformed = RefusedSignIn(
        "content_malformed",
        .badRequest,
        "The request's content could not be read.",
        hint: "the body is not framed as RFC 9112 says: a chunk of the wrong form or size"
    )

    static let formUnreadable = RefusedSignIn(
        "form_unreadable",
        .badRequest,
        "The form could not be read.",
        hint: "a broken escape, not UTF-8, or too many fields"
    )

    package static let requestTooSlow = RefusedSignIn(
        "request_too_slow",
        .requestTimeout,
        "The request took too long to arrive.",
        hint: "the body was not there after \(RouteLimits.maximumBodySeconds) seconds"
    )

    static func unsupportedContentType(_ expected: String) -> RefusedSignIn {
        RefusedSignIn(
            "content_type_unsupported",
            .unsupportedMediaType,
            "The request's content has to be \(expected).",
            hint: "the Content-Type field is missing or names another type"
        )
    }

    package static func contentTooLarge(_ maximumByteCount: Int) -> RefusedSignIn {
        RefusedSignIn(
            "content_too_large",
            .contentTooLarge,
            "The request is too large.",
            hint: "the body has more than \(maximumByteCount) bytes"
        )
    }

    static func jsonUnreadable(_ reason: String) -> RefusedSignIn {
        RefusedSignIn(
            "json_unreadable",
            .badRequest,
            "The request's content is not an acceptable JSON object: \(reason).",
            hint: "the body is not an acceptable JSON object: \(reason)"
        )
    }

    package static func missingField(_ name: String) -> RefusedSignIn {
        RefusedSignIn(
            "field_missing",
            .unprocessableContent,
            "The field \(name) is missing.",
            hint: "the field \(name) is missing or null"
        )
    }

    init(_ error: JSONFieldError) {
        switch error {
        case .missing(let name): self = .missingField(name)
        case .wrongType(let name, let expected):
            self.init(
                "field_invalid",
                .unprocessableContent,
                "The field \(name) has to be \(expected).",
                hint: "the field \(name) is of another type"
            )
        case .unknown(let name, let known):
            let name = Excerpt.quoting(name)
            self.init(
                "field_unknown",
                .badRequest,
                "The field \(name) is not known here; known are: \(known.joined(separator: ", ")).",
                hint: "the field \(name) is unknown"
            )
        }
    }

    static func fieldTooLong(_ field: String, maximumByteCount: Int) -> RefusedSignIn {
        RefusedSignIn(
            "field_too_long",
            .unprocessableContent,
            "The field \(field) is too long.",
            hint: "\(field) has more than \(maximumByteCount) bytes"
        )
    }
}

/// About the nonce and the code of an app's sign-in.
extension RefusedSignIn {
    static let codeRequired = RefusedSignIn(
        "code_required",
        .unprocessableContent,
        "The field authorizationCode is missing.",
        hint: "without a code nothing keeps a token from being used twice"
    )

    static let nonceRequired = RefusedSignIn(
        "nonce_required",
        .unprocessableContent,
        "The sign-in has no nonce.",
        hint: "this server requires a nonce of its own for native sign-in"
    )

    static let nonceUnknown = RefusedSignIn(
        "nonce_unknown",
        .unauthorized,
        "This sign-in was not started here. Please sign in again.",
        hint: "the server did not give out the nonce, or it was used or is too old"
    )
}
