import AppleEmulator
import AppleIdentity

/// The words for each event.
extension FlowStep {
    init(_ event: FlowSnapshot.Event, before next: FlowSnapshot.Event?) {
        switch event.content {
        case .request(let method, let path, let prompt):
            let isFromServer = path == ApplePath.token || path == ApplePath.revoke
            let title = Self.title(of: event, path: path)
            self.init(event, .request, isFromServer ? .server : .client, .apple, title)
            wire = method + " " + path
            answer = Self.answer(to: event, prompt, handover: next)
        case .handover(let mode, let redirectURI):
            let isMessage = mode == .webMessage
            let title = isMessage ? "posts the result to the page" : "sends \(event.names)"
            self.init(event, .handover, .client, isMessage ? .client : .server, title)
            wire = Self.wire(mode, redirectURI)
            isInferred = true
            if mode == .fragment { hint = Self.fragmentHint }
            if mode == .formPost, event["code"] != nil, next == nil { hint = Self.notExchangedHint }
        case .device:
            self.init(event, .device, .client, .apple, "requests authorization on the device")
            wire = "ASAuthorizationController"
            answer = "identity_token, authorization_code"
        case .notification(let number, let kind):
            let title = "notification \(number): \(kind.rawValue)"
            self.init(event, .notification, .apple, .apple, title)
            if event.isRefused { answer = "not sent" }
        case .attempt(let number, let url):
            let title = "delivers notification \(number)"
            self.init(event, .attempt, .apple, .server, title)
            wire = "POST " + url
            let refusal = event.status == nil ? "no response" : "not received"
            answer = event.isRefused ? refusal : "received"
        }
    }

    private static let fragmentHint =
        "browsers do not send the fragment to the server: a script in the page reads it"
    private static let notExchangedHint =
        "the server has not exchanged the code; if it reports a state mismatch, the browser did not send its "
        + "cookie: Safari accepts no Secure cookie over HTTP, and no browser sends a Lax cookie with this POST "
        + "from another site"

    /// The step in which the app sent the code to its server; this request shows that it did.
    static func sendingCode(before request: FlowSnapshot.Event) -> FlowStep {
        var event = request
        event.status = nil
        event.isRefused = false
        event.remark = Remark()
        (event.parameters, event.answerFields, event.tokens) = ([], [], [])
        let title = "sends authorization_code"
        var step = FlowStep(event, .handover, .client, .server, title)
        step.isInferred = true
        return step
    }

    private init(
        _ event: FlowSnapshot.Event,
        _ kind: Kind,
        _ from: Lane,
        _ to: Lane,
        _ title: String
    ) {
        self.init(event: event, kind: kind, from: from, to: to, title: title)
        hint = event.remark.hint
    }

    private static func title(of request: FlowSnapshot.Event, path: String) -> String {
        switch path {
        case ApplePath.authorize: return "requests authorization"
        case ApplePath.revoke: return "revokes a token"
        case SheetPage.path: return sheetTitle(action: request["action"] ?? "")
        default: break
        }
        return switch request["grant_type"] {
        case "authorization_code": "exchanges the code"
        case "refresh_token": "validates the refresh token"
        default: "requests tokens"
        }
    }

    private static func sheetTitle(action: String) -> String {
        switch action {
        case "sign-in": "submits email address and password"
        case "two-factor": "submits the six-digit code"
        case "continue": "consents"
        case "cancel": "cancels"
        case "switch-account": "switches the account"
        case "sign-out": "signs out"
        case "undo-name": "resets the name"
        case _ where action.hasPrefix(SheetPage.chooseAction): "chooses an account"
        case _ where action.hasPrefix(SheetPage.enterAction): "presses a person’s button"
        default: "submits the form"
        }
    }

    private static func answer(
        to request: FlowSnapshot.Event,
        _ prompt: SheetPage.Prompt?,
        handover: FlowSnapshot.Event?
    ) -> String {
        guard request.status != nil else { return "connection closed without a response" }
        guard !request.isRefused || prompt != nil else {
            let sent = request.answerFields.first { $0.name == "error" }?.value
            return sent ?? request.remark.error ?? "refused"
        }
        if case .handover(let mode, _) = handover?.content, let names = handover?.names {
            let form =
                switch mode {
                case .query, .fragment: "redirect"
                case .formPost: "form"
                case .webMessage: "message"
                }
            return "\(form) with \(names)"
        }
        if let prompt { return "page: " + prompt.text }
        let tokens = ["id_token", "access_token", "refresh_token"].filter { name in
            request.answerFields.contains { $0.name == name }
        }
        return tokens.isEmpty ? "done" : tokens.joined(separator: ", ")
    }

    private static func wire(_ mode: ResponseMode, _ redirectURI: String) -> String {
        switch mode {
        case .formPost: "POST \(redirectURI)"
        case .query: "GET \(redirectURI)"
        case .fragment: "GET \(redirectURI)#…"
        case .webMessage: "postMessage to \(WebMessage.origin(of: redirectURI))"
        }
    }
}

extension SheetPage.Prompt {
    fileprivate var text: String {
        switch self {
        case .chooser: "choose an account"
        case .signIn: "email address and password"
        case .twoFactor: "six-digit code"
        case .consent: "share name and email?"
        case .returning: "continue?"
        }
    }
}

extension FlowSnapshot.Event {
    /// The value of a parameter.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The names of the sent parameters, without the state that the server already knows.
    fileprivate var names: String {
        parameters.map(\.name).filter { $0 != "state" }.joined(separator: ", ")
    }
}
