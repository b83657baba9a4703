import AppleIdentity

extension AppleEmulator {
    /// The last sign-ins in short, in the order they began.
    public nonisolated func flows() async -> [JSONObject] {
        await flowStories().map(\.summary)
    }

    /// A sign-in with each of its steps; secrets are shortened and tokens decoded.
    ///
    /// - Parameter id: its identifier, as ``flows()`` tells it.
    /// - Returns: what ``flows()`` tells about it, and `steps`.
    /// - Throws: ``ControlRefusal`` when there is none, or none any more.
    public nonisolated func flow(id: String) async throws(ControlRefusal) -> JSONObject {
        try await flowStory(id: id).object
    }

    /// The stories of all flows, told outside of the actor, which has other work.
    package nonisolated func flowStories() async -> [FlowStory] {
        await flowSnapshots().map { FlowStory($0) }
    }

    package nonisolated func flowStory(id: String) async throws(ControlRefusal) -> FlowStory {
        FlowStory(try await flowSnapshot(id: id))
    }

    private func flowSnapshots() -> [FlowSnapshot] { currentState.flows.all.map(snapshot) }

    private func flowSnapshot(id: String) throws(ControlRefusal) -> FlowSnapshot {
        guard let flow = FlowID(id).flatMap({ currentState.flows[$0] }) else {
            throw .notFound("id", "there is no such flow, or it is no longer remembered")
        }
        return snapshot(of: flow)
    }

    private func snapshot(of flow: Flow) -> FlowSnapshot {
        let client = flow.clientID.flatMap { currentState.registry.client(ClientID($0)) }
        return FlowSnapshot(flow: flow, appName: client?.name)
    }
}
