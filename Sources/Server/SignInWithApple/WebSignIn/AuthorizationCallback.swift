import AppleIdentity
import Foundation

/// The form that Apple's page makes the browser post to the redirect URI.
///
/// Nothing in it is verified. Compare the state first, then verify the identity token, and never
/// trust ``user``.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
public struct AuthorizationCallback: Hashable, Sendable {
    /// The result of the authorization request.
    public enum Outcome: Hashable, Sendable {
        /// The user authorized the app.
        case authorized(Authorization)
        /// The user pressed Cancel, or Apple rejected the request.
        case refused(OAuthErrorResponse.Code)
    }

    /// The response to a user who authorized the app.
    public struct Authorization: Hashable, Sendable {
        /// The code for ``AppleSignIn/exchange(code:for:redirectURI:codeVerifier:)``, valid once, for five
        /// minutes.
        public let code: String
        /// The identity token, not verified; present if `code id_token` was requested.
        public let identityToken: String?
        /// The name and email address as the browser sent them, with the first authorization only.
        public let user: AuthorizationUser?
        /// Whether the `user` field is present but not the JSON object that Apple documents.
        ///
        /// The field is unsigned and has only suggestions, so the rest of the response stays valid.
        public let isUserUnreadable: Bool
    }

    /// The result of the authorization request.
    public let outcome: Outcome
    /// The state of the request, as it came back.
    ///
    /// Compare it with the state in the browser's cookie before you use anything else: a forged
    /// form has another state, or none.
    public let state: String?

    /// Reads a posted form.
    ///
    /// - Parameter formBody: the body, as `application/x-www-form-urlencoded`.
    /// - Throws: `state_duplicate` if the state is repeated. `callback_malformed` if another
    ///   field except `user` is repeated, a field is too long, there are too many fields or bytes,
    ///   the body is not a form in UTF-8, or it has both or neither of `code` and `error`.
    public init(formBody: Data) throws(SignInError) {
        try self.init(CallbackForm(formBody))
    }

    init(_ form: CallbackForm) throws(SignInError) {
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
        case (nil, nil): throw .malformedCallback("it has neither code nor error")
        case (_?, _?): throw .malformedCallback("it has both code and error")
        }
    }

    /// Returns the authorization, or throws if there is none.
    ///
    /// - Returns: the authorization.
    /// - Throws: `authorization_cancelled` if the user pressed Cancel, and
    ///   `apple_refused_request` for any other error.
    public func authorization() throws(SignInError) -> Authorization {
        switch outcome {
        case .authorized(let authorization): return authorization
        case .refused(.userCancelledAuthorize):
            throw SignInError(.authorizationCancelled, hint: "the user pressed Cancel at Apple")
        case .refused(let code):
            throw SignInError(
                .appleRefusedRequest,
                hint: "Apple's page responded with \(Excerpt.quoting(code.rawValue))"
            )
        }
    }
}

extension AuthorizationCallback {
    /// The code, if the user authorized the app.
    public var code: String? { granted?.code }
    /// The identity token, not verified.
    public var identityToken: String? { granted?.identityToken }
    /// The name and email address as the browser sent them, never verified.
    public var user: AuthorizationUser? { granted?.user }
    /// The error code, if there is no authorization.
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
