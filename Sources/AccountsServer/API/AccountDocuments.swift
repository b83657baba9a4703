import Accounts
import AppleIdentity
import NIOCore
import Synchronization

/// A cache of account documents for `GET /api/account`.
///
/// An account is read far more often than it changes. A cached document is compared with the
/// account at each use, so it is never out of date. A full cache adds an account only at its second
/// recent miss: with very many accounts, replacing an entry at each miss costs more than it saves.
final class AccountDocuments: Sendable {
    private final class Written: Sendable {
        let account: Account
        let document: ByteBuffer

        init(account: Account, document: ByteBuffer) {
            self.account = account
            self.document = document
        }
    }

    private struct State {
        var written: [AccountID: Written] = [:]
        /// The accounts in a ring; the oldest is at the position.
        var order: [AccountID] = []
        var position = 0
        var misses = RecentMisses()
    }

    private let maximumCount: Int
    private let state = Mutex(State())

    /// - Parameter maximumCount: the maximum number of cached documents, of about 0.5 kB each.
    init(maximumCount: Int = 10_000) {
        precondition(maximumCount > 0)
        self.maximumCount = maximumCount
    }

    /// The accounts whose documents are cached.
    var kept: Set<AccountID> { state.withLock { Set($0.written.keys) } }

    func document(of account: Account) -> ByteBuffer {
        let known = state.withLock { $0.written[account.id] }
        if let known, known.account == account { return known.document }
        let document = ByteBuffer(bytes: JSONValue.object(AccountRoutes.document(account)).bytes)
        let new = Written(account: account, document: document)
        state.withLock { keep(new, in: &$0) }
        return document
    }

    /// Adds a document; a full cache drops the oldest one.
    private func keep(_ new: Written, in state: inout State) {
        let id = new.account.id
        guard state.written[id] == nil else {
            state.written[id] = new
            return
        }
        guard state.order.count == maximumCount else {
            state.written[id] = new
            return state.order.append(id)
        }
        guard state.misses.isRepeated(id) else { return }
        state.written[id] = new
        state.written[state.order[state.position]] = nil
        state.order[state.position] = id
        state.position = (state.position + 1) % maximumCount
    }
}
