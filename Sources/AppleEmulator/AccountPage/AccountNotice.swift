/// What was done last, as the address after it names it.
enum AccountNotice: String, CaseIterable {
    case stopped
    case forwardingOn = "forwarding-on"
    case forwardingOff = "forwarding-off"
    case forwardTo = "forward-to"
    case signedOut = "signed-out"
    case deleted

    /// The parameter that carries it.
    static let parameter = "done"

    var text: AccountText.Word {
        switch self {
        case .stopped: .stopped
        case .forwardingOn: .forwardingOn
        case .forwardingOff: .forwardingOff
        case .forwardTo: .forwardToChanged
        case .signedOut: .signedOut
        case .deleted: .deleted
        }
    }
}
