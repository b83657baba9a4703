/// An error of an action in the device's Settings.
public enum SimulatedDeviceError: Error, Hashable, Sendable {
    /// There is no Apple Account with this email address.
    case unknownAccount
    /// The password is wrong.
    case wrongPassword
    /// No Apple Account is signed in on the device.
    case noAccount
    /// The emulator refused the request, with its message.
    case refused(String)
    /// The emulator does not respond, with the reason.
    case unreachable(String)
    /// The emulator's response is invalid, with the reason.
    case unreadable(String)
}

extension SimulatedDeviceError: CustomStringConvertible {
    /// The reason in one sentence.
    public var description: String {
        switch self {
        case .unknownAccount: "there is no Apple Account with this email address"
        case .wrongPassword: "the password is wrong"
        case .noAccount: "no Apple Account is signed in on the device"
        case .refused(let reason): "the emulator refused the request: \(reason)"
        case .unreachable(let reason): "the emulator's control port does not respond: \(reason)"
        case .unreadable(let reason): "the control port's response is invalid: \(reason)"
        }
    }
}

extension SimulatedDeviceError {
    init(_ error: SimulatedAppleError) {
        switch error {
        case .refused(_, "password", _): self = .wrongPassword
        case .refused("not_found", "email", _): self = .unknownAccount
        case .refused(_, _, let message): self = .refused(message)
        case .unreachable(let reason): self = .unreachable(reason)
        case .unreadable(let reason): self = .unreadable(reason)
        }
    }
}
