import AppleIdentity
import Foundation
import Logging

extension AccountsService {
    /// Creates the link that undoes a change of an account, and its mail; nil if the account's email address may not
    /// undo it.
    func undoLink(
        _ kind: MailOrder.Kind,
        of account: Account,
        linkedAt: Date? = nil,
        _ client: ClientDescription,
        now: Date
    ) throws(AccountsError) -> AccountChange.UndoLink? {
        guard let address = account.undoAddress(at: now) else { return nil }
        let secret = Self.makeLinkSecret()
        let mail = try mail(
            kind,
            to: address,
            name: account.name?.text,
            linkToken: secret,
            appleLinkRemains: kind == .appleUnlinked && account.appleLinkRemains,
            appleLinkedAt: linkedAt,
            client: client,
            now: now
        )
        return mail.map {
            AccountChange.UndoLink(hash: SecretHash(of: secret), address: address, mail: $0)
        }
    }

    /// Returns the account before the change that a link of a mail undoes; throws `link_invalid`.
    package func account(undoToken token: String) async throws(AccountsError) -> Account {
        let link = try await link(Self.linkHash(token), for: .changeUndo).token
        guard let snapshot = link.snapshot else { throw .linkInvalid }
        return snapshot.account
    }

    /// Undoes a change with the link of a mail, and ends all sessions.
    ///
    /// - Parameters:
    ///   - token: the secret in the link.
    ///   - newPassword: a new password for an account that had one; nil restores the former one.
    ///   - client: the requesting client.
    /// - Returns: the account; without the former Apple identity or username if another account has it now. The link
    ///   stays valid then.
    /// - Throws: `link_invalid`, a `password_…` code, `username_required` for a new password of an account that had
    ///   none, `username_taken` if another account has the username and nothing else signs in, `store_unavailable`.
    package func undoChange(
        token: String,
        newPassword: String? = nil,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let (link, owner) = try await link(Self.linkHash(token), for: .changeUndo)
        guard let snapshot = link.snapshot else { throw .linkInvalid }
        let username = snapshot.account.username.map(Username.init(stored:))
        var turn: PasswordHasher.Turn?
        var hash: String?
        if let newPassword {
            guard let username else { throw .usernameRequired }
            let password = try checked(newPassword, for: owner, username)
            turn = try await self.turn(of: username, byLink: link, client)
            hash = try await turn?.hash(password)
        }
        // The next turn of the account begins when the link is used.
        defer { withExtendedLifetime(turn) {} }
        let now = now
        let account = try await apply(
            .undo(link, hash: hash, .random()),
            byLinkOf: owner,
            username,
            try mailToFormer(.emailChanged, owner, ofChangeTo: link.address, client, now: now),
            client,
            now: now
        )
        log("change undone", of: account)
        return account
    }
}
