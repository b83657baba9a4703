import AppleIdentity
import Foundation

/// How a request to Apple's port is told.
extension FlowStep {
    init(_ request: FlowRequest, number: Int, time: Date, handover: FlowHandover?) {
        let isFromServer = request.path == ApplePath.token || request.path == ApplePath.revoke
        self.init(
            number: number,
            time: time,
            kind: .request,
            from: isFromServer ? .server : .client,
            to: .apple,
            title: ""
        )
        let form = request.form
        title = Self.title(of: request, form: form)
        wire = FlowRedaction.plain(request.method + " " + request.path)
        status = request.status
        isRefused = request.isRefused
        remark = request.remark.map(FlowRedaction.plain)
        parameters = Self.parameters(of: request, form: form)
        let answered = request.answered
        answerFields = answered.fields
        answer = Self.answer(to: request, handover: handover, names: answered.names)
        tokens =
            [form["client_secret"].flatMap { FlowToken($0, named: "client_secret") }]
            .compactMap(\.self) + answered.tokens
    }

    private static func title(of request: FlowRequest, form: [String: String]) -> String {
        switch request.path {
        case ApplePath.authorize: return "asks for a sign-in"
        case ApplePath.revoke: return "revokes a token"
        case EmulatorState.sheetPath: return sheetTitle(action: form["action"] ?? "")
        default: break
        }
        return switch form["grant_type"] {
        case "authorization_code": "exchanges the code"
        case "refresh_token": "validates the refresh token"
        default: "asks for tokens"
        }
    }

    private static func sheetTitle(action: String) -> String {
        switch action {
        case "sign-in": "signs in with address and password"
        case "two-factor": "types the six digits"
        case "continue": "agrees"
        case "cancel": "says no"
        case "switch-account": "wants another account"
        case "sign-out": "signs out"
        case "undo-name": "takes the name back"
        case let action where action.hasPrefix(EmulatorState.chooseAction): "chooses an account"
        default: "sends a form of the sheet"
        }
    }

    private static func parameters(
        of request: FlowRequest,
        form: [String: String]
    ) -> [FlowField] {
        switch request.parameters {
        case .encoded(let text): FlowRedaction.fields(in: text, path: request.path)
        case .plain(let fields): fields
        case .tooLong(let byteCount):
            [FlowField(name: "form", value: "\(byteCount) bytes, too long to be kept")]
        }
    }

    private static func answer(
        to request: FlowRequest,
        handover: FlowHandover?,
        names: [String]
    ) -> String {
        guard request.status != nil else { return "no answer, the connection closed" }
        guard !request.isRefused || request.step != nil else {
            return FlowRedaction.plain(request.remark.error ?? "refused")
        }
        if let handover { return handover.answer }
        if let step = request.step { return step.words }
        let tokens = ["id_token", "access_token", "refresh_token"].filter(names.contains)
        return tokens.isEmpty ? "done" : tokens.joined(separator: ", ")
    }
}

extension FlowRequest {
    /// The parameters by name, as they came.
    fileprivate var form: [String: String] {
        switch parameters {
        case .encoded(let text):
            guard let form = try? FormFields(parsing: text) else { return [:] }
            return Dictionary(uniqueKeysWithValues: form.names.map { ($0, form.sent($0) ?? "") })
        case .plain(let fields):
            return Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
        case .tooLong: return [:]
        }
    }

    /// What the answer's body says.
    fileprivate var answered: (fields: [FlowField], names: [String], tokens: [FlowToken]) {
        guard let answer, !answer.isEmpty else { return ([], [], []) }
        guard let object = (try? JSONValue(parsing: answer))?.objectValue else {
            let text = String(decoding: answer, as: UTF8.self)
            return ([FlowField(name: "body", value: FlowRedaction.plain(text))], [], [])
        }
        let fields = object.members.map { member in
            let text = member.value.stringValue ?? member.value.text
            return FlowRedaction.field(member.name, text, path: path)
        }
        let token = object["id_token"]?.stringValue.flatMap {
            FlowToken($0, named: "id_token", isOfApple: true)
        }
        return (fields, object.names, [token].compactMap(\.self))
    }
}

extension SheetPage.Step {
    /// What the sheet shows, in a few words.
    fileprivate var words: String {
        switch self {
        case .chooser: "page: which account?"
        case .signIn: "page: address and password"
        case .twoFactor: "page: six digits"
        case .consent: "page: share name and e-mail?"
        case .returning: "page: continue?"
        }
    }
}

extension FlowHandover {
    /// How the answer goes to the redirect address, in a few words.
    fileprivate var answer: String {
        switch mode {
        case .query, .fragment: "redirect with \(names)"
        case .formPost: "form with \(names)"
        case .webMessage: "message with \(names)"
        }
    }

    var names: String {
        fields.map(\.name).filter { $0 != "state" }.joined(separator: ", ")
    }
}
