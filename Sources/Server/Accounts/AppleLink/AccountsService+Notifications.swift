import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Processes a notification of Apple once, even if Apple sends it several times.
    ///
    /// | event | effect |
    /// |---|---|
    /// | the user stopped using the app | sessions opened with Apple end, or all without a password; Apple's tokens are dropped; the account stays |
    /// | Apple Account deleted | an account with a password is unlinked, with the same effect; any other is deleted, without revocations |
    /// | forwarding off or on | sets whether mail to the account's email address is forwarded |
    /// | any other event | logged only |
    ///
    /// An event before the user's latest sign-in does not undo the sign-in. Of the events about the email address, the
    /// latest counts. The result does not reveal whether the user has an account.
    ///
    /// - Parameter notification: the verified notification.
    /// - Throws: `store_unavailable`, after which Apple should send the notification again.
    package func receive(_ notification: VerifiedNotification) async throws(AccountsError) {
        guard let event = event(in: notification) else {
            logNotification("notification of unknown type", notification)
            return
        }
        let outcome = try await callStore(await store.apply(event))
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
        var audited = AppleEvent(
            person: ApplePerson(issuer: notification.issuer, user: notification.userID),
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
        audited.audit = auditContext(apple: change.word, now: now)
        return audited
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

    /// Logs a notification without the user's identifier at Apple or email address.
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
