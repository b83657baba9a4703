import AppleIdentity
import Foundation

/// A database of accounts.
///
/// A method that decides is one durable transaction. A store has no rules: it loads the facts of a decision in one
/// read, calls the pure function in `Accounts` that decides, and applies the writes in the same transaction. It reads
/// no clock and creates no random values. Times are whole microseconds. Every store passes the same conformance suite.
package protocol AccountStore: SignInStore, PasswordStore, AppCodeStore, SessionStore,
    AccountDirectory, ValidationStore, OutboxStore, MaintenanceStore, AdministrationStore,
    TransferStore, AuditStore, TokenKeyStore
{
    /// The order of new account identifiers that suits the store.
    var identifierOrder: IdentifierOrder { get }
}

extension AccountStore {
    /// The default order, by time.
    package var identifierOrder: IdentifierOrder { .byTime }
}

/// The order of identifiers that cannot be guessed.
package enum IdentifierOrder: Hashable, Sendable {
    /// Rows created at the same time share pages: for a store that flushes pages and writes one transaction at a time.
    case byTime
    /// Rows created at the same time are in different pages: for a store whose transactions block each other on a page.
    case random
}

/// Sign-ins with Apple, and events that Apple reports.
package protocol SignInStore: Sendable {
    /// Begins a sign-in: stores the name before the code is exchanged, and returns why the sign-in cannot succeed, or
    /// nil.
    func beginSignIn(_ attempt: SignInAttempt) async throws(AccountStoreError) -> SignInRefusal?

    /// Completes a sign-in, by the rule of `SignInCompletion`; returns the session or the refusal.
    func completeSignIn(
        _ completion: SignInCompletion
    ) async throws(AccountStoreError) -> SignInOutcome

    /// Processes an event at Apple once, by the rule of `AppleEvent`.
    func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome
}

