import Accounts
import AppleIdentity
import NIOCore
import Synchronization

/// Accounts as programs read them, written once for as long as they stay the same.
///
/// An account is asked for far more often than it changes. What is kept is compared with the account each
/// time, so that nothing can be out of date. When there is no more room, an account has to be asked for twice: with very
/// many accounts, to keep each and drop another one costs more than it saves.
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
        /// Whose documents are kept: the oldest at the position, the others behind it in a ring.
        var order: [AccountID] = []
        var position = 0
        var misses = RecentMisses()
    }

    private let maximumCount: Int
    private let state = Mutex(State())

    /// - Parameter maximumCount: how many documents are kept, of about half a kilobyte each.
    init(maximumCount: Int = 10_000) {
        precondition(maximumCount > 0)
        self.maximumCount = maximumCount
    }

    /// Whose documents are kept.
    var kept: Set<AccountID> { state.withLock { Set($0.written.keys) } }

    func document(of account: Account) -> ByteBuffer {
        let known = state.withLock { $0.written[account.id] }
        if let known, known.account == account { return known.document }
        let document = ByteBuffer(bytes: JSONValue.object(AccountRoutes.document(account)).bytes)
        let new = Written(account: account, document: document)
        state.withLock { keep(new, in: &$0) }
        return document
    }

    /// The document that came first makes room.
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
