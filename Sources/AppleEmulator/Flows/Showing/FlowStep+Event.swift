import AppleIdentity
import Foundation

/// How everything but requests to Apple's port is told.
extension FlowStep {
    /// The browser takes Apple's answer to the redirect address.
    init(_ handover: FlowHandover, number: Int, time: Date) {
        let isMessage = handover.mode == .webMessage
        self.init(
            number: number,
            time: time,
            kind: .handover,
            from: .client,
            to: isMessage ? .client : .server,
            title: isMessage ? "the popup tells the page" : "brings \(handover.names)"
        )
        isInferred = true
        wire = Self.wire(of: handover)
        parameters = handover.fields.map {
            FlowRedaction.field($0.name, $0.value, path: handover.redirectURI)
        }
        tokens = handover.fields.compactMap {
            $0.name == "id_token" ? FlowToken($0.value, named: $0.name) : nil
        }
        if handover.mode == .fragment {
            remark.hint =
                "the browser keeps what stands in the fragment: the page there has to read it"
        }
    }

    private static func wire(of handover: FlowHandover) -> String {
        let address = FlowRedaction.plain(handover.redirectURI)
        return switch handover.mode {
        case .formPost: "POST \(address)"
        case .query: "GET \(address)"
        case .fragment: "GET \(address)#…"
        case .webMessage: "postMessage to \(WebMessage.origin(of: handover.redirectURI))"
        }
    }

    /// A device hands an app what the person agreed to.
    init(request: JSONObject, credential: JSONObject, number: Int, time: Date) {
        self.init(
            number: number,
            time: time,
            kind: .device,
            from: .client,
            to: .apple,
            title: "asks the device for a sign-in"
        )
        wire = "ASAuthorizationController"
        parameters = Self.fields(of: request, secrets: [])
        answerFields = Self.fields(
            of: credential,
            secrets: ["identity_token", "authorization_code"]
        )
        answer = "identity_token, authorization_code"
        tokens = [
            credential["identity_token"]?.stringValue.flatMap {
                FlowToken($0, named: "identity_token")
            }
        ].compactMap(\.self)
    }

    /// The app must have given its server the code: the server has it.
    init(codeBroughtAt time: Date, number: Int) {
        self.init(
            number: number,
            time: time,
            kind: .handover,
            from: .client,
            to: .server,
            title: "brings authorization_code"
        )
        isInferred = true
    }

    /// Apple has something to tell the server.
    init(
        _ notification: SignedNotification,
        number: Int,
        deliveryNumber: Int,
        problem: String?,
        time: Date
    ) {
        let kind = notification.event.kind.rawValue
        self.init(
            number: number,
            time: time,
            kind: .notification,
            from: .apple,
            to: .apple,
            title: "notification \(deliveryNumber): \(kind)"
        )
        isRefused = problem != nil
        remark = Remark(clientID: notification.clientID.rawValue, reason: problem)
        if problem != nil { answer = "not sent" }
        let body = (try? JSONValue(parsing: notification.body))?.objectValue
        tokens = [body?["payload"]?.stringValue.flatMap { FlowToken($0, named: "payload") }]
            .compactMap(\.self)
    }

    /// Apple tells the server.
    init(_ attempt: DeliveryAttempt, url: String, number: Int, deliveryNumber: Int) {
        self.init(
            number: number,
            time: attempt.time,
            kind: .attempt,
            from: .apple,
            to: .server,
            title: "delivers notification \(deliveryNumber)"
        )
        let object = attempt.object
        wire = "POST " + FlowRedaction.plain(url)
        status = object["status"]?.integerValue
        isRefused = !attempt.isReceived
        answer = attempt.isReceived ? "received" : status == nil ? "no answer" : "not received"
        remark.reason = object["error"]?.stringValue
        if let body = object["body"]?.stringValue, !body.isEmpty {
            answerFields = [FlowField(name: "body", value: FlowRedaction.plain(body))]
        }
    }

    private static func fields(of object: JSONObject, secrets: Set<String>) -> [FlowField] {
        object.members.map { member in
            let text = member.value.stringValue ?? member.value.text
            let isSecret = secrets.contains(member.name)
            return FlowField(
                name: member.name,
                value: isSecret ? FlowRedaction.shortened(text) : FlowRedaction.plain(text)
            )
        }
    }
}
