import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Handles `/auth/revoke`.
    ///
    /// Source: [Token revocation](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
    mutating func revoke(_ request: HTTPRequest, body: Data) -> Outcome {
        guard request.method == .post else { return .methodNotAllowed(request, allowed: "POST") }
        var clientID: String?
        do throws(OAuthRefusal) {
            // Apple checks the client before the content type.
            guard !body.isEmpty else { throw Self.emptyForm }
            let fields = try form(request, body: body, encodingError: .invalidClient)
            guard !fields.isEmpty else { throw Self.emptyForm }
            clientID = fields["client_id"]
            try checkAuthentication(request)
            let token = try fields.require("token")
            flows.use(token)
            let hint = try Self.typeHint(fields)
            guard let (grant, type) = grant(of: token) else {
                return Self.nothingRevoked(clientID: clientID)
            }
            try checkRevocation(fields, grant: grant, type: type, hint: hint)
            // Apple does not document whether it notifies the developer of its own revocation.
            if notificationSettings.notifiesOfRevocation, let person = people[grant.personID] {
                notify(.consentRevoked, about: person, group: grant.group)
            }
            stopUsing(personID: grant.personID, group: grant.group)
            return Self.revoked(Remark(clientID: clientID))
        } catch {
            return .refusal(error.described(switches), clientID: clientID)
        }
    }

    private static let emptyForm = OAuthRefusal(.invalidClient, reason: "the form is empty")
        .hint("send client_id, client_secret and token in the body")

    private enum TokenType: String {
        case refreshToken = "refresh_token"
        case accessToken = "access_token"
    }

    private static func typeHint(_ fields: FormFields) throws(OAuthRefusal) -> TokenType? {
        guard let text = fields["token_type_hint"] else { return nil }
        guard let hint = TokenType(rawValue: text) else {
            throw .invalidRequest("the token_type_hint is \"\(text.prefix(64))\"")
                .hint("use refresh_token or access_token")
        }
        return hint
    }

    private func grant(of token: String) -> (Grant, TokenType)? {
        if let grant = grants.refreshTokens[token] { return (grant, .refreshToken) }
        guard let token = grants.accessTokens[token], !token.isExpired(at: now) else { return nil }
        return (token.grant, .accessToken)
    }

    private mutating func checkRevocation(
        _ fields: FormFields,
        grant: Grant,
        type: TokenType,
        hint: TokenType?
    ) throws(OAuthRefusal) {
        try authenticateOwner(of: grant, fields, "revoke")
        guard hint == nil || hint == type else {
            throw .invalidRequest("the token_type_hint does not match the token")
                .hint("the token is of type \(type.rawValue)")
        }
    }

    private static func nothingRevoked(clientID: String?) -> Outcome {
        revoked(
            Remark(
                clientID: clientID,
                reason: "nothing was revoked: the token is unknown or no longer valid",
                hint: "Apple also responds with 200; send a refresh token or an access token"
            )
        )
    }

    private static func revoked(_ remark: Remark) -> Outcome {
        var outcome = Outcome.json([:], remark: remark)
        outcome.answer.body = Data()
        return outcome
    }
}
