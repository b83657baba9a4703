import Accounts
import Foundation
import Synchronization

/// Sessions and their accounts in memory, always equal to those in the file.
///
/// The writer applies the committed writes to the cache after each commit, before any caller gets a response. A
/// reader adds a session only when nothing changed since it began to read. Both work because only this process
/// writes to the file.
final class SessionCache: Sendable {
    /// The result of a lookup.
    enum Finding {
        /// The session, possibly expired, and its account.
        case found(SignedInSession)
        /// The session must be read from the file; pass the generation to ``fill(_:_:generation:)``.
        case missing(generation: UInt64)
    }

    fileprivate struct Entry {
        var found: SignedInSession
        /// Whether the session was looked up since the last sweep.
        var isRecent: Bool
    }

    fileprivate struct AccountEntry {
        var account: Account
        var hashes: Set<SecretHash>
    }

    fileprivate struct State {
        var entries: [SecretHash: Entry] = [:]
        var accounts: [AccountID: AccountEntry] = [:]
        var hashes: [SessionID: SecretHash] = [:]
        /// Counts changes to stored data other than additions.
        var generation: UInt64 = 0
        /// Whether the cache has been full since it was last emptied; then sessions are added at their second miss.
        var wasFull = false
        var misses = RecentMisses()
    }

    private let maximumCount: Int
    private let state = Mutex(State())

    /// - Parameter maximumCount: how many sessions the cache holds; 0 disables it.
    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    func find(_ hash: SecretHash) -> Finding {
        state.withLock { state in
            guard let entry = state.entries[hash] else {
                return .missing(generation: state.generation)
            }
            if !entry.isRecent { state.entries[hash]?.isRecent = true }
            return .found(entry.found)
        }
    }

    /// Adds a session that a reader found, unless stored data changed since.
    ///
    /// Once the cache was full, a session is added only at its second miss. With far more sessions than places, sessions
    /// used once would displace each other, and replacing them costs as much as reading them.
    func fill(_ hash: SecretHash, _ found: SignedInSession, generation: UInt64) {
        state.withLock { state in
            guard state.generation == generation,
                !state.wasFull || state.misses.isRepeated(hash)
            else { return }
            state.insert(found.session, hash, found.account, maximumCount: maximumCount)
        }
    }

    /// Applies the writes of a commit.
    func apply(_ writes: [StoreWrite]) {
        guard maximumCount > 0, !writes.isEmpty else { return }
        state.withLock { state in
            var known: [AccountID: Account] = [:]
            for write in writes { state.apply(write, &known, maximumCount: maximumCount) }
        }
    }

    /// Empties the cache, when the content of the file is unknown.
    func forgetAll() {
        state.withLock { state in
            state.entries = [:]
            state.accounts = [:]
            state.hashes = [:]
            state.wasFull = false
            state.generation += 1
        }
    }

    /// How many sessions are cached.
    var count: Int { state.withLock { $0.entries.count } }
}

extension SessionCache.State {
    /// Applies one write; `known` has the accounts written earlier in the same batch.
    fileprivate mutating func apply(
        _ write: StoreWrite,
        _ known: inout [AccountID: Account],
        maximumCount: Int
    ) {
        switch write {
        case .insertAccount(let account):
            known[account.id] = account
        case .updateAccount(let account):
            known[account.id] = account
            update(account)
            generation += 1
        case .removeAccount(let id):
            removeAll(of: id) { _ in true }
            generation += 1
        case .insertSession(let session, let hash):
            // With an unknown account, the session is read from the file at its first use.
            let account = known[session.accountID] ?? accounts[session.accountID]?.account
            guard let account else { return }
            insert(session, hash, account, maximumCount: maximumCount)
        case .removeSession(let id):
            if let hash = hashes[id] { remove(hash) }
            generation += 1
        case .removeSessions(let account, let session, let method):
            removeAll(of: account) {
                $0.id != session && (method == nil || $0.signInMethod == method)
            }
            generation += 1
        case .recordUse(let use): record(use)
        case .removeRefreshToken(let account, _):
            // The identity may have changed.
            removeAll(of: account) { _ in true }
            generation += 1
        case .putRefreshToken, .removeRefreshTokens, .keepName, .forgetName,
            .useOnce,
            .rememberEvent, .enqueue, .replaceSealedToken, .replaceTask, .removeEntries,
            .removeMail, .putPassword, .removePassword,
            .putThrottle,
            .forgetThrottle, .putMailToken, .removeMailTokens, .putAppCode, .removeAppCode,
            .removeAppCodes, .putTransfer, .removeTransfer, .putTokenKey, .removeTokenKey,
            .recordAudit, .forgetAudit:
            break
        }
    }

    fileprivate mutating func insert(
        _ session: Session,
        _ hash: SecretHash,
        _ account: Account,
        maximumCount: Int
    ) {
        guard maximumCount > 0 else { return }
        if entries[hash] == nil, entries.count >= maximumCount {
            sweep()
            wasFull = true
        }
        let found = SignedInSession(session: session, account: account)
        entries[hash] = SessionCache.Entry(found: found, isRecent: true)
        hashes[session.id] = hash
        accounts[
            session.accountID,
            default: SessionCache.AccountEntry(account: account, hashes: [])
        ]
        .hashes.insert(hash)
    }

    private mutating func record(_ use: SessionUse) {
        generation += 1
        guard let hash = hashes[use.session], let found = entries[hash]?.found,
            found.session.lastUsedAt < use.lastUsedAt
        else { return }
        var session = found.session
        session.lastUsedAt = use.lastUsedAt
        session.expiresAt = use.expiresAt
        entries[hash]?.found = SignedInSession(session: session, account: found.account)
    }

    private mutating func update(_ account: Account) {
        guard let hashes = accounts[account.id]?.hashes else { return }
        accounts[account.id]?.account = account
        for hash in hashes {
            guard let session = entries[hash]?.found.session else { continue }
            entries[hash]?.found = SignedInSession(session: session, account: account)
        }
    }

    private mutating func removeAll(of account: AccountID, where isGone: (Session) -> Bool) {
        for hash in accounts[account]?.hashes ?? [] {
            if let session = entries[hash]?.found.session, isGone(session) { remove(hash) }
        }
    }

    private mutating func remove(_ hash: SecretHash) {
        guard let session = entries.removeValue(forKey: hash)?.found.session else { return }
        hashes[session.id] = nil
        accounts[session.accountID]?.hashes.remove(hash)
        if accounts[session.accountID]?.hashes.isEmpty == true { accounts[session.accountID] = nil }
    }

    /// Removes the sessions not looked up since the last sweep, or half of all when there are none.
    private mutating func sweep() {
        var unused = entries.filter { !$0.value.isRecent }.map(\.key)
        if unused.isEmpty { unused = entries.keys.prefix(max(entries.count / 2, 1)).map(\.self) }
        for hash in unused { remove(hash) }
        for hash in entries.keys { entries[hash]?.isRecent = false }
    }
}
