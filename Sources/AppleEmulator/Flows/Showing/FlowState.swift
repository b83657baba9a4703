import AppleIdentity

/// How far a sign-in came.
package enum FlowState: String, Sendable {
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

    init(_ flow: Flow) {
        self = flow.events.sorted { $0.number < $1.number }.reduce(.open) { state, event in
            state.after(event.content)
        }
    }

    private func after(_ content: FlowEvent.Content) -> FlowState {
        switch content {
        case .request(let request): after(request)
        case .handover(let handover):
            handover.fields.contains { $0.name == "error" } ? .cancelled : .authorized
        case .device: .authorized
        case .notification(_, let notification, _):
            switch notification.event.kind {
            case .consentRevoked, .accountDeleted, .accountDelete: .revoked
            default: self
            }
        case .attempt: self
        }
    }

    private func after(_ request: FlowRequest) -> FlowState {
        guard !request.isRefused else {
            return self == .open || self == .authorized ? .refused : self
        }
        return switch request.path {
        case ApplePath.token: .signedIn
        case ApplePath.revoke: request.remark.reason == nil ? .revoked : self
        default: .open
        }
    }
}

extension FlowRequest {
    /// Whether Apple said no, or nothing at all.
    var isRefused: Bool { status.map { $0 >= 400 } ?? true }
}
