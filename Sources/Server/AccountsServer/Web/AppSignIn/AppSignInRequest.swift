import AppleIdentity
import Foundation
import Hummingbird
import SignInWithApple

/// The authorization request with which an app opens the browser.
///
/// Source: [RFC 6749, section 4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1) and
/// [RFC 7636, section 4.3](https://www.rfc-editor.org/rfc/rfc7636#section-4.3)
struct AppSignInRequest: Hashable, Sendable, Codable {
    /// The maximum length of a state, in bytes.
    static let maximumStateByteCount = 512
    /// The maximum number of parameters.
    static let maximumParameterCount = 32

    let clientID: ClientID
    let redirectURI: String
    let state: String
    let challenge: String
    /// Whether the user must sign in again.
    let needsSignIn: Bool

    /// Reads a request; throws a ``ServerError``, shown to the user, when the redirect URI is
    /// unknown, and an ``AppSignInError``, returned to the app, otherwise.
    init(_ request: Request, _ redirects: AppRedirects) throws {
        let query = request.uri.query ?? ""
        guard let fields = FormCoding.decode(Data(query.utf8)),
            fields.count <= Self.maximumParameterCount
        else { throw ServerError.appClientUnknown }
        func once(_ name: String) -> String? {
            let values = fields.filter { $0.name == name }
            return values.count == 1 ? values[0].value : nil
        }
        guard let client = once("client_id").map({ ClientID($0) }), redirects.knows(client) else {
            throw ServerError.appClientUnknown
        }
        guard let address = once("redirect_uri").flatMap({ redirects.redirect($0, of: client) })
        else { throw ServerError.appRedirectMismatch }
        guard once("code_challenge_method") == "S256", let challenge = once("code_challenge"),
            challenge.wholeMatch(of: /[A-Za-z0-9_\-]{43}/) != nil
        else { throw ServerError.appChallengeMissing }
        clientID = client
        redirectURI = address.text
        self.challenge = challenge
        let state = once("state").flatMap(Self.checkedState)
        func refuse(_ error: AppSignInError.Code) -> AppSignInError {
            AppSignInError(code: error, redirectURI: address.text, state: state)
        }
        // RFC 6749, section 3.1: a parameter must not be repeated.
        // https://www.rfc-editor.org/rfc/rfc6749#section-3.1
        guard Set(fields.map(\.name)).count == fields.count, let state else {
            throw refuse(.invalidRequest)
        }
        self.state = state
        guard ["code", nil].contains(once("response_type")) else {
            throw refuse(.unsupportedResponseType)
        }
        switch once("prompt") {
        case nil, "": needsSignIn = false
        case "login": needsSignIn = true
        case "none": throw refuse(.interactionRequired)
        default: throw refuse(.invalidRequest)
        }
    }

    /// RFC 6749, appendix A.5: a state consists of visible characters and spaces.
    /// https://www.rfc-editor.org/rfc/rfc6749#appendix-A.5
    private static func checkedState(_ text: String) -> String? {
        let isState =
            !text.isEmpty && text.utf8.count <= maximumStateByteCount
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isState ? text : nil
    }
}

/// An error that is returned to the app's redirect URI.
///
/// Source: [RFC 6749, section 4.1.2.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1)
struct AppSignInError: Error {
    enum Code: String {
        case invalidRequest = "invalid_request"
        case unsupportedResponseType = "unsupported_response_type"
        case accessDenied = "access_denied"
        case serverError = "server_error"
        /// [OpenID Connect Core, section 3.1.2.6](https://openid.net/specs/openid-connect-core-1_0.html#AuthError)
        case interactionRequired = "interaction_required"
    }

    let code: Code
    let redirectURI: String
    /// The app's state, if it is valid.
    let state: String?
}

extension ServerError {
    static let appClientUnknown = ServerError(
        "app_client_unknown",
        .badRequest,
        "The app that opened this page is not registered here.",
        hint:
            "client_id is missing, repeated, or listed in neither SIWA_CLIENT_IDS nor SIWA_APP_REDIRECTS"
    )

    static let appRedirectMismatch = ServerError(
        "app_redirect_mismatch",
        .badRequest,
        "The app requests a redirect to a URI that is not registered for it.",
        hint:
            "redirect_uri is neither http://127.0.0.1:PORT/PATH nor http://[::1]:PORT/PATH nor listed in "
            + "SIWA_APP_REDIRECTS"
    )

    static let appChallengeMissing = ServerError(
        "app_challenge_missing",
        .badRequest,
        "The app's sign-in request lacks the PKCE challenge that this server requires.",
        hint: "PKCE is required: code_challenge_method=S256 and a code_challenge of 43 characters"
    )

    static let appRequestUnknown = ServerError(
        "app_request_unknown",
        .badRequest,
        "This sign-in has expired or was started in another browser. Start again in the app.",
        hint: "no cookie for the app's request: expired, complete, or in another browser"
    )
}
