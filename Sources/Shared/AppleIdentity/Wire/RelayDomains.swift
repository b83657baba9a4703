/// The email domains whose addresses are all private relay addresses.
///
/// Apple sometimes sends a relay address without the claim `is_private_email` (seen in 2024 and 2025), so the domain
/// decides too.
///
/// Source: [Communicating using the private email relay service](https://developer.apple.com/documentation/signinwithapple/communicating-using-the-private-email-relay-service)
public struct RelayDomains: Hashable, Sendable {
    /// Apple's domains: `privaterelay.appleid.com`, and `private.icloud.com` for addresses created since 2026.
    ///
    /// `icloud.com` is not one of them: ordinary mailboxes have it too, and only the claim identifies a relay
    /// address.
    public static let apple = RelayDomains(names: [
        "privaterelay.appleid.com", "private.icloud.com",
    ])

    private let names: Set<String>

    private init(names: Set<String>) { self.names = names }

    /// Returns these domains and further ones.
    ///
    /// - Parameter domains: the domains to add, without their subdomains; case does not matter.
    /// - Returns: all domains.
    public func adding(_ domains: some Sequence<String>) -> RelayDomains {
        RelayDomains(names: names.union(domains.map { $0.lowercased() }))
    }

    /// Whether an email address is a private relay address.
    ///
    /// - Parameters:
    ///   - email: the email address; nil if there is none.
    ///   - claim: the value of `is_private_email`; nil if it is missing.
    /// - Returns: whether the claim is true, or the email address has one of these domains.
    public func isRelayAddress(_ email: String?, claim: Bool? = nil) -> Bool {
        if claim == true { return true }
        guard let email, let at = email.lastIndex(of: "@") else { return false }
        return names.contains(email[email.index(after: at)...].lowercased())
    }
}
