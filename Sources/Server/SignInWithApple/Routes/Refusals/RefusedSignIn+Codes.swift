import AppleIdentity
import HTTPTypes

extension RefusedSignIn {
    /// The time after which a request may be repeated that failed in the server's own code.
    private static let ownRetryAfter = Duration.seconds(2)

    private static let unfinishedCode = "sign_in_unfinished"
    private static let unfinishedMessage = "The sign-in could not be completed. Please try again."

    /// The error that replaces your function's response, with the response's text.
    static func signInUnfinished(_ response: SignInResponse) -> RefusedSignIn {
        let isText = response.headers[.contentType]?.hasPrefix("text/plain") == true
        return RefusedSignIn(
            unfinishedCode,
            response.status,
            isText ? String(decoding: response.body, as: UTF8.self) : unfinishedMessage,
            hint: "your function responded with \(response.status.code)"
        )
    }

    /// Names the error's type only: its description may contain anything.
    static func signInUnfinished(_ error: any Error) -> RefusedSignIn {
        RefusedSignIn(
            unfinishedCode,
            .serviceUnavailable,
            unfinishedMessage,
            hint: "your function for sign-ins threw an error of type \(type(of: error))",
            isRetryable: true,
            retryAfter: ownRetryAfter
        )
    }

    static func notificationUnfinished(_ error: any Error) -> RefusedSignIn {
        RefusedSignIn(
            "notification_unfinished",
            .serviceUnavailable,
            "The notification could not be processed at the moment.",
            hint: "your function for notifications threw an error of type \(type(of: error))",
            isRetryable: true,
            retryAfter: ownRetryAfter
        )
    }
}

/// Errors of the request itself.
extension RefusedSignIn {
    package static let crossSiteRequest = RefusedSignIn(
        "cross_site_request",
        .forbidden,
        "This request did not come from one of our own pages.",
        hint: "Sec-Fetch-Site is not same-origin, or is missing and Origin is not this server's"
    )

    package static let embedded = RefusedSignIn(
        "cross_site_request",
        .forbidden,
        crossSiteRequest.message,
        hint: "Sec-Fetch-Mode is not navigate, or Sec-Fetch-Dest is not document"
    )

    static let purposeUnknown = RefusedSignIn(
        "purpose_unknown",
        .unprocessableContent,
        "The purpose of this sign-in is unknown.",
        hint: "the query parameter purpose is not one of the web flow's purposes"
    )

    static let repeatedCallbackAltered = RefusedSignIn(
        "callback_malformed",
        .badRequest,
        "Apple's response cannot be read. Please sign in again.",
        hint: "the form field with the encrypted callback is missing or was changed"
    )

    package static let contentMalformed = RefusedSignIn(
        "content_malformed",
        .badRequest,
        "The request's content cannot be read.",
        hint: "the chunked encoding of the body is invalid (RFC 9112, section 7.1)"
    )

    static let formUnreadable = RefusedSignIn(
        "form_unreadable",
        .badRequest,
        "The form cannot be read.",
        hint: "the form has an invalid percent escape, is not UTF-8, or has too many fields"
    )

    package static let requestTooSlow = RefusedSignIn(
        "request_too_slow",
        .requestTimeout,
        "The request took too long.",
        hint: "the body was incomplete after \(RouteLimits.maximumBodySeconds) seconds"
    )

    package static let serverBusy = RefusedSignIn(
        "server_busy",
        .serviceUnavailable,
        "The server is busy. Please try again.",
        hint: "the bodies of all requests in progress have reached the limit of bytes",
        isRetryable: true,
        retryAfter: ownRetryAfter
    )

    static func unsupportedContentType(_ expected: String) -> RefusedSignIn {
        RefusedSignIn(
            "content_type_unsupported",
            .unsupportedMediaType,
            "The request's content must be \(expected).",
            hint: "the Content-Type field is missing or names another type"
        )
    }

    package static func contentTooLarge(_ maximumCount: Int) -> RefusedSignIn {
        RefusedSignIn(
            "content_too_large",
            .contentTooLarge,
            "The request is too large.",
            hint: "the body has more than \(maximumCount) characters"
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
                "The field \(name) must be \(expected).",
                hint: "the field \(name) has the wrong type"
            )
        case .unknown(let name, let known):
            let name = Excerpt.quoting(name)
            self.init(
                "field_unknown",
                .badRequest,
                "The field \(name) is unknown. Known fields: \(known.joined(separator: ", ")).",
                hint: "the field \(name) is unknown"
            )
        }
    }

    static func wholeCredential(_ member: String) -> RefusedSignIn {
        RefusedSignIn(
            "field_unknown",
            .badRequest,
            "The field \(member) is unknown. Of the credential, send only "
                + "identityToken, authorizationCode, nonce and fullName.",
            hint: "the app posted its whole credential, with the field \(member)"
        )
    }

    static func fieldTooLong(_ field: String, maximumCount: Int) -> RefusedSignIn {
        RefusedSignIn(
            "field_too_long",
            .unprocessableContent,
            "The field \(field) is too long.",
            hint: "\(field) has more than \(maximumCount) characters"
        )
    }
}

/// Errors of the nonce and the code of an app's sign-in.
extension RefusedSignIn {
    static let codeRequired = RefusedSignIn(
        "code_required",
        .unprocessableContent,
        "The field authorizationCode is missing.",
        hint: "without a code a token could be used twice; requiresCode: false permits it"
    )

    static let nonceRequired = RefusedSignIn(
        "nonce_required",
        .unprocessableContent,
        "The sign-in has no nonce.",
        hint: "this server requires a nonce that it created, for a Services ID always"
    )

    static let nonceUnknown = RefusedSignIn(
        "nonce_unknown",
        .unauthorized,
        "This sign-in is unknown or has expired. Please sign in again.",
        hint: "the nonce was not created by this server, was already used, or has expired"
    )
}

/// Errors of the redirect URI and the code verifier that come with a code.
extension RefusedSignIn {
    static let redirectURIRequired = RefusedSignIn(
        "redirect_uri_required",
        .unprocessableContent,
        "The field redirectUri is missing.",
        hint:
            "the code belongs to a Services ID: send the redirect URI of the authorization request"
    )

    static let redirectURIUnexpected = RefusedSignIn(
        "redirect_uri_unexpected",
        .unprocessableContent,
        "The field redirectUri does not belong to this sign-in.",
        hint: "the token belongs to a bundle ID, whose codes have no redirect URI"
    )

    static let redirectURIInvalid = RefusedSignIn(
        "redirect_uri_invalid",
        .unprocessableContent,
        "The field redirectUri must be an absolute https URL without a fragment.",
        hint: "redirectUri is no absolute https URL (http only on loopback), or has a fragment"
    )

    static let redirectURINotAllowed = RefusedSignIn(
        "redirect_uri_not_allowed",
        .unprocessableContent,
        "The field redirectUri is not an address of this service.",
        hint: "the origin of redirectUri is neither the server's nor an allowed one"
    )

    static let codeVerifierInvalid = RefusedSignIn(
        "code_verifier_invalid",
        .unprocessableContent,
        "The field codeVerifier must have 43 to 128 letters, digits or the characters -._~.",
        hint: "codeVerifier does not have the form of RFC 7636, section 4.1"
    )
}
