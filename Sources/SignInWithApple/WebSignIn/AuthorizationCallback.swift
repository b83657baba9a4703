import AppleIdentity
import Foundation

/// The form that Apple's page makes the browser post to the redirect address.
///
/// Nothing in it is verified: the state belongs to the browser that posted it only after it was
/// compared, the identity token only after it was verified, and ``user`` never.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct AuthorizationCallback: Hashable, Sendable {
    /// What the person or Apple decided.
    public enum Outcome: Hashable, Sendable {
        /// The person agreed.
        case authorized(Authorization)
        /// The person pressed Cancel, or Apple refused.
        case refused(OAuthErrorResponse.Code)
    }

    /// What came back when the person agreed.
    public struct Authorization: Hashable, Sendable {
        /// For ``AppleSignIn/redeem(code:for:redirectURI:)``: once, within five minutes.
        public let code: String
        /// The identity token, not verified; there when `code id_token` was asked for.
        public let identityToken: String?
        /// Name and address as the browser sent them, told on the first authorization only.
        public let user: AuthorizationUser?
        /// Whether there is a `user` field that is not the JSON object Apple documents.
        ///
        /// It is unsigned and holds only suggestions, so that the rest counts all the same.
        public let isUserUnreadable: Bool
    }

    /// What was decided.
    public let outcome: Outcome
    /// The state of the request, as it came back.
    ///
    /// Compare it with the one this browser was given before anything else counts: a form that
    /// somebody else made brings another, or none.
    public let state: String?

    /// Reads a posted form.
    ///
    /// - Parameter formBody: the body, as `application/x-www-form-urlencoded`.
    /// - Throws: `callback_malformed` when a field is there twice, too long or missing, and
    ///   `state_duplicate` when it is the state that is there twice.
    public init(formBody: Data) throws(SignInError) {
        let form = try CallbackForm(formBody)
        state = try form.value(.state)
        let code = try form.value(.code)
        let error = try form.value(.error)
        switch (code, error) {
        case (let code?, nil):
            let user = form.user
            outcome = .authorized(
                Authorization(
                    code: code,
                    identityToken: try form.value(.identityToken),
                    user: user.value,
                    isUserUnreadable: user.isUnreadable
                )
            )
        case (nil, let error?): outcome = .refused(OAuthErrorResponse.Code(rawValue: error))
        case (nil, nil): throw .malformedCallback("it has neither a code nor an error")
        case (_?, _?): throw .malformedCallback("it has both a code and an error")
        }
    }

    /// What came back, when the person agreed.
    ///
    /// - Returns: the authorization.
    /// - Throws: `authorization_cancelled` when the person pressed Cancel, and
    ///   `apple_refused_request` for any other refusal.
    public func authorization() throws(SignInError) -> Authorization {
        switch outcome {
        case .authorized(let authorization): return authorization
        case .refused(.userCancelledAuthorize):
            throw SignInError(.authorizationCancelled, hint: "the person pressed Cancel at Apple")
        case .refused(let code):
            throw SignInError(
                .appleRefusedRequest,
                hint: "Apple's page answered \(Excerpt.quoting(code.rawValue))"
            )
        }
    }
}

extension AuthorizationCallback {
    /// The code, when the person agreed.
    public var code: String? { granted?.code }
    /// The identity token, not verified.
    public var identityToken: String? { granted?.identityToken }
    /// Name and address as the browser sent them, never verified.
    public var user: AuthorizationUser? { granted?.user }
    /// Why there is no authorization.
    public var error: OAuthErrorResponse.Code? {
        if case .refused(let code) = outcome { code } else { nil }
    }

    private var granted: Authorization? {
        if case .authorized(let authorization) = outcome { authorization } else { nil }
    }
}

extension SignInError {
    static func malformedCallback(_ hint: String) -> SignInError {
        SignInError(.callbackMalformed, hint: "the posted form: \(hint)")
    }
}
