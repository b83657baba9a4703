import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Adds the request that was answered to its flow; fetches of documents belong to none.
    mutating func recordFlow(
        _ request: HTTPRequest,
        path: String,
        query: String,
        body: Data?,
        outcome: Outcome,
        at time: Date
    ) {
        guard var trace = flows.endRequest(), Self.isOfSignIn(path), request.method != .head else {
            return
        }
        let isForm = request.method == .post
        let text = isForm ? body ?? Data() : Data(query.utf8)
        // A fault answers before any rule has looked at the form.
        if trace.usedKey == nil { trace.usedKey = Self.key(in: text, path: path) }
        let isPage = path == ApplePath.authorize || path == Self.sheetPath
        let answer = outcome.answer
        var entry = FlowRequest(
            method: String(request.method.rawValue.prefix(16)),
            path: path,
            parameters: Self.parameters(text, path: path),
            status: answer.isDropped ? nil : answer.response.status.code,
            answer: isPage || answer.body.count > FlowRequest.maximumBodyByteCount
                ? nil : answer.body,
            remark: outcome.remark
        )
        if isPage { entry.page = pageShown(trace) }
        flows.record(
            .request(entry),
            trace,
            beginning: path == ApplePath.authorize ? .web : .loose,
            clientID: outcome.remark.clientID,
            at: time
        )
    }

    private static func isOfSignIn(_ path: String) -> Bool {
        path == ApplePath.token || path == ApplePath.authorize || path == sheetPath
            || path == ApplePath.revoke
    }

    private static func parameters(_ text: Data, path: String) -> FlowRequest.Parameters {
        guard text.count <= FlowRequest.maximumBodyByteCount else {
            return .tooLong(byteCount: text.count)
        }
        guard path == sheetPath else { return .encoded(text) }
        return .plain(FlowRedaction.fields(in: text, path: path))
    }

    /// The transaction, code or token that a form names.
    private static func key(in text: Data, path: String) -> FlowKey? {
        let name: [String] =
            switch path {
            case sheetPath: ["transaction"]
            case ApplePath.token: ["code", "refresh_token"]
            case ApplePath.revoke: ["token"]
            default: []
            }
        guard !name.isEmpty, let fields = try? FormFields(parsing: text) else { return nil }
        return name.lazy.compactMap { fields[$0] }.first.flatMap { FlowKey(secret: $0) }
    }

    /// The page that a transaction stands at, when it goes on.
    private func pageShown(_ trace: FlowTrace) -> FlowRequest.Page? {
        let keys = [trace.usedKey].compactMap(\.self) + trace.madeKeys
        guard trace.handover == nil, case .secret(let identifier)? = keys.first,
            let transaction = authorizations.transactions[identifier]
        else { return nil }
        switch transaction.step {
        case .chooser: return .chooser
        case .signIn: return .signIn
        case .twoFactor: return .twoFactor
        case .sheet(let personID, _):
            let group = transaction.request.client.group
            return people[personID]?.consents[group] == nil ? .consent : .returning
        }
    }
}
