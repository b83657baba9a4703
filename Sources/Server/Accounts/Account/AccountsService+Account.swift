import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Sets the account's name as a whole, without given and family name, and returns the account; throws
    /// `name_too_long`, `name_empty`, or `session_invalid` when the account was just deleted.
    package func rename(
        to name: String?,
        requestedBy session: Session
    ) async throws(AccountsError) -> Account {
        let accepted = try name.map { name throws(AccountsError) in try acceptable(name) }
        return try await rename(.whole(accepted), requestedBy: session)
    }

    /// Changes the account's name, or a part of it, and returns the account.
    package func rename(
        _ change: NameChange,
        requestedBy session: Session
    ) async throws(AccountsError) -> Account {
        try await callStore(await store.rename(session.accountID, change)).get()
    }

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

    /// Checks a whole name, which has the limits of a name in parts.
    func acceptable(_ name: String) throws(AccountsError) -> AccountName {
        AccountName(try AccountName(checking: PersonName(givenName: name)).text)
    }

    /// Logs what a user did, at a level that is shown by default.
    func log(_ message: Logger.Message, _ session: Session, _ details: Logger.Metadata = [:]) {
        var metadata = details
        metadata["account"] = "\(session.accountID)"
        metadata["session"] = "\(session.id)"
        logger.notice(message, metadata: metadata)
    }
}
