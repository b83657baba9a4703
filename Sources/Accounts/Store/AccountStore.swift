import AppleIdentity
import Foundation

/// Where accounts live: everything that a store does.
///
/// A method that decides is one transaction: it happens wholly, durably, or not at all. A store holds no rule: it
/// loads the facts of a decision in one read, asks the pure function in `Accounts` that decides, and applies
/// the writes in the same transaction. It reads no clock and makes no random value; times are whole
/// microseconds. Every store passes the same conformance suite.
package protocol AccountStore: SignInStore, PasswordStore, AppCodeStore, SessionStore,
    AccountDirectory, ValidationStore, OutboxStore, MaintenanceStore, AdministrationStore,
    TransferStore, AuditStore
{
    /// How the names of new accounts sort, for the store's sake.
    var identifierOrder: IdentifierOrder { get }
}

extension AccountStore {
    /// By time, unless the store says otherwise.
    package var identifierOrder: IdentifierOrder { .byTime }
}

/// How names that nobody can guess sort.
package enum IdentifierOrder: Hashable, Sendable {
    /// What is made at the same time is in the same pages: for a store that flushes pages, and writes one transaction at a
    /// time.
    case byTime
    /// What is made at the same time is in different pages: for a store in which transactions that touch the same page are in
    /// each other's way.
    case random
}

/// Signing in, and what Apple tells of people.
package protocol SignInStore: Sendable {
    /// Begins a sign-in: refuses what can't succeed, and keeps the name before the code is spent; returns why the
    /// sign-in can't go on, or nil.
    func beginSignIn(_ attempt: SignInAttempt) async throws(AccountStoreError) -> SignInRefusal?

    /// Completes a sign-in, by the rule of `SignInCompletion`; returns the session, or why there is none; then
    /// nothing was kept.
    func completeSignIn(
        _ completion: SignInCompletion
    ) async throws(AccountStoreError) -> SignInOutcome

    /// Acts on what happened to a person at Apple, once, by the rule of `AppleEvent`.
    func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome
}

