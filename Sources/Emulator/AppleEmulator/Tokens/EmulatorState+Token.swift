import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignedTokens

extension EmulatorState {
    /// Handles `/auth/token`, and adds a hint about a missing `User-Agent`.
    mutating func token(_ request: HTTPRequest, body: Data) -> Outcome {
        guard request.method == .post else { return .methodNotAllowed(request, allowed: "POST") }
        var outcome = grant(request, body: body)
        if request.headerFields[.userAgent] == nil {
            outcome.remark.add(hint: "Apple may refuse requests without a User-Agent field")
        }
        return outcome
    }

    /// Handles the form by its grant type.
    private mutating func grant(_ request: HTTPRequest, body: Data) -> Outcome {
        var clientID: String?
        do throws(OAuthRefusal) {
            try checkUserAgent(request)
            let fields = try form(request, body: body, encodingError: .invalidClient)
            clientID = fields["client_id"]
            try checkAuthentication(request)
            try checkNames(fields)
            let grantType = try fields.require("grant_type")
            let answer =
                switch grantType {
                case "authorization_code": try exchange(fields)
                case "refresh_token": try refresh(fields)
                case "client_credentials": TokenAnswer(object: try grantMigration(fields))
                default:
                    throw OAuthRefusal(
                        .unsupportedGrantType,
                        reason: "the grant_type is \"\(grantType.prefix(64))\""
                    )
                    .hint("Apple supports authorization_code, refresh_token and client_credentials")
                }
            var outcome = Outcome.json(answer.object, remark: Remark(clientID: clientID))
            outcome.answer.unsignedToken = answer.unsignedToken
            return outcome
        } catch {
            return .refusal(error.described(switches), clientID: clientID)
        }
    }

    /// In 2019 Apple refused clients without `User-Agent`; the exact error is an assumption.
    private func checkUserAgent(_ request: HTTPRequest) throws(OAuthRefusal) {
        guard switches.userAgent == .required, request.headerFields[.userAgent] == nil else {
            return
        }
        throw .invalidRequest("the request has no User-Agent field")
            .hint("the switch user_agent causes this refusal")
    }

    /// Apple authenticates clients only by the body.
    func checkAuthentication(_ request: HTTPRequest) throws(OAuthRefusal) {
        // RFC 6749, section 2.3: a client must not use more than one method in a request.
        // https://www.rfc-editor.org/rfc/rfc6749#section-2.3
        guard request.headerFields[.authorization] == nil else {
            throw .invalidRequest("the request has an Authorization field")
                .hint("send client_id and client_secret in the body only (client_secret_post)")
        }
    }

    private static let parameterNames: Set<String> = [
        "grant_type", "client_id", "client_secret", "code", "redirect_uri", "code_verifier",
        "refresh_token", "scope",
    ]

    /// Apple documents that it refuses unknown parameters, but this was never observed.
    private func checkNames(_ fields: FormFields) throws(OAuthRefusal) {
        guard switches.unknownParameters == .refused,
            let name = fields.names.sorted().first(where: { !Self.parameterNames.contains($0) })
        else { return }
        throw .invalidRequest("the parameter \"\(name.prefix(64))\" is unknown to Apple")
            .hint("the switch unknown_parameters causes this refusal")
    }

    mutating func authenticate(
        _ fields: FormFields,
        in otherRegistry: ClientRegistry? = nil
    ) throws(OAuthRefusal) -> RegisteredClient {
        let check = ClientSecretCheck(
            registry: otherRegistry ?? registry,
            issuer: switches.issuer,
            skewSeconds: switches.secretSkewSeconds,
            time: now
        )
        return try check.check(
            fields["client_secret"],
            clientID: fields.require("client_id"),
            remembering: &verifiedSecrets
        )
    }

    /// Authenticates the client that received the token, the only one that may use it.
    mutating func authenticateOwner(
        of grant: Grant,
        _ fields: FormFields,
        _ use: String
    ) throws(OAuthRefusal) {
        guard try authenticate(fields).clientID == grant.clientID else {
            throw .invalidGrant("the token was issued to \(grant.clientID)")
                .hint("\(use) with the client_id of the code exchange")
        }
    }

    private mutating func exchange(_ fields: FormFields) throws(OAuthRefusal) -> TokenAnswer {
        let text = try fields.require("code")
        flows.use(text)
        try fields.requireClient()
        carryOn(grants.codes[text]?.grant.switches ?? [:])
        let code = try lookUpCode(text)
        let client = try authenticate(fields)
        endTokens(ofReused: code, by: client)
        try check(code, fields: fields, client: client)
        if switches.refreshTokens == .one { grants.endRefreshTokens(like: code.grant) }
        let accessToken = grants.addAccessToken(code.grant, at: now)
        let refreshToken = grants.refreshTokens.add(code.grant, as: TokenText.refreshToken())
        grants.useCode(text, for: [accessToken, refreshToken])
        return try answer(
            for: code.grant,
            .exchange(accessToken: accessToken),
            accessToken: accessToken,
            refreshToken: refreshToken
        )
    }

    private mutating func answer(
        for grant: Grant,
        _ occasion: IdentityTokenDraft.Occasion,
        accessToken: String,
        refreshToken: String? = nil
    ) throws(OAuthRefusal) -> TokenAnswer {
        for token in [accessToken, refreshToken].compactMap(\.self) { flows.make(token) }
        let identityToken = try unsignedIdentityToken(for: grant, on: occasion)
        var object: JSONObject = [
            "access_token": .string(accessToken),
            "token_type": .string(switches.tokenType.rawValue),
            "expires_in": .integer(IssuedAccessToken.lifetimeSeconds),
        ]
        object["refresh_token"] = refreshToken.map { .string($0) }
        object["id_token"] = .string(identityToken.text)
        return TokenAnswer(object: object, unsignedToken: identityToken)
    }

