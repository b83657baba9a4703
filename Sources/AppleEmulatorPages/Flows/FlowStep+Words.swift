import AppleEmulator
import AppleIdentity
import HTMLPages

/// The words for each event.
extension FlowStep {
    init(
        _ event: FlowSnapshot.Event,
        before next: FlowSnapshot.Event?,
        _ words: PageStrings
    ) {
        switch event.content {
        case .request(let method, let path, let prompt):
            let isFromServer = path == ApplePath.token || path == ApplePath.revoke
            let title = words["step-\(Self.name(of: event, path: path))"]
            self.init(event, .request, isFromServer ? .server : .client, .apple, title)
            wire = method + " " + path
            answer = Self.answer(to: event, prompt, handover: next, words)
        case .handover(let mode, let redirectURI):
            let isMessage = mode == .webMessage
            let title = words.text(isMessage ? "step-post" : "step-send", ["names": event.names])
            self.init(event, .handover, .client, isMessage ? .client : .server, title)
            wire = Self.wire(mode, redirectURI)
            isInferred = true
            if mode == .fragment { hint = Self.fragmentHint }
            if mode == .formPost, event["code"] != nil, next == nil { hint = Self.notExchangedHint }
        case .device:
            self.init(event, .device, .client, .apple, words["step-device"])
            wire = "ASAuthorizationController"
            answer = "identity_token, authorization_code"
        case .notification(let number, let kind):
            let values = ["number": String(number), "kind": kind.rawValue]
            let title = words.text("step-notification", values)
            self.init(event, .notification, .apple, .apple, title)
            if event.isRefused { answer = words["state-not_sent"] }
        case .attempt(let number, let url):
            let title = words.text("step-deliver", ["number": String(number)])
            self.init(event, .attempt, .apple, .server, title)
            wire = "POST " + url
            let refusal = event.status == nil ? "noResponse" : "notReceived"
            answer = words[event.isRefused ? refusal : "received"]
        }
    }

    private static let fragmentHint =
        "browsers do not send the fragment to the server: a script in the page reads it"
    private static let notExchangedHint =
        "the server has not exchanged the code; if it reports a state mismatch, the browser did not send its "
        + "cookie: Safari accepts no Secure cookie over HTTP, and no browser sends a Lax cookie with this POST "
        + "from another site"

    /// The step in which the app sent the code to its server; this request shows that it did.
    static func sendingCode(
        before request: FlowSnapshot.Event,
        _ words: PageStrings
    ) -> FlowStep {
        var event = request
        event.status = nil
        event.isRefused = false
        event.remark = Remark()
        (event.parameters, event.answerFields, event.tokens) = ([], [], [])
        let title = words.text("step-send", ["names": "authorization_code"])
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

    /// The name of a request's title among the texts.
    private static func name(of request: FlowSnapshot.Event, path: String) -> String {
        switch path {
        case ApplePath.authorize: return "authorize"
        case ApplePath.revoke: return "revoke"
        case SheetPage.path: return sheetName(action: request["action"] ?? "")
        default: break
        }
        return switch request["grant_type"] {
        case "authorization_code": "exchange"
        case "refresh_token": "validate"
        default: "token"
        }
    }

    private static func sheetName(action: String) -> String {
        switch action {
        case "sign-in", "two-factor", "continue", "cancel", "switch-account", "sign-out",
            "undo-name":
            action
        case let action where action.hasPrefix(SheetPage.chooseAction): "choose"
        case let action where action.hasPrefix(SheetPage.enterAction): "enter"
        default: "submit"
        }
    }

    private static func answer(
        to request: FlowSnapshot.Event,
        _ prompt: SheetPage.Prompt?,
        handover: FlowSnapshot.Event?,
        _ words: PageStrings
    ) -> String {
        guard request.status != nil else { return words["connectionClosed"] }
        guard !request.isRefused || prompt != nil else {
            let sent = request.answerFields.first { $0.name == "error" }?.value
            return sent ?? request.remark.error ?? words["refusedMark"]
        }
        if case .handover(let mode, _) = handover?.content, let names = handover?.names {
            let form =
                switch mode {
                case .query, .fragment: "redirect"
                case .formPost: "form"
                case .webMessage: "message"
                }
            return words.text("handover-\(form)", ["names": names])
        }
        if let prompt { return words["prompt-\(prompt)"] }
        let tokens = ["id_token", "access_token", "refresh_token"].filter { name in
            request.answerFields.contains { $0.name == name }
        }
        return tokens.isEmpty ? words["done"] : tokens.joined(separator: ", ")
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

extension FlowSnapshot.Event {
    /// The value of a parameter.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// The names of the sent parameters, without the state that the server already knows.
    fileprivate var names: String {
        parameters.map(\.name).filter { $0 != "state" }.joined(separator: ", ")
    }
}
