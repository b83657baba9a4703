import AppleIdentity
import Foundation

/// What Apple tells must be Apple's, and must have effect.
extension SignInCheck {
    /// How long a notification may be on its way, in tenths of a second.
    private static let maximumDeliveryTenths = 600

    static let notifications =
        [consentRevoked] + [
            forgedNotification("signature", "bad_signature", "with a wrong signature"),
            forgedNotification(
                "unknown-key",
                "unknown_key",
                "by a key that Apple does not publish"
            ),
            forgedNotification("unsigned", "unsigned", "without a signature"),
            forgedNotification("issuer", "wrong_issuer", "of another issuer"),
            forgedNotification("audience", "wrong_audience", "for another app"),
            forgedNotification("expired", "expired", "that ended an hour ago", isAdvice: true),
        ] + [repeated, outOfOrder, accountDeleted]

    private static let consentRevoked = SignInCheck(
        "consent-revoked",
        .notifications,
        attempt: "lets a person stop using the app in the settings of the Apple Account",
        expectation: "the person's session ends",
        fix:
            "Take Apple's notifications at an address of your own, and end the sessions of `sub` at `consent-revoked`.",
        source: .changes
    ) { context throws(CheckError) in
        guard context.registration.hasNotifications else { return .notExamined(noAddress) }
        let person = try await context.newPerson("leaver")
        try await context.waitForNewSecond()
        var visit = try await context.signIn(person)
        let known = try await context.apple.lastNotificationNumber()
        try await context.apple.stopUsing(person.email, app: context.registration.clientID)
        let status = try await arrival(of: context, after: known)
        return try await context.who(&visit) == .nobody
            ? .holds("answered \(status), and the session has ended")
            : .fails("answered \(status), and the browser is still signed in")
    }

    private static let accountDeleted = SignInCheck(
        "account-deleted",
        .notifications,
        attempt: "lets a person delete the Apple Account",
        expectation: "the person's session ends",
        fix:
            "End the sessions of `sub` at `account-deleted`, and at `account-delete`, its older name.",
        source: .changes
    ) { context throws(CheckError) in
        guard context.registration.hasNotifications else { return .notExamined(noAddress) }
        let person = try await context.newPerson("goner")
        try await context.waitForNewSecond()
        var visit = try await context.signIn(person)
        let known = try await context.apple.lastNotificationNumber()
        try await context.apple.delete(person.email)
        let status = try await arrival(of: context, after: known)
        return try await context.who(&visit) == .nobody
            ? .holds("answered \(status), and the session has ended")
            : .fails("answered \(status), and the browser is still signed in")
    }

    private static func forgedNotification(
        _ name: String,
        _ defect: String,
        _ words: String,
        isAdvice: Bool = false
    ) -> SignInCheck {
        SignInCheck(
            "notification-" + name,
            .notifications,
            attempt: "sends a notification \(words) that the victim has stopped using the app",
            expectation: "the victim stays signed in",
            fix:
                "Verify notifications as identity tokens: Apple's signature, `iss` and `aud`, before anything else.",
            source: .changes
        ) { context throws(CheckError) in
            guard try await heeds(context) else { return .notExamined(ignored(context)) }
            var visit = try await context.signIn(context.victim)
            var order = revocation(of: context.victim, context)
            order["malformed"] = .string(defect)
            let known = try await context.apple.lastNotificationNumber()
            _ = try await context.apple.notify(order)
            let status = try await arrival(of: context, after: known)
            guard try await context.who(&visit) == .nobody else {
                return .holds("answered \(status), and the session goes on")
            }
            let words = "answered \(status), and the session has ended"
            return isAdvice ? .advice(words) : .fails(words)
        }
    }

    private static let repeated = SignInCheck(
        "notification-repeated",
        .notifications,
        attempt: "sends the same notification twice",
        expectation: "both are answered with 200",
        fix:
            "Remember `jti`, and answer 200 for a notification that was handled: Apple repeats what has another answer.",
        source: .changes
    ) { context throws(CheckError) in
        guard try await heeds(context) else { return .notExamined(ignored(context)) }
        let person = try await context.newPerson("twice")
        _ = try await context.signIn(person)
        var order = revocation(of: person, context)
        order["duplicates"] = 1
        let known = try await context.apple.lastNotificationNumber()
        _ = try await context.apple.notify(order)
        let first = try await arrival(of: context, after: known)
        let second = try await arrival(of: context, after: known + 1)
        return [first, second] == ["200", "200"]
            ? .holds("answered 200 twice") : .advice("answered \(first) and \(second)")
    }

    private static let outOfOrder = SignInCheck(
        "notification-late",
        .notifications,
        attempt: "sends a notification late, after the person has signed in again",
        expectation: "the new session goes on",
        fix: "Compare `event_time` with the time of the last sign-in.",
        source: .changes
    ) { context throws(CheckError) in
        guard try await heeds(context) else { return .notExamined(ignored(context)) }
        let person = try await context.newPerson("late")
        _ = try await context.signIn(person)
        var order = revocation(of: person, context)
        order["delay_seconds"] = 3
        let known = try await context.apple.lastNotificationNumber()
        _ = try await context.apple.notify(order)
        // Tokens count whole seconds: the next sign-in must not begin in the same one.
        for _ in 0..<12 { try await context.pause() }
        var visit = try await context.signIn(person)
        let status = try await arrival(of: context, after: known)
        return try await context.who(&visit) == .nobody
            ? .advice("answered \(status), and the new session has ended")
            : .holds("answered \(status), and the new session goes on")
    }

    private static let noAddress = """
        the app has no notification_url at the emulator: register the server's address in the seed
        """

    private static func ignored(_ context: CheckContext) -> String {
        context.registration.hasNotifications
            ? "a right notification does not end the session either" : noAddress
    }

    /// Whether a right notification ends a session, without which a forged one shows nothing.
    private static func heeds(_ context: CheckContext) async throws(CheckError) -> Bool {
        guard context.registration.hasNotifications else { return false }
        if let known = context.heedsNotifications.withLock({ $0 }) { return known }
        let heeds = try await consentRevoked.examine(context).verdict == .holds
        context.heedsNotifications.withLock { $0 = heeds }
        return heeds
    }

    private static func revocation(
        of person: CheckPerson,
        _ context: CheckContext
    ) -> JSONObject {
        [
            "type": "consent-revoked", "client_id": .string(context.registration.primaryID),
            "person": .string(person.email),
        ]
    }

    /// Waits until the server has answered a notification.
    ///
    /// - Parameters:
    ///   - context: the run.
    ///   - known: the number of the notification before.
    /// - Returns: the status of the first attempt, or why there was none.
    /// - Throws: ``CheckError`` when the emulator does not answer, or does not deliver it in time.
    private static func arrival(
        of context: CheckContext,
        after known: Int
    ) async throws(CheckError) -> String {
        for _ in 0..<maximumDeliveryTenths {
            let next = try await context.apple.notifications()
                .first { $0["number"]?.integerValue ?? 0 > known }
            let attempt = next?["attempts"]?.arrayValue?.first?.objectValue
            if let status = attempt?["status"]?.integerValue { return String(status) }
            if let problem = attempt?["error"]?.stringValue { return "nothing: \(problem)" }
            try await context.pause()
        }
        throw CheckError(
            "the emulator did not deliver the notification in time",
            hint: "look at GET /notifications of the emulator"
        )
    }
}
