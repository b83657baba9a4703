import AppleIdentity
import Foundation
import Logging
import SignInWithApple

/// The keys of access tokens.
extension AccountsService {
    /// Returns the public keys to publish, which include those that do not sign yet (RFC 7517).
    package func publishedTokenKeys() async throws(AccountsError) -> [JSONObject] {
        try await currentTokenKeys().published(at: now).compactMap { key in
            key.webKey.flatMap { try? JSONObject(parsing: JSONEncoder().encode($0)) }
        }
    }

    /// Returns the stored keys, for an administrator.
    package func storedTokenKeys() async throws(AccountsError) -> [TokenKey] {
        try await callStore(await store.tokenKeys())
    }

    /// Replaces the key that signs, for an administrator.
    package func rotateTokenKeys(
        immediately isImmediate: Bool,
        by administrator: String
    ) async throws(AccountsError) -> TokenKeyOutcome {
        let now = now
        let audit = auditContext(administrator: administrator, now: now)
        // Also when the outcome is unknown.
        defer { tokenKeyCache.drop() }
        let outcome = try await rotate(isImmediate ? .immediate : .overlapping, audit, now: now)
        if case .keys = outcome {
            logger.notice("token keys rotated", metadata: ["administrator": "\(administrator)"])
        }
        return outcome
    }

    /// Returns keys that were read within the last minute; creates the first one.
    func currentTokenKeys() async throws(AccountsError) -> [TokenKey] {
        let now = now
        if let keys = tokenKeyCache.keys(at: now) { return keys }
        let rotationCount = tokenKeyCache.rotationCount
        var keys = try await storedTokenKeys()
        if keys.isEmpty, case .keys(let first) = try await rotate(.first, nil, now: now) {
            keys = first
        }
        tokenKeyCache.put(keys, at: now, readAfter: rotationCount)
        return keys
    }

    private func rotate(
        _ kind: TokenKeyRotation.Kind,
        _ audit: AuditContext?,
        now: Date
    ) async throws(AccountsError) -> TokenKeyOutcome {
        let key = TokenKey(sealedBy: sealer, now: now)
        let rotation = TokenKeyRotation(kind, newKey: key, audit: audit, now: now)
        return try await callStore(await store.rotateTokenKeys(rotation))
    }
}
