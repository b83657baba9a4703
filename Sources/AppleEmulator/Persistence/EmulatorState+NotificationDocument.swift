import AppleIdentity
import Foundation

extension EmulatorState {
    func writeNotifications(to document: inout StateDocument) {
        document["last_notification_number"] = .integer(deliveries.lastNumber)
        document["notifications"] = .array(
            deliveries.deliveries.map { .object($0.document) }
        )
    }

    mutating func readNotifications(
        _ document: StateDocument,
        _ fields: FieldReader
    ) throws(ControlRefusal) {
        let name = "last_notification_number"
        let lastNumber = try fields.counter(name)
        var restored: [Delivery] = []
        var numbers: Set<Int> = []
        try document.each("notifications") { object throws(ControlRefusal) in
            let delivery = try Delivery(restoring: object)
            guard numbers.insert(delivery.number).inserted else { throw .twice("number") }
            guard (1...max(lastNumber, 1)).contains(delivery.number) else {
                throw .wrong("number", "must be from 1 to \(name)")
            }
            restored.append(delivery)
        }
        deliveries.restore(restored, lastNumber: lastNumber)
    }
}

extension Delivery {
    private static let names = [
        "number", "time", "url", "duplicate_of", "state", "due_at", "reason", "attempts",
    ]

    fileprivate var document: JSONObject {
        var object: JSONObject = ["number": .integer(number), "time": .time(madeAt)]
        object["url"] = url.map { .string($0) }
        object["duplicate_of"] = originalNumber.map { .integer($0) }
        object["state"] = .string(state.name)
        object["due_at"] = dueAt.map { .time($0) }
        object["reason"] = state.reason.map { .string($0) }
        object["attempts"] = .array(attempts.map { .object($0.document) })
        return object.adding(letter.document)
    }

    fileprivate init(restoring object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(object, known: Self.names + SignedNotification.names)
        self.init(
            try SignedNotification(fields),
            madeAt: try fields.time("time"),
            url: try fields.opaque("url"),
            state: try State(fields)
        )
        number = try fields.integer("number", in: 1...Int.max)
        originalNumber = try fields.optionalInteger("duplicate_of", in: 1...Int.max)
        for (index, value) in (fields.value("attempts")?.arrayValue ?? []).enumerated() {
            do throws(ControlRefusal) {
                attempts.append(try DeliveryAttempt(restoring: value.objectValue ?? [:]))
            } catch {
                throw error.within("attempts[\(index)]")
            }
        }
        guard dueAt == nil || url != nil else { throw .wrong("url", "is missing") }
    }
}

extension Delivery.State {
    fileprivate init(_ fields: FieldReader) throws(ControlRefusal) {
        let reason = try fields.opaque("reason") ?? ""
        switch try fields.text("state") {
        case "pending": self = .pending(dueAt: try fields.time("due_at"))
        case "delivered": self = .delivered
        case "given_up": self = .givenUp(reason: reason)
        case "not_sent": self = .notSent(reason: reason)
        default: throw .wrong("state", "must be pending, delivered, given_up or not_sent")
        }
    }
}

extension DeliveryAttempt {
    fileprivate var document: JSONObject {
        var object: JSONObject = ["time": .time(time)]
        switch reply {
        case .answer(let status, let body):
            object["status"] = .integer(status)
            object.set("body", bytes: body)
        case .failure(let problem):
            object["error"] = .string(problem)
        }
        return object
    }

    fileprivate init(restoring object: JSONObject) throws(ControlRefusal) {
        let fields = try FieldReader(
            object,
            known: ["time", "status", "body", "body_base64", "error"]
        )
        let reply: DeliveryReply =
            if let problem = try fields.opaque("error") {
                .failure(problem)
            } else {
                .answer(
                    status: try fields.integer("status", in: 0...999),
                    body: try fields.bytes("body")
                )
            }
        self.init(time: try fields.time("time"), reply: reply)
    }
}

extension SignedNotification {
    fileprivate static let names = [
        "client_id", "type", "sub", "event_time", "email", "malformed", "claims", "body",
        "body_base64",
    ]

    fileprivate var document: JSONObject {
        var object: JSONObject = [
            "client_id": .string(clientID.rawValue), "type": .string(event.kind.rawValue),
            "sub": .string(event.userID.rawValue), "event_time": .time(event.time),
        ]
        object["email"] = event.email.map { .string($0) }
        object["malformed"] = defect.map { .string($0.rawValue) }
        object["claims"] = .object(claims)
        object.set("body", bytes: body)
        return object
    }

    fileprivate init(_ fields: FieldReader) throws(ControlRefusal) {
        let event = NotifiedEvent(
            kind: NotificationEvent.Kind(
                rawValue: try fields.require("type", fields.opaque("type"))
            ),
            userID: UserID(try fields.require("sub", fields.opaque("sub"))),
            time: try fields.time("event_time"),
            email: try fields.opaque("email")
        )
        let defectName = try fields.optionalText("malformed")
        let defect = defectName.flatMap(NotificationDefect.init(rawValue:))
        guard defectName == nil || defect != nil else {
            throw .wrong("malformed", "is no way in which a notification can be wrong")
        }
        self.init(
            clientID: ClientID(try fields.text("client_id")),
            event: event,
            defect: defect,
            claims: try fields.require("claims", fields.optionalObject("claims")),
            body: try fields.bytes("body")
        )
    }
}
