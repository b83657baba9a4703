import AppleIdentity
import Foundation

/// A valid authorization request, for which Apple would show the sheet.
///
/// Source: [Request an authorization](https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server.)
struct AuthorizationRequest {
    /// The maximum size of `state` and `nonce`, in bytes; Apple documents no limit.
    static let maximumOpaqueByteCount = 8 * 1024

    let client: RegisteredClient
    let redirectURI: String
    let asksIdentityToken: Bool
    let responseMode: ResponseMode
    let scopes: Set<Scope>
    let state: String?
    let nonce: String?
    let codeChallenge: String?

    var asksName: Bool { scopes.contains(.name) }
    var asksEmail: Bool { scopes.contains(.email) }

    init(
        _ fields: FormFields,
        registry: ClientRegistry,
        isStrict: Bool,
        switches: EmulatorSwitches
    ) throws(OAuthRefusal) {
        client = try Self.client(fields, registry: registry)
        redirectURI = try Self.redirectURI(
            fields,
            client: client,
            isStrict: isStrict,
            switches: switches
        )
        asksIdentityToken = try Self.asksIdentityToken(fields)
        scopes = try Self.scopes(fields)
        responseMode = try Self.responseMode(
            fields,
            asksIdentityToken: asksIdentityToken,
            scopes: scopes
        )
        state = try Self.opaque("state", fields)
        nonce = try Self.opaque("nonce", fields)
        codeChallenge = try Self.codeChallenge(fields, switches)
    }

    private static func client(
        _ fields: FormFields,
        registry: ClientRegistry
    ) throws(OAuthRefusal) -> RegisteredClient {
        guard let clientID = fields["client_id"] else {
            throw invalid("Missing client id.", "client_id is missing")
                .hint("send the Services ID as client_id")
        }
        do throws(OAuthRefusal) {
            return try registry.client(named: clientID)
        } catch {
            let redirectURI = fields["redirect_uri"] ?? ""
            throw error.offering(
                MissingRegistration(clientID: clientID, redirectURI: redirectURI)
            )
        }
    }

    private static func redirectURI(
        _ fields: FormFields,
        client: RegisteredClient,
        isStrict: Bool,
        switches: EmulatorSwitches
    ) throws(OAuthRefusal) -> String {
        guard let text = fields["redirect_uri"] else {
            throw badRedirect("redirect_uri is missing").hint("send a registered redirect URI")
        }
        let address = RedirectURI(text)
        let shown = Self.shown(text)
        if let fault = address.registrationFault {
            throw badRedirect("the redirect_uri \"\(shown)\" \(fault)")
                .hint("Apple accepts https URLs with a domain name and no fragment")
        }
        guard client.isService else {
            throw badRedirect("\(client.clientID) is an App ID, which has no redirect URIs")
                .hint("use the Services ID as client_id on the web")
        }
        guard client.returnURLs.contains(text) else {
            throw badRedirect(
                as: switches.errorCodes == .documented ? .unauthorizedClient : .invalidRequest,
                "the redirect_uri \"\(shown)\" is not registered for \(client.clientID)"
            )
            .hint(
                "it is compared exactly, with case and trailing slash; registered: "
                    + client.returnURLs.prefix(5).joined(separator: ", ")
            )
            .offering(
                MissingRegistration(
                    clientID: client.clientID.rawValue,
                    redirectURI: text,
                    isClientKnown: true
                )
            )
        }
        if isStrict, let place = address.localPlace {
            throw badRedirect(
                "the redirect_uri \"\(shown)\" points to \(place), which --strict refuses"
            )
            .hint("start without --strict, or use a registered public https URL")
        }
        return text
    }

    /// A URL without its query and fragment, which may have a code.
    private static func shown(_ text: String) -> String {
        let address = text.prefix { $0 != "?" && $0 != "#" }
        return String(address.prefix(256)) + (address.count < text.count ? "…" : "")
    }

