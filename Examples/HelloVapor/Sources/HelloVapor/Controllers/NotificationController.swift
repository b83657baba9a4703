import Fluent
import SignInWithApple
import Vapor

/// Handles Apple's notifications about people.
struct NotificationController: RouteCollection {
    let settings: Settings

    func boot(routes: any RoutesBuilder) throws {
        routes.register([settings.apple.notificationRoute(onNotification: act)])
    }

    /// Handles each notification once: the change and the record of it are one transaction.
    @Sendable func act(on notification: VerifiedNotification, _ request: Request) async throws {
        try await request.db.transaction { database in
            let user = try await User.locked(notification.issuer, notification.userID, on: database)
            let id = notification.notificationID
            guard try await HandledNotification.find(id, on: database) == nil else { return }
            try await user?.act(on: notification.event, on: database)
            try await HandledNotification(id: id, expiresAt: notification.expirationTime)
                .create(on: database)
        }
    }
}

extension User {
    fileprivate func act(on event: NotificationEvent, on database: any Database) async throws {
        switch event.kind {
        // A late one is about an earlier consent.
        case .consentRevoked where event.eventTime >= signedInAt:
            try await $sessions.query(on: database).delete()
            try await $refreshTokens.query(on: database).delete()
        case .accountDeleted, .accountDelete:
            try await $refreshTokens.query(on: database).delete()
            try await delete(on: database)
        case .emailDisabled, .emailEnabled:
            // Notifications may come in another order.
            guard event.eventTime >= mailChangedAt ?? .distantPast else { return }
            mailChangedAt = event.eventTime
            isMailForwarded = event.kind == .emailEnabled
            try await update(on: database)
        default: break
        }
    }
}
