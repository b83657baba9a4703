import AppleIdentity

extension AppleEmulator {
    /// Every flow without its secrets, in the order they began.
    ///
    /// They are read outside of the actor, which has other work.
    package nonisolated func flowSnapshots() async -> [FlowSnapshot] {
        await namedFlows().map { FlowSnapshot($0, appName: $1) }
    }

    package nonisolated func flowSnapshot(id: String) async throws(ControlRefusal) -> FlowSnapshot {
        let (flow, appName) = try await namedFlow(id: id)
        return FlowSnapshot(flow, appName: appName)
    }

    private func namedFlows() -> [(Flow, String?)] {
        currentState.flows.all.map { ($0, appName(of: $0)) }
    }

    private func namedFlow(id: String) throws(ControlRefusal) -> (Flow, String?) {
        guard let flow = FlowID(id).flatMap({ currentState.flows[$0] }) else {
            throw .notFound("id", "there is no such flow, or it is no longer remembered")
        }
        return (flow, appName(of: flow))
    }

    private func appName(of flow: Flow) -> String? {
        flow.clientID.flatMap { currentState.registry.client(ClientID($0))?.name }
    }
}
