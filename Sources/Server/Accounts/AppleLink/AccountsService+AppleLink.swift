import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Links an Apple identity to the session's account and returns the account; throws `apple_linked_elsewhere`,
    /// `apple_link_exists`, `recent_sign_in_required`, `session_invalid`, `token_replayed`, `consent_revoked`, or
    /// `nonce_used`.
    package func linkApple(
        _ check: SignInCheck,
        grant: AppleGrant?,
        requestedBy session: Session
    ) async throws(AccountsError) -> Account {
        let now = now
        let before = try await callStore(await store.account(session.accountID))
        guard let before else { throw .sessionInvalid }
        let refreshToken = sealed(grant?.refreshToken, check.clientID, now: now)
        let change = AccountChange(
            kind: .linkApple(check, refreshToken),
            caller: caller(session, needsFreshSignIn: true, now: now),
            mail: try mail(.appleLinked, client: check.client, now: now),
            undoLink: try undoLink(.appleLinked, of: before, check.client, now: now),
            now: now
        )
        let account = try await apply(from: check.client, clientID: check.clientID, change)
        log("Apple identity linked", session)
        return account
    }

    /// Refuses a link that cannot succeed, and stores the name, before Apple's code is exchanged.
    package func beforeExchange(
        _ check: SignInCheck,
        linkingTo session: Session
    ) async throws(AccountsError) {
        guard isRecent(session) else { throw .recentSignInRequired }
        try await migrateIfTransferred(check)
        // Only after a migration does the account have the user's identifier of this team.
        let account = try await callStore(await store.account(session.accountID))
        if let apple = account?.apple, apple.person != check.person { throw .appleLinkExists }
        let refusal = try await callStore(await store.beginSignIn(check))
        // The account with the same email address is the one that the user links.
        if let refusal, refusal.code != .accountExists { throw refusal }
    }

    /// Unlinks the Apple identity from the session's account, and queues the revocations at Apple.
    ///
    /// Other sessions that were opened with Apple end, and unused app codes become invalid.
    ///
    /// - Parameters:
    ///   - session: the requesting session, which needs a recent sign-in.
    ///   - client: the requesting client.
    /// - Returns: the changed account.
    /// - Throws: `apple_not_linked`, `last_way_in`, `recent_sign_in_required`, `session_invalid`,
    ///   `store_unavailable`.
    package func unlinkApple(
        requestedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let now = now
        let before = try await callStore(await store.account(session.accountID))
        guard let before else { throw .sessionInvalid }
        let change = AccountChange(
            kind: .unlinkApple(.random()),
            caller: caller(session, needsFreshSignIn: true, now: now),
            mail: try lastMail(.appleUnlinked, to: before, client, now: now),
            undoLink: try undoLink(.appleUnlinked, of: before, client, now: now),
            now: now
        )
        let account = try await apply(from: client, change)
        log("Apple identity unlinked", session)
        await verifyKeptEmail(of: account, requestedBy: session, client)
        return account
    }

    /// Sends a verification link to the unverified address that an unlinked account keeps.
    ///
    /// After a failure, the user can request the link on the account page.
    private func verifyKeptEmail(
        of account: Account,
        requestedBy session: Session,
        _ client: ClientDescription
    ) async {
        guard hasMail, account.pendingEmail == nil, account.email?.isVerified == false else {
            return
        }
        do throws(AccountsError) {
            try await requestVerification(of: account, requestedBy: session, client: client)
        } catch {
            log("verification of an email address not queued", session, ["code": "\(error.code)"])
        }
    }

    /// Returns the state of an account's link at Apple, as last reported by Apple.
    package func credentialState(
        of account: Account
    ) async throws(AccountsError) -> CredentialState {
        guard let apple = account.apple else { return .notFound }
        guard apple.revokedAt == nil else { return .revoked }
        guard let team = configuration.teamID else { return .authorized }
        let state = try await callStore(await store.transferState(of: account.id))
        // The team that transfers the app has the identifier before the transfer, too.
        return state?.transfer?.team == team ? .transferred : .authorized
    }
}

/// The state of the link between a user and the app at Apple, as a device would report it.
///
/// Source: [CredentialState](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate)
package enum CredentialState: String, CaseIterable, Hashable, Sendable {
    /// The user consents.
    case authorized
    /// The user has stopped using the app.
    case revoked
    /// There is no link.
    case notFound
    /// The app belongs to another team now, and the user is not migrated yet.
    case transferred
}
