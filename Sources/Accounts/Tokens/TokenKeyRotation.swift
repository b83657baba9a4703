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

    /// Decides what is written, from all stored keys.
    package func decision(given keys: [TokenKey]) -> Decision<TokenKeyOutcome> {
        let current = keys.filter { $0.publishedUntil == nil }
        // The response of the same rotation was lost, or another replica was first.
        let isDone = keys.contains { $0.id == newKey.id } || kind == .first && !current.isEmpty
        guard !isDone else { return Decision(.keys(keys)) }
        if kind == .immediate { return written([newKey], removing: keys, detail: " immediately") }
        if kind == .overlapping, let waiting = keys.first(where: { $0.signsFrom > now }) {
            return Decision(.waiting(until: waiting.signsFrom))
        }
        guard !current.isEmpty else { return written([newKey]) }
        let start = now.addingTimeInterval(AccountsConfiguration.tokenKeyOverlap)
        let end = start.addingTimeInterval(AccountsConfiguration.replacedTokenKeyMemory)
        let ended = keys.filter { $0.publishedUntil != nil }
        return written(
            [newKey.with(signsFrom: start)] + current.map { $0.with(publishedUntil: end) },
            keeping: ended
        )
    }

    private func written(
        _ written: [TokenKey],
        keeping kept: [TokenKey] = [],
        removing removed: [TokenKey] = [],
        detail: String = ""
    ) -> Decision<TokenKeyOutcome> {
        let detail = newKey.id.rawValue + detail
        return Decision(
            .keys(written + kept),
            written.map { .putTokenKey($0) } + removed.map { .removeTokenKey($0.id) }
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

/// The keys of access tokens.
package protocol TokenKeyStore: Sendable {
    /// Returns all keys.
    func tokenKeys() async throws(AccountStoreError) -> [TokenKey]

    /// Changes the keys, by the rule of `TokenKeyRotation`.
    func rotateTokenKeys(
        _ rotation: TokenKeyRotation
    ) async throws(AccountStoreError) -> TokenKeyOutcome
}
