import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Adds a finished request to its flow and returns it; requests for documents have none.
    mutating func recordFlow(
        _ request: HTTPRequest,
        path: String,
        query: String,
        body: Data?,
        outcome: Outcome,
        at time: Date
    ) -> FlowID? {
        guard var trace = flows.endRequest(), Self.isOfSignIn(path), request.method != .head else {
            return nil
        }
        let isForm = request.method == .post
        let text = isForm ? body ?? Data() : Data(query.utf8)
        // A fault responds before any rule reads the form.
        if trace.usedKey == nil { trace.usedKey = Self.key(in: text, path: path) }
        let isPage = path == ApplePath.authorize || path == SheetPage.path
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
        if case .sheet(let page) = answer.page { entry.prompt = page.step.prompt }
        return flows.record(
            .request(entry),
            trace,
            beginning: path == ApplePath.authorize ? .web : .unlinked,
            clientID: outcome.remark.clientID,
            at: time
        )
    }

    private static func isOfSignIn(_ path: String) -> Bool {
        path == ApplePath.token || path == ApplePath.authorize || path == SheetPage.path
            || path == ApplePath.revoke
    }

    private static func parameters(_ text: Data, path: String) -> FlowRequest.Parameters {
        guard text.count <= FlowRequest.maximumBodyByteCount else {
            return .tooLong(byteCount: text.count)
        }
        guard path == SheetPage.path else { return .encoded(text) }
        return .plain(FlowRedaction.fields(in: text, path: path))
    }

    /// The transaction, code or token in a form.
    private static func key(in text: Data, path: String) -> FlowKey? {
        let name: [String] =
            switch path {
            case SheetPage.path: ["transaction"]
            case ApplePath.token: ["code", "refresh_token"]
            case ApplePath.revoke: ["token"]
            default: []
            }
        guard !name.isEmpty, let fields = try? FormFields(parsing: text) else { return nil }
        return name.lazy.compactMap { fields[$0] }.first.flatMap { FlowKey(secret: $0) }
    }
}

extension AppleEmulator {
    /// The flows without their secrets, in the order in which they began.
    ///
    /// They are decoded outside of the actor, which stays free for requests.
    package nonisolated func flowSnapshots() async -> [FlowSnapshot] {
        await namedFlows().map { FlowSnapshot($0, $1) }
    }

    package nonisolated func flowSnapshot(id: String) async throws(ControlRefusal) -> FlowSnapshot {
        let (flow, context) = try await namedFlow(id: id)
        return FlowSnapshot(flow, context)
    }

    private func namedFlows() -> [(Flow, FlowSnapshot.Context)] {
        currentState.flows.all.map { ($0, context(of: $0)) }
    }

    private func namedFlow(
        id: String
    ) throws(ControlRefusal) -> (Flow, FlowSnapshot.Context) {
        guard let flow = FlowID(id).flatMap({ currentState.flows[$0] }) else {
            throw .notFound("id", "there is no such flow, or it is no longer stored")
        }
        return (flow, context(of: flow))
    }

    private func context(of flow: Flow) -> FlowSnapshot.Context {
        FlowSnapshot.Context(
            appName: flow.clientID.flatMap { currentState.registry.client(ClientID($0))?.name },
            time: currentState.clock.now,
            codeSeconds: currentState.switches.codeSeconds
        )
    }
}