    /// RFC 6749, section 4.1.2, recommends it; it is unknown whether Apple does it.
    /// https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2
    private mutating func endTokens(ofReused code: AuthorizationCode, by client: RegisteredClient) {
        guard switches.codeReuse == .revoking, code.isUsed, code.grant.clientID == client.clientID
        else { return }
        grants.endTokens(of: code)
    }

    private func lookUpCode(_ text: String) throws(OAuthRefusal) -> AuthorizationCode {
        let ended = "The code has expired or has been revoked."
        guard let code = grants.codes[text] else {
            throw .invalidGrant(
                "the code is unknown, or was revoked when the user stopped using the app",
                text: ended
            )
            .hint(
                Self.hint(forWrongToken: text)
                    ?? "send the latest code, complete and once, to the emulator that issued it"
            )
        }
        guard !code.isExpired(at: now, lifetimeSeconds: switches.codeSeconds) else {
            let reason = "the code is older than \(switches.codeSeconds) seconds"
            throw .invalidGrant(reason, text: ended).hint("exchange it immediately")
        }
        return code
    }

    private func check(
        _ code: AuthorizationCode,
        fields: FormFields,
        client: RegisteredClient
    ) throws(OAuthRefusal) {
        guard code.grant.clientID == client.clientID else {
            throw .invalidGrant(
                "the code was issued to \(code.grant.clientID)",
                text: "client_id mismatch. The code was not issued to \(client.clientID)."
            )
            .hint("codes from a device belong to the bundle ID, web codes to the Services ID")
        }
        guard !code.isUsed || switches.codeReuse == .accepted else {
            throw .invalidGrant(
                "the code was exchanged before",
                text: "The code has already been used."
            )
            .hint("do not send a code again; keep the refresh token of the first exchange")
        }
        try checkRedirect(fields["redirect_uri"], of: code)
        try checkVerifier(fields["code_verifier"], of: code)
    }

    private func checkRedirect(
        _ redirectURI: String?,
        of code: AuthorizationCode
    ) throws(OAuthRefusal) {
        guard redirectURI != code.redirectURI else { return }
        let hint =
            switch (redirectURI, code.redirectURI) {
            case (nil, _): "send the redirect_uri of the authorization request"
            case (_, nil): "omit redirect_uri for a code from a device"
            default: "it must be equal to the redirect_uri of the authorization request"
            }
        throw OAuthRefusal(
            switches.errorCodes == .documented ? .invalidClient : .invalidGrant,
            text: "redirect_uri mismatch. The code was not issued to"
                + " \((redirectURI ?? "").prefix(RedirectURI.maximumByteCount)).",
            reason: "the redirect_uri is not the one of the authorization request"
        )
        .hint(hint)
    }

    private func checkVerifier(
        _ verifier: String?,
        of code: AuthorizationCode
    ) throws(OAuthRefusal) {
        guard let challenge = code.codeChallenge else { return }
        // RFC 7636, section 4.6: the verifier's SHA-256 must be the challenge.
        // https://www.rfc-editor.org/rfc/rfc7636#section-4.6
        guard let verifier, Base64URL.encode(SHA256.hash(data: Data(verifier.utf8))) == challenge
        else {
            throw .invalidGrant(
                verifier == nil
                    ? "code_verifier is missing" : "code_verifier does not match the code_challenge"
            )
            .hint("send the verifier whose SHA-256 was the code_challenge")
        }
    }

    private mutating func refresh(_ fields: FormFields) throws(OAuthRefusal) -> TokenAnswer {
        let text = try fields.require("refresh_token")
        flows.use(text)
        try fields.requireClient()
        guard let grant = grants.refreshTokens[text] else {
            throw .invalidGrant(
                "the refresh token is unknown, was revoked, or is another kind of token",
                text: "The token has expired or has been revoked."
            )
            .hint(
                Self.hint(forWrongToken: text)
                    ?? "send the refresh token of the code exchange, or have the user sign in again"
            )
        }
        carryOn(grant.switches)
        try authenticateOwner(of: grant, fields, "refresh")
        try throttle(grant)
        let accessToken = grants.addAccessToken(grant, at: now)
        let occasion = IdentityTokenDraft.Occasion.refresh(accessToken: accessToken)
        return try answer(for: grant, occasion, accessToken: accessToken)
    }

    /// A guess at what was sent instead, by its format.
    private static func hint(forWrongToken text: String) -> String? {
        let parts = text.split(separator: ".")
        if parts.count == 3, text.hasPrefix("ey") { return "this looks like an identity token" }
        guard parts.count == 4, parts[0].count == 33 else { return nil }
        return switch text.first {
        case "a": "this looks like an access token"
        case "r": "this looks like a refresh token"
        case "c": "this looks like an authorization code"
        default: nil
        }
    }
}

extension FormFields {
    /// The value of a required parameter.
    func require(_ name: String) throws(OAuthRefusal) -> String {
        guard let value = self[name] else {
            throw .invalidRequest("\(name) is missing")
                .hint("send it in the body, as application/x-www-form-urlencoded")
        }
        return value
    }

    func requireClient() throws(OAuthRefusal) {
        for name in ["client_id", "client_secret"] { _ = try require(name) }
    }
}
