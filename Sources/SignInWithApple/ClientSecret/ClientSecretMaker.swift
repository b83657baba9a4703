import AppleIdentity
import Foundation
import SignedTokens
import Synchronization

/// Makes client secrets, and keeps each until shortly before it ends.
final class ClientSecretMaker: Sendable {
    /// How long a secret lives; Apple would allow 15 777 000 seconds.
    package static let lifetime = Duration.seconds(600)
    /// How long before its end a secret is replaced.
    static let renewalLead = Duration.seconds(60)

    private struct Secret {
        let text: String
        let usableFrom: Date
        let usableUntil: Date
    }

    private let key: ClientSecretKey
    private let audience: String
    private let time: TimeSource
    /// At most one entry for each configured client: the facade asks for no other.
    private let secrets = Mutex<[ClientID: Secret]>([:])

    init(key: ClientSecretKey, audience: String, time: TimeSource) {
        self.key = key
        self.audience = audience
        self.time = time
    }

    func secret(for clientID: ClientID) throws(SignInError) -> String {
        let now = time.now
        let kept = secrets.withLock { $0[clientID] }
        if let kept, kept.usableFrom <= now, now < kept.usableUntil { return kept.text }
        let fresh = try make(for: clientID, at: now)
        secrets.withLock { $0[clientID] = fresh }
        return fresh.text
    }

    private func make(for clientID: ClientID, at now: Date) throws(SignInError) -> Secret {
        let text = try key.clientSecret(
            for: clientID,
            lifetime: Self.lifetime,
            audience: audience,
            at: now
        )
        return Secret(
            text: text,
            usableFrom: now,
            usableUntil: now + (Self.lifetime - Self.renewalLead) / .seconds(1)
        )
    }
}
