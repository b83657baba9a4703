import AppleIdentity
import Crypto
import Foundation
import SignedTokens

/// Checks a client secret, rule by rule.
///
/// Source: [Creating a client secret](https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret)
struct ClientSecretCheck {
    /// The maximum time from now to `exp`, in seconds.
    static let maximumLifetimeSeconds: Double = 15_777_000
    /// The default maximum time by which `iat` and `nbf` may be in the future, in seconds.
    static let maximumClockSkewSeconds: Double = 5

    let registry: ClientRegistry
    let issuer: String
    /// The maximum time by which `iat` and `nbf` may be in the future, in seconds.
    let skewSeconds: Int
    let time: Date

    /// Returns the client if the secret authenticates it, else throws.
    func check(
        _ secret: String?,
        clientID: String,
        remembering verified: inout VerifiedSecrets
    ) throws(OAuthRefusal) -> RegisteredClient {
        guard let secret else { throw refusal("client_secret is missing") }
        if let known = verified.secret(secret, registry) {
            let client = try registry.client(named: clientID)
            try check(known, client: client)
            return client
        }
        let token = try parse(secret)
        let keyID = try keyID(of: token)
        guard let key = registry.keys[keyID], let publicKey = registry.verificationKey(keyID) else {
            throw refusal("the secret's kid \(Self.shown(keyID.rawValue)) is not a registered key")
                .hint("kid must be the Key ID of the .p8 file, and the key must not be revoked")
        }
        let client = try registry.client(named: clientID)
        try checkSignature(of: token, with: publicKey, key)
        let verifiedSecret = VerifiedSecret(key: key, claims: try claims(of: token))
        verified.remember(secret, as: verifiedSecret)
        try check(verifiedSecret, client: client)
        return client
    }

    /// Checks the claims, whose validity may change from request to request.
    private func check(_ secret: VerifiedSecret, client: RegisteredClient) throws(OAuthRefusal) {
        try checkIssuer(secret.claims, key: secret.key, client: client)
        try checkSubject(secret.claims, clientID: client.clientID.rawValue)
        try checkAudience(secret.claims)
        try checkTimes(secret.claims)
    }

    private func parse(_ secret: String) throws(OAuthRefusal) -> UnverifiedToken {
        let token: UnverifiedToken
        do {
            token = try UnverifiedToken(secret)
        } catch .unsupportedAlgorithm(let name) {
            throw refusal("the secret's alg is \(name), not ES256").hint("sign with the .p8 key")
        } catch .malformed(let problem) {
            throw refusal("the secret is not a JWT: \(problem)").hint("sign one with the .p8 key")
        } catch .tooLong(let byteCount, let limit) {
            throw refusal("the secret has \(byteCount) bytes, more than \(limit)")
        } catch {
            throw refusal("the secret's header lists a critical extension")
        }
        guard token.algorithm == .es256 else {
            throw refusal("the secret's alg is RS256, not ES256").hint("sign with the .p8 key")
        }
        return token
    }

    private func keyID(of token: UnverifiedToken) throws(OAuthRefusal) -> KeyID {
        guard let keyID = token.header.keyID else {
            throw refusal("the secret's header has no kid")
                .hint("put the Key ID of the .p8 file into the header")
        }
        return KeyID(keyID)
    }

    private func checkSignature(
        of token: UnverifiedToken,
        with publicKey: VerificationKey,
        _ key: SeedKey
    ) throws(OAuthRefusal) {
        do {
            _ = try token.verified(with: publicKey)
        } catch {
            let generated = "; the emulator generated this key: GET /state has its .p8"
            throw refusal("the secret's signature was not made by the key of its kid")
                .hint(
                    "sign with the .p8 file of that Key ID, and encode R and S one after the other"
                        + " in 64 bytes, not as ASN.1 DER"
                        + (key.privateKeyPEM == nil ? "" : generated)
                )
        }
    }

    private func claims(of token: UnverifiedToken) throws(OAuthRefusal) -> JSONObject {
        guard let claims = try? JSONValue(parsing: token.unverifiedPayload).objectValue else {
            throw refusal("the secret's payload is not a JSON object")
        }
        return claims
    }

    private func checkIssuer(
        _ claims: JSONObject,
        key: SeedKey,
        client: RegisteredClient
    ) throws(OAuthRefusal) {
        let found = claims["iss"]?.stringValue
        guard found == key.teamID.rawValue else {
            throw refusal(
                "the secret's iss is \(Self.shown(found)), but the key belongs to team \(key.teamID)"
            )
            .hint("iss must be the Team ID")
        }
        guard client.teamID == key.teamID else {
            throw refusal(
                "the key belongs to team \(key.teamID), the client to team \(client.teamID)"
            )
            .hint("use a key of the client's team")
        }
        guard key.primaryClientID == nil || key.primaryClientID == client.group else {
            throw refusal(
                "the key is enabled for \(Self.shown(key.primaryClientID?.rawValue)), the client"
                    + " belongs to \(Self.shown(client.group.rawValue))"
            )
            .hint("use a key that is enabled for the primary app of the client's group")
        }
    }

