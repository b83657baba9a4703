import AppleIdentity
import Foundation

/// Where accounts live.
///
/// Each method is one transaction: it happens wholly, durably, or not at all. The store reads no clock;
/// times come as arguments. Every store passes the same conformance suite.
public protocol AccountStore: Sendable {
    /// Finds out whether the store answers.
    ///
    /// - Throws: `AccountStoreError`; nothing was done.
    func checkReadiness() async throws(AccountStoreError)

    /// Keeps a nonce that is about to be given out, and forgets old ones.
    ///
    /// Unused ones are known for ten minutes beyond their end, used ones for a day.
    ///
    /// - Parameter nonce: the nonce.
    /// - Returns: false when too many are stored already.
    /// - Throws: `AccountStoreError`; nothing was done.
    func addNonce(_ nonce: IssuedNonce) async throws(AccountStoreError) -> Bool

    /// Begins a sign-in: refuses what can't succeed, and keeps the name before the code is spent.
    ///
    /// Old nonces, tokens, sessions and names are forgotten on the way.
    ///
    /// - Parameter attempt: who is about to sign in.
    /// - Returns: why the sign-in can't go on, or nil.
    /// - Throws: `AccountStoreError`; nothing was done.
    func beginSignIn(_ attempt: SignInAttempt) async throws(AccountStoreError) -> SignInRefusal?

    /// Completes a sign-in: account, name, address, refresh token, nonce, token's use and session.
    ///
    /// - Parameter completion: everything that is to be kept.
    /// - Returns: the session, or why there is none; then nothing was kept.
    /// - Throws: `AccountStoreError`; nothing was done.
    func completeSignIn(
        _ completion: SignInCompletion
    ) async throws(AccountStoreError) -> SignInOutcome

    /// Looks up a session that has not expired, and its account.
    ///
    /// - Parameters:
    ///   - tokenHash: the hash of the session's token.
    ///   - now: the time.
    /// - Returns: the session and its account, or nil.
    /// - Throws: `AccountStoreError`; nothing was done.
    func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountStoreError) -> SignedInSession?

    /// Writes down that a session was used.
    ///
    /// - Parameters:
    ///   - session: the session; one that has ended meanwhile stays ended.
    ///   - lastUsedAt: when it was used.
    ///   - expiresAt: when it ends from now on.
    /// - Throws: `AccountStoreError`; nothing was done.
    func recordUse(
        of session: SessionID,
        lastUsedAt: Date,
        expiresAt: Date
    ) async throws(AccountStoreError)

    /// Lists an account's sessions that have not expired, the latest used first.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - now: the time.
    /// - Returns: the sessions.
    /// - Throws: `AccountStoreError`; nothing was done.
    func sessions(of account: AccountID, now: Date) async throws(AccountStoreError) -> [Session]

    /// Ends one session of an account.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - account: the account it has to belong to.
    ///   - now: the time.
    /// - Returns: whether there was one.
    /// - Throws: `AccountStoreError`; nothing was done.
    func endSession(
        _ session: SessionID,
        of account: AccountID,
        now: Date
    ) async throws(AccountStoreError) -> Bool

    /// Ends all sessions of an account but one.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - session: the session that stays.
    ///   - now: the time.
    /// - Returns: how many ended.
    /// - Throws: `AccountStoreError`; nothing was done.
    func endSessions(
        of account: AccountID,
        except session: SessionID,
        now: Date
    ) async throws(AccountStoreError) -> Int

    /// Changes an account's name.
    ///
    /// - Parameters:
    ///   - account: the account.
    ///   - name: the new name.
    /// - Returns: the account as it is now, or nil when there is none.
    /// - Throws: `AccountStoreError`; nothing was done.
    func rename(
        _ account: AccountID,
        to name: String?
    ) async throws(AccountStoreError) -> Account?

    /// Deletes an account with its identities and sessions, and queues a revocation for each token.
    ///
    /// - Parameter deletion: which account, and the session that asks.
    /// - Returns: what came of it.
    /// - Throws: `AccountStoreError`; nothing was done.
    func deleteAccount(
        _ deletion: AccountDeletion
    ) async throws(AccountStoreError) -> AccountDeletionOutcome

    /// Acts on what happened to a person at Apple, once.
    ///
    /// The end of consent before the latest sign-in, and an event about the address before the latest
    /// one, change nothing. A sign-in with an identity token from before the end of consent is
    /// refused for as long as the event is remembered, also when the person had no account yet.
    ///
    /// - Parameter event: what happened.
    /// - Returns: what came of it.
    /// - Throws: `AccountStoreError`; nothing was done.
    func apply(_ event: AppleEvent) async throws(AccountStoreError) -> AppleEventOutcome

    /// Reserves revocations that are due for one worker.
    ///
    /// - Parameter claim: who claims, how many, for how long.
    /// - Returns: the entries; none when none is due.
    /// - Throws: `AccountStoreError`; nothing was done.
    func claimRevocations(_ claim: RevocationClaim) async throws(AccountStoreError) -> [Revocation]

    /// Writes down how an attempt ended; a worker whose claim has passed to another changes nothing.
    ///
    /// - Parameters:
    ///   - revocation: the entry.
    ///   - worker: who made the attempt.
    ///   - result: how it ended.
    /// - Throws: `AccountStoreError`; nothing was done.
    func finishRevocation(
        _ revocation: RevocationID,
        worker: String,
        result: RevocationResult
    ) async throws(AccountStoreError)

    /// Gives entries that were refused for good another attempt.
    ///
    /// - Parameter now: the time.
    /// - Returns: how many there were.
    /// - Throws: `AccountStoreError`; nothing was done.
    func requeueRefusedRevocations(now: Date) async throws(AccountStoreError) -> Int

    /// Makes entries due whose last attempt failed, when Apple has just been reached.
    ///
    /// Entries that a worker has claimed, or that were refused, stay as they are.
    ///
    /// - Parameter now: the time.
    /// - Returns: how many were pulled forward; a store may leave some for the next call.
    /// - Throws: `AccountStoreError`; nothing was done.
    func makeFailedRevocationsDue(now: Date) async throws(AccountStoreError) -> Int

    /// Counts what is left in the outbox.
    ///
    /// - Returns: the counts.
    /// - Throws: `AccountStoreError`; nothing was done.
    func revocationBacklog() async throws(AccountStoreError) -> RevocationBacklog
}
