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
        guard let teamID = registry.apps[group]?.teamID, let consent = person.consents[group],
            let identity = person.identities[teamID]
        else { return }
        let event = NotifiedEvent(
            kind: kind,
            userID: identity.userID,
            time: eventTime(of: identity.userID, after: consent),
            email: email
        )
        _ = send(
            event,
            to: group,
            ofGroup: group,
            about: person,
            duplicateCount: notificationSettings.duplicateCount,
            delaySeconds: notificationSettings.delaySeconds
        )
    }

    /// Sends a notification on request, even one that Apple would not send.
    mutating func sendNotification(_ object: JSONObject) throws(ControlRefusal) -> JSONObject {
        let order = try NotificationOrder(object)
        let client = try registry.require(order.clientID.rawValue)
        let (userID, identity) = try order.subject(teamID: client.teamID, people: people)
        let isAboutEmail = order.kind == .emailDisabled || order.kind == .emailEnabled
        let person = people.person(userID: userID, teamID: client.teamID)
        let event = NotifiedEvent(
            kind: order.kind,
            userID: userID,
            time: eventTime(of: userID, after: person?.consents[client.group]),
            email: order.email ?? (isAboutEmail ? identity?.relayAddress : nil)
        )
        let made = send(
            event,
            to: client.clientID,
            ofGroup: client.group,
            about: person,
            defect: order.defect,
            duplicateCount: order.duplicateCount,
            delaySeconds: order.delaySeconds
        )
        var answer = made.first?.object ?? [:]
        if made.count > 1 {
            answer["duplicates"] = .array(made.dropFirst().map { .integer($0.number) })
        }
        return answer
    }

    /// A time shortly before now, but not before the person's last sign-in.
    ///
    /// It is later than the person's last event, because receivers order events by their times;
    /// events of a clock that was set back since do not count.
    private func eventTime(of userID: UserID, after consent: Consent?) -> Date {
        let now = clock.now
        let time = now.addingTimeInterval(-NotificationDraft.eventLeadSeconds)
        let usual = min(max(time, consent?.usedAt ?? time), now)
        let last = deliveries.deliveries.lazy.map(\.notification.event)
            .filter { $0.userID == userID }.map(\.milliseconds)
            .filter { Double($0) / 1_000 < now.timeIntervalSince1970 + 60 }.max()
        guard let last else { return usual }
        return max(usual, Date(timeIntervalSince1970: Double(last + 1) / 1_000))
    }

    /// Signs a notification, and queues it with its duplicates.
    private mutating func send(
        _ event: NotifiedEvent,
        to clientID: ClientID,
        ofGroup group: ClientID,
        about person: Person?,
        defect: NotificationDefect? = nil,
        duplicateCount: Int,
        delaySeconds: Int
    ) -> [Delivery] {
        let now = clock.now
        let url = registry.apps[group]?.notificationURL
        let draft = NotificationDraft(
            issuer: switches.issuer,
            clientID: clientID,
            event: event,
            isPrivateEmail: event.email.map(isRelayAddress) ?? false,
            issuedAt: Int(now.timeIntervalSince1970),
            defect: defect
        )
        var notification = draft.unsentNotification
        var state = Delivery.State.notSent(reason: "the primary app has no notification_url")
        if url != nil {
            do {
                let key = try signingKeys.anyCurrent()
                notification.body = try draft.body(of: notification.claims, signedBy: key)
                state = .pending(dueAt: now.addingTimeInterval(TimeInterval(delaySeconds)))
            } catch {
                state = .notSent(reason: "it can't be signed: \(error)")
            }
        }
        var made: [Delivery] = []
        for _ in 0...(url == nil ? 0 : duplicateCount) {
            var delivery = Delivery(notification: notification, madeAt: now, url: url, state: state)
            delivery.originalNumber = made.first?.number
            delivery.isOfCheck = person?.account.isOfCheck == true
            made.append(deliveries.add(delivery))
        }
        if let person {
            flows.record(made, about: FlowPerson(personID: person.id, group: group), at: now)
        }
        return made
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
