import Accounts
import Foundation
import Synchronization

/// Live sessions and their accounts in memory, exactly as they are in the file.
///
/// Only the writer changes it, after each commit and before anybody is answered, by the very writes that were
/// committed. What a reader found is taken only when nothing has changed since it began to read. That
/// holds because this process alone owns the file.
final class SessionCache: Sendable {
    /// What a lookup found.
    enum Finding {
        /// The session, perhaps expired, and its account.
        case found(SignedInSession)
        /// It has to be read; hand the generation back with what was read.
        case missing(generation: UInt64)
    }

    fileprivate struct Entry {
        var found: SignedInSession
        /// Whether it was looked up since the last sweep.
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
        /// Counts the changes of what is stored, other than additions.
        var generation: UInt64 = 0
        /// Whether it was full before: from then on a session is taken in at its second miss.
        var wasFull = false
        var misses = RecentMisses()
    }

    private let maximumCount: Int
    private let state = Mutex(State())

    /// - Parameter maximumCount: how many sessions it holds; none with 0.
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

    /// Takes what a reader found, unless something has changed since.
    ///
    /// Once it was full, a session has to be missed a second time: where there are far more sessions than places, those
    /// used once would displace each other, and taking them in and out costs as much as reading them.
    func fill(_ hash: SecretHash, _ found: SignedInSession, generation: UInt64) {
        state.withLock { state in
            guard state.generation == generation,
                !state.wasFull || state.misses.isRepeated(hash)
            else { return }
            state.insert(found.session, hash, found.account, maximumCount: maximumCount)
        }
    }

    /// Follows a commit.
    func apply(_ writes: [StoreWrite]) {
        guard maximumCount > 0, !writes.isEmpty else { return }
        state.withLock { state in
            var known: [AccountID: Account] = [:]
            for write in writes { state.apply(write, &known, maximumCount: maximumCount) }
        }
    }

    /// Forgets everything: nobody knows any more what is in the file.
    func forgetAll() {
        state.withLock { state in
            state.entries = [:]
            state.accounts = [:]
            state.hashes = [:]
            state.wasFull = false
            state.generation += 1
        }
    }

    /// How many sessions it holds.
    var count: Int { state.withLock { $0.entries.count } }
}

extension SessionCache.State {
    /// Follows one write; `known` are the accounts that the same transaction wrote before.
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
            // An account that was neither written nor cached is read with the session's first use.
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
        case .putRefreshToken, .removeRefreshToken, .removeRefreshTokens, .keepName, .forgetName,
            .useOnce,
            .rememberEvent, .enqueue, .replaceSealedToken, .replaceTask, .removeEntries,
            .removeMail, .putPassword,
            .putThrottle,
            .forgetThrottle, .putMailToken, .removeMailTokens, .putAppCode, .removeAppCode,
            .removeAppCodes, .putTransfer, .removeTransfer, .recordAudit, .forgetAudit:
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

    /// Makes room: what was not looked up since the last time goes, or half when all was.
    private mutating func sweep() {
        var unused = entries.filter { !$0.value.isRecent }.map(\.key)
        if unused.isEmpty { unused = entries.keys.prefix(max(entries.count / 2, 1)).map(\.self) }
        for hash in unused { remove(hash) }
        for hash in entries.keys { entries[hash]?.isRecent = false }
    }
}
