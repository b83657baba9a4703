import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Acts on what Apple posted, once, however often it comes.
    ///
    /// | what happened | what is done |
    /// |---|---|
    /// | stopped using the app | sessions that Apple opened end, without a password all; Apple's tokens are dropped, the account stays |
    /// | Apple Account deleted | the same with a password; else the account is deleted like by the person, and nothing is left to revoke |
    /// | forwarding off or on | whether mail reaches the account's address |
    /// | anything else | only the log is told |
    ///
    /// An event before the person's latest sign-in does not undo that; of the events about the
    /// address the latest counts. Nobody is told whether the person has an account.
    ///
    /// - Parameter notification: what was verified.
    /// - Throws: `store_unavailable`, after which Apple should send it again.
    package func receive(_ notification: VerifiedNotification) async throws(AccountsError) {
        guard let event = event(in: notification) else {
            logNotification("notification of unknown type", notification)
            return
        }
        let outcome = try await asking(await store.apply(event))
        if event.endsConsent { maintenanceSignal?.send() }
        switch outcome {
        case .applied(let account):
            logNotification("notification processed", notification, account)
        case .superseded(let account):
            logNotification(
                "notification ignored: outdated, or about another email address",
                notification,
                account
            )
        case .repeated: logNotification("notification already processed", notification)
        case .unknownPerson:
            logNotification("notification ignored: the user has no account", notification)
        }
    }

    private func event(in notification: VerifiedNotification) -> AppleEvent? {
        guard let change = change(in: notification.event) else { return nil }
        let now = now
        var told = AppleEvent(
            person: ApplePerson(issuer: notification.issuer, user: notification.user),
            change: change,
            eventTime: notification.event.eventTime,
            notificationID: notification.notificationID,
            rememberedUntil: max(
                notification.expirationTime
                    .addingTimeInterval(AccountsConfiguration.usedTokenMargin),
                now.addingTimeInterval(AccountsConfiguration.notificationMemory)
            ),
            now: now
        )
        told.audit = auditContext(apple: change.word, now: now)
        return told
    }

    private func change(in event: NotificationEvent) -> AppleEvent.Change? {
        switch event.kind {
        case .consentRevoked: .consentRevoked
        case .accountDelete, .accountDeleted: .accountDeleted
        case .emailDisabled: .emailDisabled(address: event.email)
        case .emailEnabled: .emailEnabled(address: event.email)
        default: nil
        }
    }

    /// Neither the person's identifier at Apple nor an address reaches the log.
    private func logNotification(
        _ message: Logger.Message,
        _ notification: VerifiedNotification,
        _ account: AccountID? = nil
    ) {
        let kind = DisplayText.clipped(
            notification.event.kind.rawValue,
            maximumCharacterCount: AccountsConfiguration.maximumLoggedKindCharacterCount
        )
        var metadata: Logger.Metadata = ["kind": "\(DisplayText.cleaned(kind) ?? "")"]
        metadata["account"] = account.map { "\($0)" }
        logger.notice(message, metadata: metadata)
    }
}
