import Accounts
import AppleIdentity
import NIOCore
import Synchronization

/// Accounts as programs read them, written once for as long as they stay the same.
///
/// An account is asked for far more often than it changes. What is kept is compared with the account each
/// time, so that nothing can be out of date.
final class AccountDocuments: Sendable {
    /// How many documents are kept, of about half a kilobyte each.
    private static let maximumCount = 10_000

    private final class Written: Sendable {
        let account: Account
        let document: ByteBuffer

        init(account: Account, document: ByteBuffer) {
            self.account = account
            self.document = document
        }
    }

    private let written = Mutex<[AccountID: Written]>([:])

    func document(of account: Account) -> ByteBuffer {
        let known = written.withLock { $0[account.id] }
        if let known, known.account == account { return known.document }
        let document = ByteBuffer(bytes: JSONValue.object(AccountRoutes.document(account)).bytes)
        written.withLock { written in
            if written.count >= Self.maximumCount { written.removeAll(keepingCapacity: true) }
            written[account.id] = Written(account: account, document: document)
        }
        return document
    }
}
