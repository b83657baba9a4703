import AppleIdentity
import Foundation

/// Checks that genuine notifications have an effect, and forged ones do not.
extension SignInCheck {
    /// How long the delivery of a notification may take, in seconds.
    fileprivate static let maximumDeliverySeconds = 60.0
    /// How long a server may take to act on a notification after its response, in seconds.
    fileprivate static let maximumEffectSeconds = 20.0

    static let notifications =
        [consentRevoked] + [
            forgedNotification("signature", "bad_signature", "with a wrong signature"),
            forgedNotification(
                "unknown-key",
                "unknown_key",
                "signed with a key that Apple does not publish"
            ),
            forgedNotification("unsigned", "unsigned", "without a signature"),
            forgedNotification("issuer", "wrong_issuer", "of another issuer"),
            forgedNotification("audience", "wrong_audience", "for another app"),
            forgedNotification("expired", "expired", "expired an hour ago", isAdvice: true),
        ] + [forgedNotifications, repeated, outOfOrder, accountDeleted]

    fileprivate static let consentRevoked = SignInCheck(
        name: "consent-revoked",
        attempt: "a user stops using the app in the settings of the Apple Account",
        expectation: "the user's session ends",
        fix:
            "Register a URL for Apple's notifications, and end the sessions of `sub` on `consent-revoked`.",
        source: .changes
    ) { context throws(CheckError) in
        try await context.sessionEnd() { person throws(CheckError) in
            try await context.apple.stopUsing(person.email, app: context.registration.clientID)
        }
    }

    private static let accountDeleted = SignInCheck(
        name: "account-deleted",
        attempt:
            "a user deletes the Apple Account; for another user, the notification has the older name, `account-delete`",
        expectation: "the user's session ends",
        fix:
            "End the sessions of `sub` on `account-deleted`, and on `account-delete`, its older name.",
        source: .changes
    ) { context throws(CheckError) in
        let finding = try await context.sessionEnd() { person throws(CheckError) in
            try await context.apple.delete(person.email)
        }
        guard finding.verdict == .holds else { return finding }
        let older = try await context.sessionEnd() { person throws(CheckError) in
            var order = context.revocation(of: person)
            order["type"] = "account-delete"
            try await context.apple.notify(order)
        }
        return older.verdict == .fails ? .advice("account-delete: " + older.reason) : older
    }

    private static func forgedNotification(
        _ name: String,
        _ defect: String,
        _ words: String,
        isAdvice: Bool = false
    ) -> SignInCheck {
        SignInCheck(
            name: "notification-" + name,
            attempt: "a notification that the victim has stopped using the app, \(words)",
            expectation: "the victim stays signed in",
            fix:
                "Verify notifications like identity tokens: Apple's signature, `iss` and `aud`, before anything else.",
            source: .changes
        ) { context throws(CheckError) in
            guard try await context.heeds() else { return .notExamined(context.ignored) }
            var visit = try await context.signIn(context.victim)
            var order = context.revocation(of: context.victim)
            order["malformed"] = .string(defect)
            let arrival = try await context.arrival(of: context.apple.notify(order))
            try await context.waitForEffect()
            guard try await context.who(&visit) == .anonymous else {
                return .holds("\(arrival.words), and the session continues")
            }
            let words = "\(arrival.words), and the session has ended"
            return isAdvice ? .advice(words) : .fails(words)
        }
    }

    private static let repeated = SignInCheck(
        name: "notification-repeated",
        attempt: "the same notification twice",
        expectation: "the server responds to both with 200",
        fix:
            "Store `jti`, and respond with 200 to a repeated notification. Apple repeats it after any other response.",
        source: .changes
    ) { context throws(CheckError) in
        guard try await context.heeds() else { return .notExamined(context.ignored) }
        let person = try await context.newPerson("twice")
        _ = try await context.signIn(person)
        var order = context.revocation(of: person)
        order["duplicates"] = 1
        let number = try await context.apple.notify(order)
        let first = try await context.arrival(of: number)
        let second = try await context.arrival(of: number + 1)
        return first.isAccepted && second.isAccepted
            ? .holds("\(first.words) twice") : .advice("\(first.words), then \(second.words)")
    }

