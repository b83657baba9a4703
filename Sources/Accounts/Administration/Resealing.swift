import AppleIdentity
import SignInWithApple

/// A sealed secret of a store, and where it is.
package enum SealedValue: Hashable, Sendable {
    case refreshToken(RefreshToken, of: AccountID)
    /// What an entry of the outbox needs.
    case entry(OutboxID, OutboxTask)
    /// An entry that this program can't read.
    case unreadableEntry(OutboxID)

    /// Where the value is.
    package var position: ResealingPosition {
        switch self {
        case .refreshToken(let token, let account): .refreshToken(account, token.clientID)
        case .entry(let id, _), .unreadableEntry(let id): .entry(id)
        }
    }
}

/// Where resealing goes on: the refresh tokens come first, then the outbox, each in the order of its keys.
package enum ResealingPosition: Hashable, Sendable {
    /// Behind a refresh token.
    case refreshToken(AccountID, ClientID)
    /// Behind an entry of the outbox, and behind all refresh tokens.
    case entry(OutboxID)
}

extension ResealingPosition: LosslessStringConvertible {
    /// The position in one line, for a program that goes on later.
    package var description: String {
        switch self {
        case .refreshToken(let account, let client): "token/\(account)/\(client)"
        case .entry(let id): "entry/\(id)"
        }
    }

    /// Reads a position; nil when the text is none.
    package init?(_ description: String) {
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        switch (parts.first, parts.count) {
        case ("token", 3): self = .refreshToken(AccountID(parts[1]), ClientID(parts[2]))
        case ("entry", 2): self = .entry(OutboxID(parts[1]))
        default: return nil
        }
    }
}

/// Some sealed secrets that shall be sealed again with the first key, so that the others can be dropped.
///
/// Doing it twice does no harm, so that what was interrupted begins again or goes on.
package struct ResealingBatch: Sendable {
    /// The keys.
    package let sealer: TokenSealer
    /// Behind which value to go on; nil for the beginning.
    package let after: ResealingPosition?
    /// How many values to look at; a sign-in may wait behind them.
    package let maximumCount: Int

    package init(sealer: TokenSealer, after: ResealingPosition?, maximumCount: Int) {
        self.sealer = sealer
        self.after = after
        self.maximumCount = maximumCount
    }

    /// Decides what is written again; what no key opens stays as it is and is counted.
    package func decision(given values: [SealedValue]) -> Decision<ResealingStep> {
        var step = ResealingStep()
        var writes: [StoreWrite] = []
        for value in values {
            do {
                if let write = try resealing(value) {
                    writes.append(write)
                    step.resealedCount += 1
                } else {
                    step.currentCount += 1
                }
            } catch {
                step.unopenedCount += 1
            }
        }
        if values.count >= maximumCount { step.next = values.last?.position }
        return Decision(step, writes)
    }

    private func resealing(_ value: SealedValue) throws(SealingError) -> StoreWrite? {
        switch value {
        case .refreshToken(let token, let account):
            try token.resealed(by: sealer).map { .replaceSealedToken($0, of: account) }
        case .entry(let id, let task):
            try task.resealed(for: id, by: sealer).map { .replaceTask(of: id, $0) }
        case .unreadableEntry:
            throw SealingError(.textInvalid, "the entry can't be read")
        }
    }
}

/// What came of one batch.
package struct ResealingStep: Hashable, Sendable {
    /// Values that another key had sealed.
    package var resealedCount = 0
    /// Values that the first key had sealed already.
    package var currentCount = 0
    /// Values that no key opens; they are as they were.
    package var unopenedCount = 0
    /// Where to go on; nil when all values were looked at.
    package var next: ResealingPosition?

    /// Makes the count of nothing.
    package init() {}
}

extension RefreshToken {
    /// The same token sealed by the first key; nil when it is already.
    func resealed(by sealer: TokenSealer) throws(SealingError) -> RefreshToken? {
        let context = SealingContext.refreshToken(id, clientID: clientID)
        guard let text = try sealer.reseal(sealedToken, for: context) else { return nil }
        return RefreshToken(id: id, clientID: clientID, sealedToken: text, receivedAt: receivedAt)
    }
}

extension OutboxTask {
    /// The same task with its secrets sealed by the first key; nil when they are already.
    func resealed(for id: OutboxID, by sealer: TokenSealer) throws(SealingError) -> OutboxTask? {
        switch self {
        case .revocation(let token):
            return try token.resealed(by: sealer).map { .revocation($0) }
        case .mail(let mail):
            return try sealer.reseal(mail.sealedOrder, for: .mail(id))
                .map { sealed in
                    .mail(
                        SealedMail(
                            sealedOrder: sealed,
                            expiresAt: mail.expiresAt,
                            recipient: mail.recipient
                        )
                    )
                }
        }
    }
}
