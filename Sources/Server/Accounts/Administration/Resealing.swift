import AppleIdentity
import SignInWithApple

/// The position after which resealing continues: the refresh tokens, the outbox and the keys of access tokens, each
/// ordered by key.
package enum ResealingPosition: Hashable, Sendable {
    /// After a refresh token.
    case refreshToken(AccountID, ClientID)
    /// After an outbox entry, and so after all refresh tokens.
    case entry(OutboxID)
    /// After a key of access tokens, and so after all other secrets.
    case tokenKey(String)
}

extension ResealingPosition: LosslessStringConvertible {
    /// The position as one line, from which a later run continues.
    package var description: String {
        switch self {
        case .refreshToken(let account, let client): "token/\(account)/\(client)"
        case .entry(let id): "entry/\(id)"
        case .tokenKey(let id): "key/\(id)"
        }
    }

    /// Reads a position; nil when the string is not a position.
    package init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        switch (parts.first, parts.count) {
        case ("token", 3): self = .refreshToken(AccountID(parts[1]), ClientID(parts[2]))
        case ("entry", 2): self = .entry(OutboxID(parts[1]))
        case ("key", 2): self = .tokenKey(parts[1])
        default: return nil
        }
    }
}

/// A batch of secrets to encrypt again with the first key, after which the other keys can be removed.
///
/// Resealing a secret twice does no harm: an interrupted run may start again or continue.
package struct ResealingBatch: Sendable {
    /// The encryption keys.
    package let sealer: TokenSealer
    /// The value after which the batch starts; nil for the first batch.
    package let after: ResealingPosition?
    /// The maximum number of values; a sign-in may wait for the whole batch.
    package let maximumCount: Int
    /// The names of lost keys: what they encrypted is removed, unless a key decrypts it.
    package var abandonedKeys: Set<String> = []

    /// Decides which values are replaced; counts the others that no key decrypts and leaves them unchanged.
    package func decision(given values: [SealedValue]) -> Decision<ResealingStep> {
        var step = ResealingStep()
        var writes: [StoreWrite] = []
        for value in values {
            do {
                if let write = try value.resealing(by: sealer) {
                    writes.append(write)
                    step.resealedCount += 1
                } else {
                    step.currentCount += 1
                }
            } catch {
                if let key = value.keyID, abandonedKeys.contains(key) {
                    writes.append(value.removal)
                } else {
                    step.unopenedCount += 1
                    step.unopened.add(value)
                }
            }
        }
        if values.count >= maximumCount { step.next = values.last?.position }
        return Decision(step, writes)
    }
}

/// The result of a batch.
package struct ResealingStep: Hashable, Sendable {
    /// The number of values that were encrypted with another key.
    package var resealedCount = 0
    /// The number of values that were already encrypted with the first key.
    package var currentCount = 0
    /// The number of values that no key decrypts; they are unchanged.
    package var unopenedCount = 0
    /// The same values by their keys, without unreadable entries.
    package var unopened = UnopenedSecrets()
    /// The position after which the next batch starts; nil after the last one.
    package var next: ResealingPosition?

    /// Creates an empty result.
    package init() {}
}
