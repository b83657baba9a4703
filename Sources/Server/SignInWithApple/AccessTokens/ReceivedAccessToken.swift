import AppleIdentity
import Foundation
import SignedTokens

/// An access token that is split and has the right type and algorithm, but is not verified.
package struct ReceivedAccessToken: Sendable {
    /// The type of an access token, in lower case.
    package static let type = "at+jwt"
    private static let types: Set<String> = [type, "application/" + type]

    /// The identifier of the key that must verify the token.
    package var keyID: String { token.keyID }
    private let token: ReceivedToken

    /// Splits a compact JWS, and checks its header.
    package init(_ compact: String) throws(SignInError) {
        token = try ReceivedToken(compact) { token throws(SignInError) in
            // RFC 9068, section 4: another type must be rejected, such as that of an identity token.
            // https://www.rfc-editor.org/rfc/rfc9068#section-4
            guard Self.hasType(token.header) else {
                let hint = "the typ of its header is not \(Self.type)"
                throw SignInError(.tokenWrongKind, hint: hint)
            }
            guard token.algorithm == .es256 else {
                let hint = "its header names \(token.algorithm.rawValue); access tokens have ES256"
                throw SignInError(.tokenUnsupportedAlgorithm, hint: hint)
            }
        }
    }

    /// The token, after its signature and its claims are checked; without an audience, one for any service.
    package func verified(
        with key: VerificationKey,
        issuer: String,
        audience: String?,
        at now: Date
    ) throws(SignInError) -> AccessTokenClaims {
        let claims = try AccessTokenClaims(token.verified(with: key).payload)
        let rules = TokenRules(
            issuer: issuer,
            clientIDs: audience.map { [ClientID(rawValue: $0)] } ?? Set(claims.audience.clients),
            now: now
        )
        for check in TokenCheck.allCases { try check.apply(rules, to: claims) }
        return claims
    }

    static func hasType(_ header: TokenHeader) -> Bool { isType(header.type) }

    static func isType(_ name: String?) -> Bool {
        name.map { types.contains($0.lowercased()) } ?? false
    }
}

/// The claims of an access token, decoded but not verified.
///
/// Source: [RFC 9068, section 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)
package struct AccessTokenClaims: Hashable, Sendable, TokenClaims {
    package let issuer: String
    package let audience: Audience
    package let subject: UserID
    package let expirationTime: Date
    package let issuedAt: Date
    package let notBefore: Date?
    package let tokenID: String
    package let sessionID: String
    package let authenticationTime: Date
    package let authenticationMethods: [String]
    package let document: JSONObject

    package init(_ payload: Data) throws(SignInError) {
        do {
            try self.init(JSONFields(JSONObject(parsing: payload)))
        } catch {
            throw SignInError(.tokenMalformed, hint: "its claims are invalid: \(error)")
        }
    }

    private init(_ fields: JSONFields) throws(JSONFieldError) {
        issuer = try fields.text("iss")
        audience = try fields.require(
            "aud",
            fields.optional("aud", "a string or an array of strings", Audience.init)
        )
        subject = UserID(rawValue: try fields.text("sub"))
        expirationTime = try fields.time("exp")
        issuedAt = try fields.time("iat")
        notBefore = try fields.optional("nbf", "a number", \.timeValue)
        tokenID = try fields.text("jti")
        sessionID = try fields.text("sid")
        authenticationTime = try fields.time("auth_time")
        authenticationMethods = try fields.optionalTexts("amr") ?? []
        document = fields.object
    }
}
