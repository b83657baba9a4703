import Foundation

/// What a store knows that an event at Apple is decided by.
package struct AppleEventFacts: Hashable, Sendable {
    /// Whether the notification, or the event it tells, was acted on.
    package var isKnown: Bool
    /// The person's account.
    package var account: Account?
    /// Revocations of the person's earlier account that have not reached Apple yet.
    package var queuedRevocations: [OutboxEntry]

    /// Collects facts.
    package init(
        isKnown: Bool = false,
        account: Account? = nil,
        queuedRevocations: [OutboxEntry] = []
    ) {
        self.isKnown = isKnown
        self.account = account
        self.queuedRevocations = queuedRevocations
    }
}

extension AppleEvent {
    /// Decides what an event changes.
    ///
    /// The end of consent before the latest sign-in, and an event about the address before the latest
    /// one, change nothing.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: what came of it.
    package func decision(given facts: AppleEventFacts) -> Decision<AppleEventOutcome> {
        guard !facts.isKnown else { return Decision(.repeated) }
        let remembering = StoreWrite.rememberEvent(self)
        guard let account = facts.account else {
            return Decision(.unknownPerson, [remembering] + strangerWrites(facts))
        }
        guard let changes = writes(on: account, facts) else {
            return Decision(.superseded(account.id), [remembering])
        }
        let isDeleted = changes.contains(.removeAccount(account.id))
        return Decision(
            .applied(account.id),
            [remembering] + changes
                + audit.writes(isDeleted ? .accountDeleted : action, of: account.id)
        )
    }

    private var action: AuditAction {
        switch change {
        // Who has a password keeps the account when the Apple Account is gone.
        case .consentRevoked, .accountDeleted: .consentEnded
        case .emailDisabled, .emailEnabled: .mailForwardingChanged
        }
    }

    /// Nil when what is known is newer, or about another address.
    private func writes(on account: Account, _ facts: AppleEventFacts) -> [StoreWrite]? {
        switch change {
        case .emailEnabled(let address): forwarding(true, of: address, account)
        case .emailDisabled(let address): forwarding(false, of: address, account)
        case .consentRevoked:
            endsConsent(of: account)
                ? account.consentEnded(at: eventTime) + entriesEnded(facts) : nil
        case .accountDeleted:
            endsConsent(of: account) ? deleted(account) + entriesEnded(facts) : nil
        }
    }

    /// Identity tokens count whole seconds, events thousandths: in doubt consent has ended.
    private func endsConsent(of account: Account) -> Bool {
        account.apple.map { eventTime >= $0.consentedAt } ?? false
    }

    /// Apple has ended all tokens itself: nothing is left to be revoked.
    private func deleted(_ account: Account) -> [StoreWrite] {
        guard account.username != nil else {
            return [
                .forgetName(of: person), .removeMail(of: account.id), .removeAccount(account.id),
            ]
        }
        var account = account
        account.apple = nil
        account.leaveRelay()
        account.dropPendingEmail()
        return account.accessEnded + [
            .forgetName(of: person), .removeRefreshTokens(of: account.id), .updateAccount(account),
        ]
    }

    /// A name that waits for a sign-in is all there may be of a person without an account.
    private func strangerWrites(_ facts: AppleEventFacts) -> [StoreWrite] {
        guard endsConsent else { return [] }
        return (change == .accountDeleted ? [.forgetName(of: person)] : []) + entriesEnded(facts)
    }

    private func entriesEnded(_ facts: AppleEventFacts) -> [StoreWrite] {
        let ids = facts.queuedRevocations.filter { $0.createdAt <= eventTime }.map(\.id)
        return ids.isEmpty ? [] : [.removeEntries(ids)]
    }

    /// Follows a switch of the forwarding, unless a later one is known or the address is another, or the person's
    /// own, to which Apple forwards nothing.
    private func forwarding(
        _ isForwarded: Bool,
        of address: String?,
        _ account: Account
    ) -> [StoreWrite]? {
        guard let email = account.email, !email.isOwn,
            address.map({ $0.lowercased() == email.text.lowercased() }) ?? true,
            account.mailForwardingChangedAt.map({ $0 <= eventTime }) ?? true
        else { return nil }
        var account = account
        account.isMailForwarded = isForwarded
        account.mailForwardingChangedAt = eventTime
        return [.updateAccount(account)]
    }
}
