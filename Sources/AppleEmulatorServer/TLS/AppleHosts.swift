/// Apple's host names that the emulator stands for over TLS.
package enum AppleHosts {
    /// The names, the service's own first.
    package static let names = [
        "appleid.apple.com", "account.apple.com", "appleid.cdn-apple.com",
    ]

    /// Whether an authority, with or without port, is one of the names.
    static func contain(authority: String) -> Bool {
        names.contains(String(authority.lowercased().prefix { $0 != ":" }))
    }
}
