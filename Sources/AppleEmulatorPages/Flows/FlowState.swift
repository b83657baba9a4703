import AppleEmulator
import AppleIdentity

/// How far a sign-in came.
enum FlowState: String {
    /// The sheet waits for the person.
    case open
    /// The person said no.
    case cancelled
    /// The code was handed out, and nobody has exchanged it.
    case authorized
    /// The code was exchanged.
    case signedIn = "signed_in"
    /// The person or the developer ended it.
    case revoked
    /// Apple refused the last request, and nothing came of it.
    case refused

    init(_ events: [FlowSnapshot.Event]) {
        self = events.reduce(.open) { state, event in state.after(event) }
    }

    private func after(_ event: FlowSnapshot.Event) -> FlowState {
        switch event.content {
        case .request(_, let path, _): after(event, path: path)
        case .handover: event.parameters.contains { $0.name == "error" } ? .cancelled : .authorized
        case .device: .authorized
        case .notification(_, let kind):
            switch kind {
            case .consentRevoked, .accountDeleted, .accountDelete: .revoked
            default: self
            }
        case .attempt: self
        }
    }

    private func after(_ request: FlowSnapshot.Event, path: String) -> FlowState {
        guard !request.isRefused else {
            return self == .open || self == .authorized ? .refused : self
        }
        return switch path {
        case ApplePath.token: .signedIn
        case ApplePath.revoke: request.remark.reason == nil ? .revoked : self
        default: .open
        }
    }
}