/// Finding, listing, using and ending sessions.
package protocol SessionStore: Sendable {
    /// Whether the store has sessions in memory.
    var remembersSessions: Bool { get }

    /// Returns a session, perhaps expired, that the store has in memory; nil when a lookup is necessary.
    func rememberedSession(tokenHash: SecretHash) -> SignedInSession?

    /// Reads a session that has not expired, and its account, from the database.
    func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession?

    /// Reads a session that has not expired.
    func session(_ id: SessionID, now: Date) async throws(AccountStoreError) -> Session?

    /// Returns an account's sessions that have not expired, the latest used first.
    func sessions(of account: AccountID, now: Date) async throws(AccountStoreError) -> [Session]

    /// Saves uses of sessions; sessions that have ended in the meantime stay ended.
    func recordUses(_ uses: [SessionUse]) async throws(AccountStoreError)

    /// Ends a session of an account and returns whether it was active.
    func endSession(
        _ session: SessionID,
        of account: AccountID,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Bool

    /// Ends all sessions of an account, or all but one, and returns their number.
    func endSessions(
        of account: AccountID,
        except session: SessionID?,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Int
}

extension SessionStore {
    /// Returns false, because a store that shares its data with other processes must look up a session.
    package var remembersSessions: Bool { false }

    /// Returns nil, as such a store has none in memory.
    package func rememberedSession(tokenHash: SecretHash) -> SignedInSession? { nil }

    /// Ends a session of an account without an audit log entry.
    package func endSession(
        _ session: SessionID,
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        try await endSession(session, of: account, audit: nil, now: now)
    }

    /// Ends all sessions of an account, or all but one, without an audit log entry.
    package func endSessions(
        of account: AccountID,
        except session: SessionID?,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await endSessions(of: account, except: session, audit: nil, now: now)
    }
}

/// Finding, changing and deleting accounts.
package protocol AccountDirectory: Sendable {
    /// Looks up an account.
    func account(_ id: AccountID) async throws(AccountStoreError) -> Account?

    /// Changes an account's name, by the rule of `AccountRules`; returns the changed account or the refusal.
    func rename(
        _ account: AccountID,
        _ change: NameChange
    ) async throws(AccountStoreError) -> Result<Account, AccountsError>

    /// Changes an account's sign-in methods or email address, by the rule of `AccountChange`; returns the changed
    /// account or the refusal.
    func change(_ change: AccountChange) async throws(AccountStoreError) -> AccountChangeOutcome

    /// Returns all data kept about an account; nil when there is no such account.
    func export(_ account: AccountID, now: Date) async throws(AccountStoreError) -> AccountExport?

    /// Deletes an account with its identities and sessions, and queues a revocation for each token.
    func deleteAccount(
        _ deletion: AccountDeletion
    ) async throws(AccountStoreError) -> AccountDeletionOutcome
}

/// The regular validation of refresh tokens.
package protocol ValidationStore: Sendable {
    /// Claims refresh tokens whose validation is due: they are not due again before `until`.
    ///
    /// `until` identifies a claim: a claim that is repeated because its result was lost returns the same tokens.
    ///
    /// - Parameters:
    ///   - maximumCount: the maximum number of tokens.
    ///   - now: the time.
    ///   - until: when the tokens are due again, unless they are postponed; unique to the microsecond.
    /// - Returns: the claimed tokens and their accounts.
    /// - Throws: `AccountStoreError`.
    func claimValidations(
        maximumCount: Int,
        now: Date,
        until: Date
    ) async throws(AccountStoreError) -> [TokenValidation]

    /// The time since which the validation of a refresh token is due; nil when none is due.
    func oldestDueValidation(now: Date) async throws(AccountStoreError) -> Date?

    /// Changes the time of a token's next validation, for example when Apple could not be reached.
    ///
    /// A newer token of the same client keeps its own time.
    ///
    /// - Parameters:
    ///   - validation: the token and its account.
    ///   - date: when the validation is due.
    /// - Throws: `AccountStoreError`.
    func postpone(_ validation: TokenValidation, until date: Date) async throws(AccountStoreError)

    /// Ends the access of a refresh token that Apple has revoked, by the rule of `TokenEnd`; returns the changed
    /// account, or nil.
    func apply(_ end: TokenEnd) async throws(AccountStoreError) -> AccountID?
}

/// The outbox: tasks outside of the store that are done at least once.
package protocol OutboxStore: Sendable {
    /// Claims due entries for a worker.
    func claimEntries(_ claim: OutboxClaim) async throws(AccountStoreError) -> [OutboxEntry]

    /// Stores the result of an attempt; ignored when another worker has claimed the entry.
    func finishEntry(
        _ entry: OutboxID,
        worker: String,
        result: OutboxResult
    ) async throws(AccountStoreError)

    /// Makes refused entries due again and returns their number.
    func requeueRefusedEntries(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int

    /// Makes entries due whose last attempt failed, because the service that they need works again.
    ///
    /// Claimed and refused entries are unchanged.
    ///
    /// - Parameters:
    ///   - kind: the kind of the entries.
    ///   - now: the time.
    /// - Returns: the number of entries; a store may leave some for the next call.
    /// - Throws: `AccountStoreError`.
    func makeFailedEntriesDue(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int

    /// Marks a relay address that refused mail, by the rule of `AccountRules`, or removes the mark; returns whether the
    /// account changed.
    func markRelayAddress(
        _ address: String,
        of account: AccountID,
        isRefused: Bool
    ) async throws(AccountStoreError) -> Bool

    /// Counts the entries that are left in the outbox.
    func outboxBacklog() async throws(AccountStoreError) -> OutboxBacklog
}

/// Regular maintenance of a store, apart from requests.
package protocol MaintenanceStore: Sendable {
    /// Checks that the store is writable, by recording the sealing keys of a running server, as `id=fingerprint`.
    func checkWriting(as sealingKeys: [String], now: Date) async throws(AccountStoreError)

    /// The time of the database's server; nil if the store has no clock of its own.
    func clock() async throws(AccountStoreError) -> Date?

    /// Deletes expired rows, such as sessions, used tokens and nonces, events, and names of sign-ins that were not
    /// completed; returns their number.
    func forgetExpired(now: Date, maximumCount: Int) async throws(AccountStoreError) -> Int

    /// Removes copies of deleted rows, for example from the store's log.
    func wipeTraces() async throws(AccountStoreError)

    /// The load of the store; reading it is cheap and does not wait.
    var load: StoreLoad { get }
}

extension MaintenanceStore {
    /// The default for a store that does not report its load.
    package var load: StoreLoad { .unknown }
}