    private static func asksIdentityToken(_ fields: FormFields) throws(OAuthRefusal) -> Bool {
        guard let text = fields["response_type"] else {
            throw invalid("Missing response type.", "response_type is missing")
                .hint("send response_type=code, or code id_token")
        }
        // The values of response_type are a set: their order does not matter.
        // https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html
        switch Set(text.split(separator: " ")) {
        case ["code"]: return false
        case ["code", "id_token"]: return true
        default:
            throw invalid("Invalid response type", "the response_type is \"\(text.prefix(64))\"")
                .hint("Apple supports code and code id_token")
        }
    }

    private static func scopes(_ fields: FormFields) throws(OAuthRefusal) -> Set<Scope> {
        let scopes = (fields["scope"] ?? "").split(separator: " ").map { Scope(String($0)) }
        for scope in scopes where ![.name, .email, .openid].contains(scope) {
            throw invalid(
                "invalid scope",
                "the scope \"\(scope.rawValue.prefix(64))\" is unknown"
            )
            .hint("Apple supports name and email, separated by a space")
        }
        return Set(scopes)
    }

    private static func responseMode(
        _ fields: FormFields,
        asksIdentityToken: Bool,
        scopes: Set<Scope>
    ) throws(OAuthRefusal) -> ResponseMode {
        let text = fields["response_mode"]
        guard
            let mode = text.map({ ResponseMode(rawValue: $0) })
                ?? (asksIdentityToken ? .fragment : .query)
        else {
            throw invalid(
                "Invalid response mode",
                "the response_mode is \"\((text ?? "").prefix(64))\""
            )
            .hint("Apple supports query, fragment and form_post, and web_message in its script")
        }
        guard mode.carriesUser || scopes.isDisjoint(with: [.name, .email]) else {
            throw invalid(
                "response_mode must be form_post when name or email scope is requested.",
                "a scope was requested with a response_mode other than form_post"
            )
            .hint("send response_mode=form_post and accept a POST at the redirect URI")
        }
        guard !(mode == .query && asksIdentityToken) else {
            throw invalid("Invalid response mode", "an id_token can't be returned in the query")
                .hint("use form_post or fragment with code id_token")
        }
        return mode
    }

    private static func opaque(
        _ name: String,
        _ fields: FormFields
    ) throws(OAuthRefusal) -> String? {
        guard let text = fields[name] else { return nil }
        guard text.utf8.count <= maximumOpaqueByteCount else {
            throw invalid(
                "Invalid \(name)",
                "the \(name) is longer than \(maximumOpaqueByteCount) bytes"
            )
            .hint("32 random bytes in base64url are enough; keep other data on your server")
        }
        return text
    }

    private static func codeChallenge(
        _ fields: FormFields,
        _ switches: EmulatorSwitches
    ) throws(OAuthRefusal) -> String? {
        guard let challenge = fields["code_challenge"] else {
            guard switches.pkce == .optional else {
                throw invalid(
                    "Missing code challenge.",
                    "code_challenge is missing, and the switch pkce requires it"
                )
                .hint("send code_challenge and code_challenge_method=S256")
            }
            return nil
        }
        guard fields["code_challenge_method"] == "S256" else {
            throw invalid("Invalid code challenge method", "the code_challenge_method is not S256")
                .hint("send code_challenge_method=S256")
        }
        // RFC 7636, section 4.2: the base64url of a SHA-256 has 43 characters.
        // https://www.rfc-editor.org/rfc/rfc7636#section-4.2
        guard challenge.utf8.count == 43 else {
            throw invalid("Invalid code challenge", "the code_challenge is not 43 characters long")
                .hint("it is the SHA-256 of the verifier in base64url without padding")
        }
        return challenge
    }

    private static func badRedirect(
        as code: OAuthErrorResponse.Code = .invalidRequest,
        _ reason: String
    ) -> OAuthRefusal {
        OAuthRefusal(code, text: "Invalid web redirect url.", reason: reason)
    }

    private static func invalid(_ text: String, _ reason: String) -> OAuthRefusal {
        OAuthRefusal(.invalidRequest, text: text, reason: reason)
    }
}
