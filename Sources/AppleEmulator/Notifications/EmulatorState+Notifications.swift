import AppleIdentity
import Foundation

extension EmulatorState {
    /// Notifies the developer of an app group once, at the URL of its primary app.
    mutating func notify(
        _ kind: NotificationEvent.Kind,
        about person: Person,
        group: ClientID,
        email: String? = nil
    ) {
        guard let app = registry.apps[group], let consent = person.consents[group],
            let identity = person.identities[app.teamID]
        else { return }
        let now = clock.now
        let chance = chaos?.notification()
        let draft = NotificationDraft(
            issuer: switches.issuer,
            clientID: group,
            event: NotifiedEvent(
                kind: chance?.spelling(of: kind) ?? kind,
                userID: identity.userID,
                time: eventTime(after: consent),
                email: email
            ),
            isPrivateEmail: email.map(isRelayAddress) ?? false,
            issuedAt: Int(now.timeIntervalSince1970),
            defect: nil
        )
        let made = send(
            draft,
            to: app.notificationURL,
            keySeed: chance?.keySeed,
            duplicateCount: notificationSettings.duplicateCount + (chance?.duplicateCount ?? 0),
            delaySeconds: notificationSettings.delaySeconds + (chance?.delaySeconds ?? 0)
        )
        flows.record(made, about: FlowPerson(personID: person.id, group: group), at: now)
    }

    /// Sends a notification on request, even one that Apple would not send.
    mutating func sendNotification(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        let order = try NotificationOrder(object)
        let client = try registry.require(order.clientID.rawValue)
        let (userID, identity) = try order.subject(teamID: client.teamID, people: people)
        let isAboutEmail = order.kind == .emailDisabled || order.kind == .emailEnabled
        let now = clock.now
        let group = client.group
        let person = people.person(userID: userID, teamID: client.teamID)
        let email = order.email ?? (isAboutEmail ? identity?.relayAddress : nil)
        let draft = NotificationDraft(
            issuer: switches.issuer,
            clientID: client.clientID,
            event: NotifiedEvent(
                kind: order.kind,
                userID: userID,
                time: eventTime(after: person?.consents[group]),
                email: email
            ),
            isPrivateEmail: email.map(isRelayAddress) ?? false,
            issuedAt: Int(now.timeIntervalSince1970),
            defect: order.defect
        )
        let made = send(
            draft,
            to: registry.apps[group]?.notificationURL,
            keySeed: nil,
            duplicateCount: order.duplicateCount,
            delaySeconds: order.delaySeconds
        )
        if let person {
            flows.record(made, about: FlowPerson(personID: person.id, group: group), at: now)
        }
        var answer = made.first?.object ?? [:]
        if made.count > 1 {
            answer["duplicates"] = .array(made.dropFirst().map { .integer($0.number) })
        }
        return answer
    }

    /// A time shortly before now, but not before the person's last sign-in.
    private func eventTime(after consent: Consent?) -> Date {
        let now = clock.now
        let time = now.addingTimeInterval(-NotificationDraft.eventLeadSeconds)
        return min(max(time, consent?.usedAt ?? time), now)
    }

    private mutating func send(
        _ draft: NotificationDraft,
        to url: String?,
        keySeed: UInt64?,
        duplicateCount: Int,
        delaySeconds: Int
    ) -> [Delivery] {
        let now = clock.now
        var notification = draft.unsentNotification
        var state = Delivery.State.notSent(reason: "the primary app has no notification_url")
        if url != nil {
            do {
                var generator = SeededGenerator.make(seed: keySeed)
                let key = try signingKeys.anyCurrent(using: &generator)
                notification = try draft.signed(notification, by: key)
                state = .pending(dueAt: now.addingTimeInterval(TimeInterval(delaySeconds)))
            } catch {
                state = .notSent(reason: "it can't be signed: \(error)")
            }
        }
        var delivery = Delivery(notification: notification, madeAt: now, url: url, state: state)
        let first = deliveries.add(delivery)
        guard url != nil else { return [first] }
        return [first]
            + (0..<duplicateCount).map { _ in
                delivery = Delivery(notification: notification, madeAt: now, url: url, state: state)
                delivery.originalNumber = first.number
                return deliveries.add(delivery)
            }
    }
}

extension AppleEmulator {
    package func notifications() -> [JSONObject] { currentState.deliveries.objects }

    package func sendNotification(_ object: JSONObject) async throws(ControlRefusal) -> JSONObject {
        await prepareKeys()
        return try currentState.sendNotification(object)
    }

    package func notificationSettings() -> JSONObject { currentState.notificationSettings.object }

    package func changeNotificationSettings(
        _ object: JSONObject
    ) throws(ControlRefusal) -> JSONObject {
        try currentState.notificationSettings.change(object)
        return currentState.notificationSettings.object
    }

    /// Returns due deliveries, each only once until its result is recorded.
    ///
    /// - Parameter maximumCount: the maximum number of deliveries.
    /// - Returns: the requests to send, each with its URL and body.
    public func takeDueDeliveries(maximumCount: Int) -> [DeliveryRequest] {
        currentState.deliveries.takeDue(at: currentState.clock.now, maximumCount: maximumCount)
    }

    /// Records the result of an attempt; a failed delivery is retried after the next retry delay.
    ///
    /// - Parameters:
    ///   - reply: the response, or the failure.
    ///   - request: the delivery request; one from before a reset is ignored.
    public func record(_ reply: DeliveryReply, of request: DeliveryRequest) {
        let delivery = currentState.deliveries.record(
            DeliveryAttempt(time: currentState.clock.now, reply: reply),
            of: request.id,
            retryDelays: currentState.notificationSettings.retryDelays
        )
        if let delivery { currentState.flows.recordAttempt(of: delivery) }
    }

    package func nextDeliveryDelay() -> Duration? {
        guard let dueTime = currentState.deliveries.nextDueTime else { return nil }
        return .seconds(max(dueTime.timeIntervalSince(currentState.clock.now), 0))
    }
}
