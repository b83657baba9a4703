import AppleEmulator
import AppleIdentity

/// The progress of a sign-in.
enum FlowState: String {
    /// The sheet waits for the user.
    case open
    /// The user cancelled.
    case cancelled
    /// The code was issued and has not been exchanged.
    case authorized
    /// The user did not finish on the sheet, or the code was not exchanged, in time.
    case expired
    /// The code was exchanged.
    case signedIn = "signed_in"
    /// The user or the developer revoked the authorization.
    case revoked
    /// Apple refused the last request before a token was issued.
    case refused

    init(_ flow: FlowSnapshot) {
        let state = flow.events.reduce(Self.open) { state, event in state.after(event) }
        let isExpired =
            switch state {
            case .open: flow.isSheetExpired
            case .authorized: flow.isCodeExpired
            default: false
            }
        self = isExpired ? .expired : state
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
