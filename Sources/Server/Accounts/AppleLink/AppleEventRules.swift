import Foundation

/// The facts that decide the effect of an event at Apple.
package struct AppleEventFacts: Hashable, Sendable {
    /// Whether the notification, or its event, was already processed.
    package var isKnown = false
    /// The user's account.
    package var account: Account?
    /// Queued revocations of the user's earlier account.
    package var queuedRevocations: [OutboxEntry] = []
}

extension ApplePerson {
    /// The write after which identity tokens from before a deletion or an unlinking are refused.
    func consentEnded(by entry: OutboxID, at time: Date) -> StoreWrite {
        .rememberEvent(
            AppleEvent(
                person: self,
                change: .consentRevoked,
                eventTime: time,
                notificationID: entry.rawValue,
                rememberedUntil: time.addingTimeInterval(AccountsConfiguration.notificationMemory),
                now: time
            )
        )
    }
}

extension AppleEvent {
    /// Decides the effect of an event.
    ///
    /// An end of consent before the latest sign-in changes nothing, nor does an email event before the latest one.
    ///
    /// - Parameter facts: what the store knows.
    /// - Returns: the outcome and its writes.
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
        // An account with a password stays when the Apple Account is deleted.
        case .consentRevoked, .accountDeleted: .consentEnded
        case .emailDisabled, .emailEnabled: .mailForwardingChanged
        }
    }

    /// The writes of the event; nil when it is outdated or about another email address.
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

    /// Identity tokens have times in seconds, events in milliseconds: in doubt, consent has ended.
    private func endsConsent(of account: Account) -> Bool {
        account.apple.map { eventTime >= $0.consentedAt } ?? false
    }

    /// The writes of a deleted Apple Account; Apple has revoked all its tokens itself.
    private func deleted(_ account: Account) -> [StoreWrite] {
        guard account.username != nil else {
            return [
                .forgetName(of: person), .removeMail(of: account.id), .removeAccount(account.id),
            ]
        }
        let account = account.unlinked(by: nil, at: eventTime)
        return account.accessEnded + [
            .forgetName(of: person), .removeRefreshTokens(of: account.id), .updateAccount(account),
        ]
    }

    /// The writes for a user without an account, of whom the store may keep a name and revocations.
    private func strangerWrites(_ facts: AppleEventFacts) -> [StoreWrite] {
        guard endsConsent else { return [] }
        return (change == .accountDeleted ? [.forgetName(of: person)] : []) + entriesEnded(facts)
    }

    private func entriesEnded(_ facts: AppleEventFacts) -> [StoreWrite] {
        let ids = facts.queuedRevocations.filter { $0.createdAt <= eventTime }.map(\.id)
        return ids.isEmpty ? [] : [.removeEntries(ids)]
    }

    /// The writes of a forwarding switch; nil when a later switch is known, or the account has another email address
    /// or one that did not come from Apple.
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
