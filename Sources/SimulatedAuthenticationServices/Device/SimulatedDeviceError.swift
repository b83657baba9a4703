/// Why the device could not do what was asked in its Settings.
public enum SimulatedDeviceError: Error, Hashable, Sendable {
    /// There is no Apple Account with this address.
    case unknownAccount
    /// The password is not the account's.
    case wrongPassword
    /// Nobody is signed in to the device.
    case noAccount
    /// The emulator refuses, for a reason in a sentence.
    case refused(String)
    /// The emulator does not answer.
    case unreachable(String)
    /// The emulator answers what can't be read.
    case unreadable(String)
}

extension SimulatedDeviceError: CustomStringConvertible {
    /// The reason in one sentence.
    public var description: String {
        switch self {
        case .unknownAccount: "there is no Apple Account with this address"
        case .wrongPassword: "the password is not the account's"
        case .noAccount: "nobody is signed in to the device"
        case .refused(let reason): "the emulator refuses: \(reason)"
        case .unreachable(let reason): "the emulator's control port does not answer: \(reason)"
        case .unreadable(let reason): "the control port's answer can't be read: \(reason)"
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