    private func checkSubject(_ claims: JSONObject, clientID: String) throws(OAuthRefusal) {
        let found = claims["sub"]?.stringValue
        guard found == clientID else {
            throw refusal(
                "the secret's sub is \(Self.shown(found)), the client_id is \(Self.shown(clientID))"
            )
            .hint("create a secret for each client_id; identifiers are case-sensitive")
        }
    }

    private func checkAudience(_ claims: JSONObject) throws(OAuthRefusal) {
        let audience = claims["aud"]
        let found = audience?.stringValue ?? audience?.arrayValue?.first?.stringValue
        let isSingle = (audience?.arrayValue?.count ?? 1) == 1
        guard isSingle, let found, found == issuer || found == "https://appleid.apple.com" else {
            throw refusal("the secret's aud is \(Self.shown(found))")
                .hint("aud must be https://appleid.apple.com, without a trailing slash")
        }
    }

    private func checkTimes(_ claims: JSONObject) throws(OAuthRefusal) {
        let now = time.timeIntervalSince1970
        guard let expiration = claims["exp"]?.numberValue else {
            throw refusal("the secret's exp is missing or not a number")
        }
        guard expiration > now else {
            throw refusal("the secret has expired")
                .hint("create a new one, preferably for each request")
        }
        guard expiration - now <= Self.maximumLifetimeSeconds else {
            throw refusal("the secret's exp is \(Int(min(expiration - now, 1e15))) seconds ahead")
                .hint("at most 15777000 are allowed; six calendar months can be more")
        }
        guard let issuedAt = claims["iat"]?.numberValue else {
            throw refusal("the secret's iat is missing or not a number")
        }
        try checkPast("iat", issuedAt, now)
        guard issuedAt < expiration else { throw refusal("the secret's iat is not before its exp") }
        // https://www.rfc-editor.org/rfc/rfc7519#section-4.1.5
        guard let notBefore = claims["nbf"] else { return }
        guard let start = notBefore.numberValue else {
            throw refusal("the secret's nbf is not a number")
        }
        try checkPast("nbf", start, now)
    }

    private func checkPast(_ name: String, _ seconds: Double, _ now: Double) throws(OAuthRefusal) {
        guard seconds - now <= Double(skewSeconds) else {
            throw refusal(
                "the secret's \(name) is in the future, by \(Int(min(seconds - now, 1e15))) s"
            )
            .hint("correct the server's clock, or set iat back by a minute")
        }
    }

    private func refusal(_ reason: String) -> OAuthRefusal {
        OAuthRefusal(.invalidClient, reason: reason)
    }

    private static func shown(_ text: String?) -> String {
        text.map { "\"" + $0.prefix(64) + "\"" } ?? "missing"
    }
}

extension ClientRegistry {
    /// Returns the client of a request; the error has a hint for likely mistakes.
    func client(named clientID: String) throws(OAuthRefusal) -> RegisteredClient {
        if let client = client(ClientID(clientID)) { return client }
        let candidates = apps.keys.map(\.rawValue) + services.keys.map(\.rawValue)
        let hint =
            if candidates.contains(where: { $0.lowercased() == clientID.lowercased() }) {
                "client IDs are case-sensitive"
            } else if candidates.contains(where: { clientID.hasSuffix("." + $0) }) {
                "remove the Team ID from the client ID"
            } else {
                "register the app or Services ID; Apple can need up to 48 hours for a new one"
            }
        throw OAuthRefusal(
            .invalidClient,
            reason: "the client_id \"\(clientID.prefix(64))\" is not registered"
        )
        .hint(hint)
    }
}

/// Client secrets with a verified signature, so the signature is verified only once.
///
/// The claims are checked each time. Secrets are stored as hashes.
struct VerifiedSecrets {
    /// The maximum number of stored secrets; the oldest are removed first.
    static let maximumCount = 256

    private var secrets = BoundedTable<VerifiedSecret>(maximumCount: maximumCount)

    /// The verified secret, if its key is still registered and unchanged.
    func secret(_ text: String, _ registry: ClientRegistry) -> VerifiedSecret? {
        guard let secret = secrets[Self.digest(text)], registry.keys[secret.key.keyID] == secret.key
        else { return nil }
        return secret
    }

    mutating func remember(_ text: String, as secret: VerifiedSecret) {
        let digest = Self.digest(text)
        secrets.remove(digest)
        secrets.insert(secret, for: digest)
    }

    private static func digest(_ text: String) -> String {
        Base64URL.encode(SHA256.hash(data: Data(text.utf8)))
    }
}

/// The claims of a client secret, and the key that verified it.
struct VerifiedSecret {
    let key: SeedKey
    let claims: JSONObject
}
