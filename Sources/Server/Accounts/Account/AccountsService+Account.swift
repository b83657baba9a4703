import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Deletes the session's account, ends its sessions, and queues the revocations at Apple; throws
    /// `recent_sign_in_required`, or `session_invalid` when the session has just ended.
    package func deleteAccount(
        _ session: Session,
        of account: Account,
        client: ClientDescription
    ) async throws(AccountsError) {
        let now = now
        let deletion = AccountDeletion(
            account: session.accountID,
            caller: caller(session, needsFreshSignIn: true, now: now),
            entryID: .random(),
            mail: try lastMail(.accountDeleted, to: account, client, now: now),
            audit: auditContext(client, now: now),
            now: now
        )
        let count = try await callStore(await store.deleteAccount(deletion)).get()
        log("account deleted", session, ["revocations": "\(count)"])
        outboxSignal?.send()
        maintenanceSignal?.send()
    }

    /// Creates the mail about the end of an account or of its link; nil when it cannot be sent or would not arrive.
    ///
    /// The order has the email address, because the account may have lost it when the mail is sent.
    func lastMail(
        _ kind: MailOrder.Kind,
        to account: Account,
        _ client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> QueuedMail? {
        guard account.emailDeliverable, let address = account.email?.text else { return nil }
        return try mail(
            kind,
            to: address,
            name: account.name?.text,
            appleLinkRemains: account.appleLinkRemains,
            client: client,
            now: now
        )
    }

    /// Counts the outbox entries that are not done yet, such as revocations at Apple.
    package func outboxBacklog() async throws(AccountsError) -> OutboxBacklog {
        try await callStore(await store.outboxBacklog())
    }

    /// Returns the seconds since the oldest due validation of a refresh token was due; 0 when none is due.
    package func validationDelay() async throws(AccountsError) -> TimeInterval {
        let now = now
        let due = try await callStore(await store.oldestDueValidation(now: now))
        return due.map(now.timeIntervalSince) ?? 0
    }

    /// Returns all data kept about the session's user, without secrets; throws `session_invalid` when the account was
    /// just deleted.
    package func export(
        of session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) -> AccountExport {
        let export = try await callStore(await store.export(session.accountID, now: now))
        guard let export else { throw .sessionInvalid }
        try await recordExport(requestedBy: session, client)
        log("data exported", session)
        return export
    }

    /// Performs a change of an account in the store, which may queue mail and revocations.
    func apply(
        from client: ClientDescription,
        clientID: ClientID? = nil,
        _ change: AccountChange
    ) async throws(AccountsError) -> Account {
        var audited = change
        audited.audit = auditContext(client, clientID: clientID, now: change.now)
        let change = audited
        let outcome = try await callStore(await store.change(change))
        outboxSignal?.send()
        return try outcome.get()
    }

    /// Whether the session's sign-in is recent enough for the changes that require it.
    package func isRecent(_ session: Session) -> Bool {
        now.timeIntervalSince(session.signedInAt) <= configuration.recentSignInLimit
    }

    func caller(_ session: Session, needsFreshSignIn: Bool, now: Date) -> AccountChange.Caller {
        AccountChange.Caller(
            account: session.accountID,
            session: session.id,
            signedInSince: needsFreshSignIn
                ? now.addingTimeInterval(-configuration.recentSignInLimit) : nil
        )
    }

    func log(_ message: Logger.Message, of account: Account) {
        logger.notice(message, metadata: ["account": "\(account.id)"])
    }

    /// Logs what a user did, at a level that is shown by default.
    func log(_ message: Logger.Message, _ session: Session, _ details: Logger.Metadata = [:]) {
        var metadata = details
        metadata["account"] = "\(session.accountID)"
        metadata["session"] = "\(session.id)"
        logger.notice(message, metadata: metadata)
    }
}
