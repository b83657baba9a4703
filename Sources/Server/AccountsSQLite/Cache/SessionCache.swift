import Accounts
import Foundation
import Synchronization

/// Sessions and their accounts in memory, always equal to those in the file.
///
/// The writer applies the committed writes to the cache after each commit, before any caller gets a response. A
/// reader adds a session only when nothing changed since it began to read. Both work because only this process
/// writes to the file.
final class SessionCache: SessionMemory {
    fileprivate struct Entry {
        var found: SignedInSession
        /// Whether the session was looked up since the last sweep.
        var isRecent: Bool
    }

    fileprivate struct State {
        var entries: [SecretHash: Entry] = [:]
        var hashes: [SessionID: SecretHash] = [:]
        var accounts: [AccountID: Set<SecretHash>] = [:]
        /// Counts changes to stored data other than additions.
        var generation: UInt64 = 0
    }

    private let maximumCount: Int
    private let state = Mutex(State())

    /// - Parameter maximumCount: how many sessions the cache holds; 0 disables it.
    init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    func storedSession(tokenHash hash: SecretHash) -> SignedInSession? {
        state.withLock { state in
            guard let entry = state.entries[hash] else { return nil }
            if !entry.isRecent { state.entries[hash]?.isRecent = true }
            return entry.found
        }
    }

    /// What a reader passes to ``fill(_:_:generation:)``, as it was before the read.
    var generation: UInt64 { state.withLock(\.generation) }

    /// Adds a session that a reader found, unless stored data changed since: the reader may have seen the file before
    /// the change, and nothing would remove the old session again.
    func fill(_ hash: SecretHash, _ found: SignedInSession, generation: UInt64) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.insert(found, hash, maximumCount: maximumCount)
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
        state.withLock { $0 = State(generation: $0.generation + 1) }
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
            removeAll(of: account.id)
        case .removeAccount(let id):
            removeAll(of: id)
        case .insertSession(let session, let hash):
            // With an unknown account, the session is read from the file at its first use.
            guard let account = known[session.accountID] else { return }
            let found = SignedInSession(session: session, account: account)
            insert(found, hash, maximumCount: maximumCount)
        case .removeSession(let id):
            if let hash = hashes[id] { remove(hash) }
            generation += 1
        case .removeSessions(let account, let session, let method):
            removeAll(of: account) {
                $0.id != session && (method == nil || $0.signInMethod == method)
            }
        case .recordUse(let use): record(use)
        case .removeRefreshToken(let account, _):
            // The identity may have changed.
            known[account] = nil
            removeAll(of: account)
        case .putRefreshToken, .replaceSealedToken, .removeRefreshTokens, .keepName, .forgetName,
            .useOnce, .rememberEvent, .putPassword, .removePassword, .putThrottle, .forgetThrottle,
            .putMailToken, .removeMailTokens, .putAppCode, .removeAppCode, .removeAppCodes,
            .putTransfer, .removeTransfer, .putTokenKey, .removeTokenKey, .enqueue, .replaceTask,
            .removeEntries, .removeMail, .recordAudit, .forgetAudit:
            break
        }
    }

    fileprivate mutating func insert(
        _ found: SignedInSession,
        _ hash: SecretHash,
        maximumCount: Int
    ) {
        guard maximumCount > 0 else { return }
        if entries[hash] == nil, entries.count >= maximumCount { sweep() }
        entries[hash] = SessionCache.Entry(found: found, isRecent: true)
        hashes[found.session.id] = hash
        accounts[found.session.accountID, default: []].insert(hash)
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

    private mutating func removeAll(
        of account: AccountID,
        where isGone: (Session) -> Bool = { _ in true }
    ) {
        generation += 1
        for hash in accounts[account] ?? [] {
            if let session = entries[hash]?.found.session, isGone(session) { remove(hash) }
        }
    }

    private mutating func remove(_ hash: SecretHash) {
        guard let session = entries.removeValue(forKey: hash)?.found.session else { return }
        hashes[session.id] = nil
        accounts[session.accountID]?.remove(hash)
        if accounts[session.accountID]?.isEmpty == true { accounts[session.accountID] = nil }
    }

    /// Removes the sessions not looked up since the last sweep, or half of all when there are none.
    private mutating func sweep() {
        var unused = entries.filter { !$0.value.isRecent }.map(\.key)
        if unused.isEmpty { unused = entries.keys.prefix(max(entries.count / 2, 1)).map(\.self) }
        for hash in unused { remove(hash) }
        for hash in entries.keys { entries[hash]?.isRecent = false }
    }
}