/// Sessions: found, listed, used, ended.
package protocol SessionStore: Sendable {
    /// Looks for a session, perhaps expired, in what the store has in memory; nil when it has to be looked up.
    func rememberedSession(tokenHash: SecretHash) -> SignedInSession?

    /// Looks up a session that has not expired, and its account; returns the session and its account, or nil.
    func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession?

    /// Lists an account's sessions that have not expired, the latest used first.
    func sessions(of account: AccountID, now: Date) async throws(AccountStoreError) -> [Session]

    /// Writes down that sessions were used; those that have ended meanwhile stay ended.
    func recordUses(_ uses: [SessionUse]) async throws(AccountStoreError)

    /// Ends one session of an account; returns whether there was one.
    func endSession(
        _ session: SessionID,
        of account: AccountID,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Bool

    /// Ends all sessions of an account, or all but one; returns how many ended.
    func endSessions(
        of account: AccountID,
        except session: SessionID?,
        audit: AuditContext?,
        now: Date
    ) async throws(AccountStoreError) -> Int
}

extension SessionStore {
    /// A store that shares its data with other processes can't know a session without looking.
    package func rememberedSession(tokenHash: SecretHash) -> SignedInSession? { nil }

    /// Ends one session of an account, untold.
    package func endSession(
        _ session: SessionID,
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> Bool {
        try await endSession(session, of: account, audit: nil, now: now)
    }

    /// Ends all sessions of an account, or all but one, untold.
    package func endSessions(
        of account: AccountID,
        except session: SessionID?,
        now: Date
    ) async throws(AccountStoreError) -> Int {
        try await endSessions(of: account, except: session, audit: nil, now: now)
    }
}

/// Accounts: found, changed, deleted.
package protocol AccountDirectory: Sendable {
    /// Looks up an account; returns the account, or nil.
    func account(_ id: AccountID) async throws(AccountStoreError) -> Account?

    /// Changes an account's name; nil when there is no such account.
    func rename(
        _ account: AccountID,
        to name: AccountName?
    ) async throws(AccountStoreError) -> Account?

    /// Changes how an account is opened or where its mail goes, by the rule of `AccountChange`; returns the account
    /// as it is now, or why it stays as it is.
    func change(_ change: AccountChange) async throws(AccountStoreError) -> AccountChangeOutcome

    /// Collects all that is kept about an account; nil when there is no such account.
    func export(_ account: AccountID, now: Date) async throws(AccountStoreError) -> AccountExport?

    /// Deletes an account with its identities and sessions, and queues a revocation for each token.
    func deleteAccount(
        _ deletion: AccountDeletion
    ) async throws(AccountStoreError) -> AccountDeletionOutcome
}

/// Refresh tokens that have to be looked at from time to time.
package protocol ValidationStore: Sendable {
    /// Reserves refresh tokens that are due to be validated at Apple: they are not due again before `until`.
    ///
    /// A claim is known by its `until`: one whose answer was lost, and that is made again, gets the tokens that it got.
    ///
    /// - Parameters:
    ///   - maximumCount: how many.
    ///   - now: the time.
    ///   - until: when they are due again, unless the outcome says otherwise; another microsecond for each claim.
    /// - Returns: the tokens that are due then, and whose they are.
    /// - Throws: `AccountStoreError`.
    func claimValidations(
        maximumCount: Int,
        now: Date,
        until: Date
    ) async throws(AccountStoreError) -> [TokenValidation]

    /// Has a refresh token validated at another time than its claim said, as when Apple could not be asked.
    ///
    /// One that came meanwhile for the same client keeps its own time.
    ///
    /// - Parameters:
    ///   - validation: the token and whose it is.
    ///   - date: when it is due.
    /// - Throws: `AccountStoreError`.
    func postpone(_ validation: TokenValidation, until date: Date) async throws(AccountStoreError)

    /// Ends what a refresh token that Apple does not honour any more has opened, by the rule of `TokenEnd`; returns
    /// the account that has changed, or nil.
    func apply(_ end: TokenEnd) async throws(AccountStoreError) -> AccountID?
}

/// What has to happen outside, at least once.
package protocol OutboxStore: Sendable {
    /// Reserves entries that are due for one worker; returns the entries; none when none is due.
    func claimEntries(_ claim: OutboxClaim) async throws(AccountStoreError) -> [OutboxEntry]

    /// Writes down how an attempt ended; a worker whose claim has passed to another changes nothing.
    func finishEntry(
        _ entry: OutboxID,
        worker: String,
        result: OutboxResult
    ) async throws(AccountStoreError)

    /// Gives entries that were refused for good another attempt; returns how many there were.
    func requeueRefusedEntries(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int

    /// Makes entries due whose last attempt failed, when what they need has just been reached.
    ///
    /// Entries that a worker has claimed, or that were refused, stay as they are.
    ///
    /// - Parameters:
    ///   - kind: what the entries do.
    ///   - now: the time.
    /// - Returns: how many were pulled forward; a store may leave some for the next call.
    /// - Throws: `AccountStoreError`.
    func makeFailedEntriesDue(
        _ kind: OutboxTask.Kind,
        now: Date
    ) async throws(AccountStoreError) -> Int

    /// Counts what is left in the outbox.
    func outboxBacklog() async throws(AccountStoreError) -> OutboxBacklog
}

/// What a store needs from time to time, outside of anybody's request.
package protocol MaintenanceStore: Sendable {
    /// Finds out whether the store can be written to, by writing.
    func checkWriting(now: Date) async throws(AccountStoreError)

    /// Forgets what has expired: sessions, used tokens and nonces, events, names of sign-ins that never ended;
    /// returns how many rows were forgotten.
    func forgetExpired(now: Date, maximumCount: Int) async throws(AccountStoreError) -> Int

    /// Removes traces of what was deleted from where the store keeps copies, such as its log.
    func wipeTraces() async throws(AccountStoreError)

    /// How busy the store is; asking it costs nothing and waits for nobody.
    var load: StoreLoad { get }
}

extension MaintenanceStore {
    /// Nothing is known of a store that does not tell.
    package var load: StoreLoad { .unknown }
}