    private static let outOfOrder = SignInCheck(
        name: "notification-late",
        attempt: "a notification that arrives after the user has signed in again",
        expectation: "the new session continues",
        fix: "Compare `event_time` with the time of the last sign-in.",
        source: .changes
    ) { context throws(CheckError) in
        guard try await context.heeds() else { return .notExamined(context.ignored) }
        let person = try await context.newPerson("late")
        _ = try await context.signIn(person)
        var order = context.revocation(of: person)
        order["delay_seconds"] = 3
        let number = try await context.apple.notify(order)
        // Tokens have whole seconds, so the next sign-in must not begin in the same one.
        for _ in 0..<12 { try await context.pause() }
        var visit = try await context.signIn(person)
        let arrival = try await context.arrival(of: number)
        try await context.waitForEffect()
        return try await context.who(&visit) == .anonymous
            ? .advice("\(arrival.words), and the new session has ended")
            : .holds("\(arrival.words), and the new session continues")
    }

    fileprivate static let noAddress = """
        the app has no notification_url at the emulator: register the server's URL in the seed
        """
}

extension CheckContext {
    fileprivate enum Arrival {
        case answered(Int)
        case unanswered(String)

        var isAccepted: Bool {
            if case .answered(let status) = self { (200..<300).contains(status) } else { false }
        }
        var words: String {
            switch self {
            case .answered(let status): "responded with \(status)"
            case .unanswered(let reason): "no response (\(reason))"
            }
        }
    }

    /// Whether an action at Apple ends a user's session.
    fileprivate func sessionEnd(
        _ act: (CheckPerson) async throws(CheckError) -> Void
    ) async throws(CheckError) -> Finding {
        guard registration.hasNotifications else { return .notExamined(SignInCheck.noAddress) }
        let person = try await newPerson("leaver")
        try await waitForNewSecond()
        let visit = try await signIn(person)
        let known = try await apple.lastNotificationNumber()
        try await act(person)
        let arrival = try await arrival(of: known + 1)
        return try await hasEnded(visit, after: arrival)
            ? .holds("\(arrival.words), and the session has ended")
            : .fails("\(arrival.words), and the browser is still signed in")
    }

    var ignored: String {
        registration.hasNotifications
            ? "a valid notification does not end the session either" : SignInCheck.noAddress
    }

    /// Whether a valid notification ends a session; otherwise a forged one shows nothing.
    func heeds() async throws(CheckError) -> Bool {
        guard registration.hasNotifications else { return false }
        if let known = heedsNotifications.withLock({ $0 }) { return known }
        let heeds = try await SignInCheck.consentRevoked.examine(self).verdict == .holds
        heedsNotifications.withLock { $0 = heeds }
        return heeds
    }

    /// Whether a session ends; a server may act on a notification after its response.
    fileprivate func hasEnded(
        _ visit: Visit,
        after arrival: Arrival
    ) async throws(CheckError) -> Bool {
        var visit = visit
        // A notification that was not accepted is not queued.
        let seconds = arrival.isAccepted ? SignInCheck.maximumEffectSeconds : 0
        return try await waits(seconds: seconds) { () throws(CheckError) in
            try await who(&visit) == .anonymous
        }
    }

    /// Waits until a valid notification about another user has had an effect; earlier ones were handled before.
    func waitForEffect() async throws(CheckError) {
        let person = try await newPerson("bystander")
        try await waitForNewSecond()
        let visit = try await signIn(person)
        let arrival = try await arrival(of: apple.notify(revocation(of: person)))
        guard try await hasEnded(visit, after: arrival) else {
            throw CheckError(
                "a valid notification had no effect after this one: \(arrival.words)",
                hint: "check GET /notifications on the control port, and the server's log"
            )
        }
    }

    fileprivate func revocation(of person: CheckPerson) -> JSONObject {
        [
            "type": "consent-revoked", "client_id": .string(registration.primaryID),
            "person": .string(person.email),
        ]
    }

    /// Waits until the server has responded to a notification.
    fileprivate func arrival(of number: Int) async throws(CheckError) -> Arrival {
        var arrival: Arrival?
        _ = try await waits(seconds: SignInCheck.maximumDeliverySeconds) { () throws(CheckError) in
            let next = try await apple.notifications()
                .first { $0["number"]?.integerValue ?? 0 >= number }
            let attempt = next?["attempts"]?.arrayValue?.first?.objectValue
            arrival =
                attempt?["status"]?.integerValue.map { .answered($0) }
                ?? attempt?["error"]?.stringValue.map { .unanswered($0) }
            return arrival != nil
        }
        if let arrival { return arrival }
        throw CheckError(
            "the emulator did not deliver the notification in time",
            hint: "check GET /notifications on the control port"
        )
    }
}
