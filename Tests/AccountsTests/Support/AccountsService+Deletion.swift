import Accounts

extension AccountsService {
    /// Deletes the account that asks, whose address nobody writes to.
    func deleteAccount(_ session: Session) async throws(AccountsError) {
        let account = Account(id: session.accountID, createdAt: session.createdAt)
        try await deleteAccount(session, of: account, client: ClientDescription())
    }
}
