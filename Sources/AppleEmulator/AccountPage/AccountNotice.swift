/// What was done last, as the address after it names it; each has a text in every language.
package enum AccountNotice: String, CaseIterable, Sendable {
    case stopped
    case forwardingOn = "forwarding-on"
    case forwardingOff = "forwarding-off"
    case forwardTo = "forward-to"
    case signedOut = "signed-out"
    case deleted

    /// The parameter that carries it.
    static let parameter = "done"
}
