import AppleIdentity
import Foundation
import SignedTokens

/// A copy of a flow without its secrets, the only form that leaves this module.
package struct FlowSnapshot: Sendable {
    package let id: FlowID
    package let number: Int
    package let kind: Flow.Kind
    package let clientID: String?
    /// The name of the app; nil if the client is not registered.
    package let appName: String?
    package let email: String?
    /// Whether it is a sign-in of `siwa check`.
    package var isOfCheck: Bool { email.map(SeedPerson.isOfCheck) == true }
    package let startedAt: Date
    package let events: [Event]
    package let forgottenEventCount: Int
    /// Whether the sheet no longer accepts forms.
    package let isSheetExpired: Bool
    /// Whether the last code can no longer be exchanged; false without a code.
    package let isCodeExpired: Bool

    /// The facts for a snapshot that a flow does not store.
    struct Context: Sendable {
        let appName: String?
        /// The time of the snapshot.
        let time: Date
        /// The lifetime of codes.
        let codeSeconds: Int

        fileprivate func isOver(_ start: Date, _ seconds: TimeInterval) -> Bool {
            time.timeIntervalSince(start) >= seconds
        }
    }

    init(_ flow: Flow, _ context: Context) {
        id = flow.id
        number = flow.number
        kind = flow.kind
        clientID = flow.clientID.map(FlowRedaction.plain)
        appName = context.appName
        email = flow.email
        startedAt = flow.startedAt
        events = flow.events.sorted { $0.number < $1.number }.map { Event($0) }
        forgottenEventCount = flow.forgottenEventCount
        isSheetExpired = context.isOver(flow.startedAt, Transaction.lifetimeSeconds)
        isCodeExpired =
            flow.events.last(where: \.issuesCode).map {
                context.isOver($0.time, TimeInterval(context.codeSeconds))
            } ?? false
    }

    /// One event, with shortened secrets and tokens without signatures.
    package struct Event: Sendable {
        package enum Content: Sendable {
            case request(method: String, path: String, prompt: SheetPage.Prompt?)
            case handover(ResponseMode, redirectURI: String)
            case device
            case notification(number: Int, NotificationEvent.Kind)
            case attempt(number: Int, url: String)
        }

        package let number: Int
        package let time: Date
        package let content: Content
        /// The response status; nil without a response.
        package var status: Int?
        /// Whether the receiver refused or did not respond.
        package var isRefused = false
        package var parameters: [FlowField] = []
        package var answerFields: [FlowField] = []
        package var tokens: [FlowToken] = []
        package var remark = Remark()
    }
}

extension FlowSnapshot.Event {
    fileprivate init(_ event: FlowEvent) {
        switch event.content {
        case .request(let request): self.init(request, event)
        case .handover(let handover):
            let address = FlowRedaction.plain(handover.redirectURI)
            self.init(event, .handover(handover.mode, redirectURI: address))
            parameters = handover.fields.map {
                FlowRedaction.field($0.name, $0.value, path: handover.redirectURI)
            }
            tokens = handover.fields.filter { $0.name == "id_token" }
                .compactMap { FlowToken($0.value, named: $0.name) }
        case .device(let request, let credential):
            self.init(event, .device)
            parameters = FlowRedaction.fields(of: request, secrets: [])
            answerFields = FlowRedaction.fields(
                of: credential,
                secrets: ["identity_token", "authorization_code"]
            )
            tokens = FlowToken.all(in: credential, named: "identity_token")
        case .notification(let number, let notification, let problem):
            self.init(event, .notification(number: number, notification.event.kind))
            isRefused = problem != nil
            remark = Remark(clientID: notification.clientID.rawValue, reason: problem)
            let body = try? JSONObject(parsing: notification.body)
            tokens = FlowToken.all(in: body ?? [:], named: "payload")
        case .attempt(let number, let url, let attempt):
            self.init(event, .attempt(number: number, url: FlowRedaction.plain(url)))
            let object = attempt.object
            status = object["status"]?.integerValue
            isRefused = !attempt.isReceived
            remark.reason = object["error"]?.stringValue
            if let body = object["body"]?.stringValue, !body.isEmpty {
                answerFields = [FlowField(name: "body", value: FlowRedaction.plain(body))]
            }
        }
    }

    private init(_ event: FlowEvent, _ content: Content) {
        self.init(number: event.number, time: event.time, content: content)
    }

    private init(_ request: FlowRequest, _ event: FlowEvent) {
        let (method, path) = (
            FlowRedaction.plain(request.method), FlowRedaction.plain(request.path)
        )
        self.init(event, .request(method: method, path: path, prompt: request.prompt))
        status = request.status
        isRefused = request.status.map { $0 >= 400 } ?? true
        remark = request.remark.map(FlowRedaction.plain)
        switch request.parameters {
        case .encoded(let text):
            parameters = FlowRedaction.fields(in: text, path: request.path)
            let secret = (try? FormFields(parsing: text))?.sent("client_secret")
            tokens = [secret.flatMap { FlowToken($0, named: "client_secret") }].compactMap(\.self)
        case .plain(let fields): parameters = fields
        case .tooLong(let byteCount):
            parameters = [FlowField(name: "form", value: "\(byteCount) bytes, too long to store")]
        }
        guard let answer = request.answer, !answer.isEmpty else { return }
        if let object = try? JSONObject(parsing: answer) {
            answerFields = FlowRedaction.fields(of: object, path: request.path)
            tokens += FlowToken.all(in: object, named: "id_token", isOfApple: true)
        } else {
            let text = FlowRedaction.plain(String(decoding: answer, as: UTF8.self))
            answerFields = [FlowField(name: "body", value: text)]
        }
    }
}

/// A decoded token without its signature, so it cannot be used.
package struct FlowToken: Sendable {
    /// The parameter or member that contained it.
    package let name: String
    package let header: String
    package let claims: String
    /// The size of its signature in bytes; nil for a token that Apple signed.
    package let signatureByteCount: Int?

    /// Decodes a compact JWS; nil if it is invalid.
    ///
    /// - Parameters:
    ///   - compact: three parts, separated by dots.
    ///   - name: the parameter or member that contained it.
    ///   - isOfApple: whether Apple signed it, so its signature needs no description.
    init?(_ compact: String, named name: String, isOfApple: Bool = false) {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard compact.utf8.count <= UnverifiedToken.maximumByteCount, parts.count == 3,
            let header = Self.text(of: parts[0]), let claims = Self.text(of: parts[1])
        else { return nil }
        (self.name, self.header, self.claims) = (name, header, claims)
        signatureByteCount = isOfApple ? nil : Base64URL.decode(String(parts[2]))?.count ?? 0
    }

    static func all(in object: JSONObject, named name: String, isOfApple: Bool = false) -> [Self] {
        let token = object[name]?.stringValue.flatMap {
            FlowToken($0, named: name, isOfApple: isOfApple)
        }
        return [token].compactMap(\.self)
    }

    private static func text(of part: Substring) -> String? {
        guard let data = Base64URL.decode(String(part)), (try? JSONObject(parsing: data)) != nil
        else { return nil }
        return Redaction.redacted(String(decoding: data, as: UTF8.self))
    }
}
