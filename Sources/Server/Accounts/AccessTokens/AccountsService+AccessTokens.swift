import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens

/// A token for one of the team's services, which verifies it by the published keys.
package struct AccessToken: Hashable, Sendable {
    /// The maximum size of a token, in bytes; those of this server are below 1 000.
    package static let maximumByteCount = 4 * 1024

    /// The compact JWS.
    package let text: String
    package let expiresAt: Date
}

/// Access tokens and introspection.
extension AccountsService {
    /// Creates an access token of a session.
    ///
    /// Source: [RFC 9068, section 2](https://www.rfc-editor.org/rfc/rfc9068#section-2)
    ///
    /// - Returns: the token, which stays valid after the end of the session.
    /// - Throws: `store_unavailable`, or `internal_error` when no sealing key decrypts the signing key.
    package func makeAccessToken(
        for session: Session,
        audience: String
    ) async throws(AccountsError) -> AccessToken {
        let keys = try await currentTokenKeys()
        let now = now
        guard let key = keys.signing(at: now) else {
            throw AccountsError(.internalError, hint: "the store has no key of access tokens")
        }
        let expiresAt = now.addingTimeInterval(AccountsConfiguration.accessTokenLifetime)
        var claims = claims(of: session, issuedAt: now, expiresAt: expiresAt)
        claims["aud"] = .string(audience)
        claims["jti"] = .string(SecureRandom.hexadecimal(byteCount: 16))
        let type = ReceivedAccessToken.type
        let header: JSONObject = ["alg": "ES256", "typ": .string(type), "kid": .string(key.id)]
        do {
            let text = try key.signingKey(sealer).sign(header: header.data, payload: claims.data)
            return AccessToken(text: text, expiresAt: expiresAt)
        } catch {
            let hint = (error as? SealingError)?.hint ?? "signing failed"
            throw AccountsError(.internalError, hint: "the key of access tokens: \(hint)")
        }
    }

    /// Returns the claims of an active session token or access token; nil for any other text.
    ///
    /// An access token is active only as long as its session. No use of the session is recorded.
    package func introspect(_ token: String) async throws(AccountsError) -> JSONObject? {
        let now = now
        if let hash = SessionToken(token)?.hash {
            let found = try await session(tokenHash: hash, now: now)?.session
            return found.map { claims(of: $0, issuedAt: $0.createdAt, expiresAt: $0.expiresAt) }
        }
        guard token.utf8.count <= AccessToken.maximumByteCount,
            let verified = try await verified(token, now: now)
        else { return nil }
        // Sessions of a deleted account do not exist.
        let id = SessionID(verified.sessionID)
        let session = try await callStore(await store.session(id, now: now))
        return session?.accountID.rawValue == verified.subject.rawValue ? verified.document : nil
    }

    private func verified(
        _ token: String,
        now: Date
    ) async throws(AccountsError) -> AccessTokenClaims? {
        guard let received = try? ReceivedAccessToken(token) else { return nil }
        let keys = try await currentTokenKeys().published(at: now)
        let key = keys.first { $0.id == received.keyID }?.webKey
        guard let key = try? key?.verificationKey() else { return nil }
        let verified = try? received.verified(
            with: key,
            issuer: configuration.issuer,
            audience: nil,
            at: now
        )
        // The clock is the one that issued the token, so no leeway is needed.
        return verified.flatMap { $0.expirationTime > now ? $0 : nil }
    }

    /// The claims that session tokens and access tokens share.
    private func claims(of session: Session, issuedAt: Date, expiresAt: Date) -> JSONObject {
        // RFC 8176 registers no value for a sign-in at another provider: its name is a private one.
        let method = session.signInMethod == .password ? "pwd" : session.signInMethod.rawValue
        return [
            "iss": .string(configuration.issuer),
            "sub": .string(session.accountID.rawValue),
            // RFC 9068, section 2.2, requires the member; sessions belong to the server's own client.
            "client_id": .string(configuration.issuer),
            "sid": .string(session.id.rawValue),
            "iat": .integer(Int(issuedAt.timeIntervalSince1970)),
            "exp": .integer(Int(expiresAt.timeIntervalSince1970)),
            "auth_time": .integer(Int(session.signedInAt.timeIntervalSince1970)),
            "amr": .array([.string(method)]),
        ]
    }
}
