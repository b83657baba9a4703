/// Where an app's developer is told what people do.
///
/// Source: [Enabling notifications](https://developer.apple.com/help/account/capabilities/enabling-server-to-server-notifications)
enum NotificationAddress {
    /// Why the address can't be registered; nil when it can.
    ///
    /// An app is told on this machine too, except by an Apple that is strict.
    static func registrationFault(_ text: String, isStrict: Bool) -> String? {
        let address = RedirectAddress(text)
        if let fault = address.registrationFault { return fault }
        guard isStrict, address.isLoopback else { return nil }
        return "leads to this machine; Apple sends to https addresses with a domain name only"
    }

    /// What Apple would say about an address that was registered all the same.
    static func hint(_ text: String) -> String? {
        guard RedirectAddress(text).isLoopback else { return nil }
        return
            "Apple sends to https addresses with a domain name only; this one leads to this machine"
    }
}
