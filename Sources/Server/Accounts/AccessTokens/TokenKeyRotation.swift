import Foundation

/// A change of the keys of access tokens, in one transaction.
///
/// The times are stored with the keys: each replica reads them, and none needs to be told.
package struct TokenKeyRotation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Adds a key only if there is none.
        case first
        /// Services learn the new key before it signs, and keep the old one until its last token has expired.
        case overlapping
        /// The new key signs at once, and the others are removed, because one of them has leaked.
        case immediate
    }

    package let kind: Kind
    package let newKey: TokenKey
    package let audit: AuditContext?
    package let now: Date

    package init(_ kind: Kind, newKey: TokenKey, audit: AuditContext? = nil, now: Date) {
        self.kind = kind
        self.newKey = newKey
        self.audit = audit
        self.now = now
    }

    /// Decides what is written, from all stored keys in the order in which they sign.
    package func decision(given keys: [TokenKey]) -> Decision<TokenKeyOutcome> {
        // The response of the same rotation was lost, or another replica was first.
        let isDone = keys.contains { $0.id == newKey.id } || kind == .first && !keys.isEmpty
        guard !isDone else { return Decision(.keys(keys)) }
        var (remaining, added) = (keys, newKey)
        var writes: [StoreWrite] = []
        if kind == .immediate {
            writes = keys.map { .removeTokenKey($0.id) }
            remaining = []
        } else if let last = keys.last {
            guard last.signsFrom <= now else { return Decision(.waiting(until: last.signsFrom)) }
            added.signsFrom = now.addingTimeInterval(AccountsConfiguration.tokenKeyOverlap)
            remaining[remaining.count - 1].publishedUntil = added.signsFrom
                .addingTimeInterval(AccountsConfiguration.replacedTokenKeyMemory)
            writes = [.putTokenKey(remaining[remaining.count - 1])]
        }
        let detail = kind == .immediate ? newKey.id + " immediately" : newKey.id
        return Decision(
            .keys(remaining + [added]),
            writes + [.putTokenKey(added)]
                + audit.writes(.tokenKeysRotated, of: nil, detail: detail)
        )
    }
}

/// The result of a rotation.
package enum TokenKeyOutcome: Hashable, Sendable {
    /// The keys after it.
    case keys([TokenKey])
    /// The key of an earlier rotation does not sign before this time.
    case waiting(until: Date)
}
