import AppleIdentity

/// The relay addresses that refused mail since a relay address last accepted some.
///
/// A mail server that relays no mail at all refuses every address in the same words.
final class RelayRefusals: Sendable {
    /// The number of addresses in a row that shows that the mail server is the cause.
    static let maximumCount = 10

    /// The accounts to which the addresses belong, as far as they may be marked.
    private let accounts = LockedValue<[String: AccountID?]>([:])

    /// Records an address, and the account that is marked; ignored when the mail server is the cause.
    func add(_ address: String, of account: AccountID?) {
        accounts.withLock { accounts in
            guard accounts.count < Self.maximumCount else { return }
            let key = EmailAddress.key(address)
            accounts[key] = .some(account ?? accounts[key, default: nil])
        }
    }

    var areMailServersFault: Bool { accounts.withLock { $0.count >= Self.maximumCount } }

    /// The addresses that may be marked, and their accounts.
    var marked: [String: AccountID] { accounts.withLock { $0.compactMapValues(\.self) } }

    func unmark(_ address: String) { accounts.withLock { $0[address] = .some(nil) } }

    /// Ends the row, because a relay address accepted mail.
    func end() { accounts.withLock { $0 = [:] } }
}
