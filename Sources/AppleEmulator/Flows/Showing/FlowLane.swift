/// Who takes part in a sign-in, from left to right.
package enum FlowLane: Int, Sendable {
    /// The browser, or the app on a device.
    case client
    /// The developer's server.
    case server
    case apple

    func name(in kind: Flow.Kind) -> String {
        switch self {
        case .client: kind == .native ? "app" : "browser"
        case .server: "server"
        case .apple: "apple"
        }
    }
}
