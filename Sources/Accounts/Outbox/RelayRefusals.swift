import AppleIdentity

/// The relay addresses that refused mail since a relay address last accepted some.
///
/// A mail server that relays no mail at all refuses every address in the same words.
final class RelayRefusals: Sendable {
    /// The number of addresses in a row that shows that the mail server is the cause.
    static let maximumCount = 10

    private struct State {
        var addresses: Set<String> = []
        var marked: [AccountID: String] = [:]
    }

    private let state = LockedValue(State())

    /// Records an address, and the account that is marked; ignored when the mail server is the cause.
    func add(_ address: String, of account: AccountID?) {
        state.withLock { state in
            guard state.addresses.count < Self.maximumCount else { return }
            state.addresses.insert(EmailAddress.key(address))
            if let account { state.marked[account] = address }
        }
    }

    var areMailServersFault: Bool {
        state.withLock { $0.addresses.count >= Self.maximumCount }
    }

    /// The accounts that may be marked, and their addresses.
    var marked: [AccountID: String] { state.withLock(\.marked) }

    func unmark(_ account: AccountID) { state.withLock { $0.marked[account] = nil } }

    /// Ends the row, because a relay address accepted mail.
    func end() { state.withLock { $0 = State() } }
}
