import AppleIdentity
import Foundation
import Logging
import SignInWithApple
import SignedTokens

/// People and their sessions: sign in, stay signed in, sign out, delete.
///
/// Make one at start and share it. It keeps nothing that other replicas would have to know: all of that
/// is in the store.
public struct AccountsService: Sendable {
    /// The rules it is run by.
    public let configuration: AccountsConfiguration

    let store: any AccountStore
    let sealer: TokenSealer
    let time: TimeSource
    let logger: Logger
    let revocationSignal: Signal?

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - store: where accounts live.
    ///   - sealer: seals Apple's refresh tokens.
    ///   - configuration: the rules.
    ///   - time: the clock.
    ///   - logger: told of sign-ins, deletions and a failing store, never of a token or an
    ///     address; a refusal is told to the caller alone.
    ///   - revocationSignal: rung after a deletion, so that the worker begins at once.
    package init(
        store: any AccountStore,
        sealer: TokenSealer,
        configuration: AccountsConfiguration = AccountsConfiguration(),
        time: TimeSource = .live,
        logger: Logger,
        revocationSignal: Signal? = nil
    ) {
        self.store = store
        self.sealer = sealer
        self.configuration = configuration
        self.time = time
        self.logger = logger
        self.revocationSignal = revocationSignal
    }

    /// Finds out whether the store answers.
    ///
    /// - Throws: `store_unavailable`.
    public func checkReadiness() async throws(AccountsError) {
        try await asking { () async throws(AccountStoreError) in
            try await store.checkReadiness()
        }
    }

    /// Gives out a nonce for one native sign-in.
    ///
    /// - Returns: the nonce, and until when it may be used.
    /// - Throws: `nonce_limit_reached` or `store_unavailable`.
    public func makeNonce() async throws(AccountsError) -> (nonce: String, expiresAt: Date) {
        let nonce = Base64URL.encode(SecureRandom.bytes(count: 32))
        let now = time.now
        let issued = IssuedNonce(
            hash: SecretHash(of: nonce),
            issuedAt: now,
            expiresAt: now.addingTimeInterval(configuration.nonceLifetime),
            maximumStoredCount: configuration.maximumNonceCount
        )
        let isAdded = try await asking { () async throws(AccountStoreError) in
            try await store.addNonce(issued)
        }
        guard isAdded else { throw .nonceLimitReached }
        return (nonce, issued.expiresAt)
    }
}
