/// Domains of which every address is a private relay address.
///
/// Genuine first sign-ins of 2024 and 2025 have a relay address without the claim `is_private_email`.
///
/// Source: [Communicating using the private email relay service](https://developer.apple.com/documentation/signinwithapple/communicating-using-the-private-email-relay-service)
public struct RelayDomains: Hashable, Sendable {
    /// Apple's own: the earlier one, and that of new addresses since 2026.
    ///
    /// `icloud.com` is not one of them: ordinary mailboxes have it, too, and only the claim tells a relay address there.
    public static let apple = RelayDomains(names: [
        "privaterelay.appleid.com", "private.icloud.com",
    ])

    private let names: Set<String>

    private init(names: Set<String>) { self.names = names }

    /// Adds further domains to these.
    ///
    /// - Parameter domains: whole domains, in any case.
    /// - Returns: all of them.
    public func adding(_ domains: some Sequence<String>) -> RelayDomains {
        RelayDomains(names: names.union(domains.map { $0.lowercased() }))
    }

    /// Whether an address is a private relay address.
    ///
    /// - Parameters:
    ///   - email: the address; nil when there is none.
    ///   - claim: what `is_private_email` says; nil when it is missing.
    /// - Returns: true when the claim says it, or when the whole domain is one of these.
    public func isRelayAddress(_ email: String?, claim: Bool? = nil) -> Bool {
        if claim == true { return true }
        guard let email, let at = email.lastIndex(of: "@") else { return false }
        return names.contains(email[email.index(after: at)...].lowercased())
    }
}
