/// A flow as it was at a moment, and what its story needs besides.
struct FlowSnapshot {
    let flow: Flow
    /// The name of the app; nil when the client is not registered.
    let appName: String?
}
