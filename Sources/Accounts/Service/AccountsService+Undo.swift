import AppleIdentity
import Foundation
import Logging

/// The result of undoing a change.
package struct UndoneChange: Hashable, Sendable {
    package let account: Account
    /// Whether the Apple identity stayed with another account; the link still works then.
    package let isAppleElsewhere: Bool
    /// Whether the password stayed away, because another account has the username now.
    package let isUsernameTaken: Bool
}

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
        let mail = try notice(
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

    /// Returns what a link of a mail restores; throws `link_invalid`.
    package func snapshot(undoToken token: String) async throws(AccountsError) -> AccountSnapshot {
        let link = try await link(Self.linkHash(token), for: .changeUndo).token
        guard let snapshot = link.snapshot else { throw .linkInvalid }
        return snapshot
    }

    /// Undoes a change with the link of a mail, and ends all sessions.
    ///
    /// - Parameters:
    ///   - token: the secret in the link.
    ///   - newPassword: a new password for an account that had one; nil restores the former one.
    ///   - client: the requesting client.
    /// - Returns: the account, and what could not be restored.
    /// - Throws: `link_invalid`, a `password_…` code, `username_required` for a new password of an account that had
    ///   none, `username_taken` if another account has the username and nothing else signs in, `store_unavailable`.
    package func undoChange(
        token: String,
        newPassword: String? = nil,
        client: ClientDescription
    ) async throws(AccountsError) -> UndoneChange {
        let (link, owner) = try await link(Self.linkHash(token), for: .changeUndo)
        guard let snapshot = link.snapshot else { throw .linkInvalid }
        guard let newPassword else {
            return try await undo(
                AccountChange.ChangeUndo(token: link),
                of: owner,
                snapshot,
                client
            )
        }
        guard let username = snapshot.username.map(Username.init(stored:)) else {
            throw AccountsError(AccountChangeRefusal.usernameMissing)
        }
        let password = try checked(newPassword, for: owner, username)
        let turn = try await turn(of: username.text, client)
        // The next turn of the account begins when the link is used.
        defer { withExtendedLifetime(turn) {} }
        _ = try await self.link(link.hash, for: .changeUndo)
        let undo = AccountChange.ChangeUndo(token: link, hash: try await turn.hash(password))
        return try await self.undo(undo, of: owner, snapshot, client)
    }

    /// Undoes apart from `undoChange`: Swift 6.3.1 allocates too small a frame for one function.
    private func undo(
        _ undo: AccountChange.ChangeUndo,
        of owner: Account,
        _ snapshot: AccountSnapshot,
        _ client: ClientDescription
    ) async throws(AccountsError) -> UndoneChange {
        let now = now
        let change = AccountChange(
            kind: .undo(undo),
            caller: nil,
            linkOwner: owner.id,
            notice: try noticeToFormer(
                .emailChanged,
                owner,
                ofChangeTo: undo.token.address,
                client,
                now: now
            ),
            forgottenThrottles: [changes(of: owner.id), mailKey(of: owner.id)]
                + (snapshot.username.map { [throttleKeys.key("password", $0)] } ?? []),
            now: now
        )
        let account = try await carryOut(from: client, change)
        log("change undone", of: account)
        outboxSignal?.send()
        return UndoneChange(
            account: account,
            isAppleElsewhere: account.apple?.person != snapshot.apple?.person,
            isUsernameTaken: account.username != snapshot.username
        )
    }
}
