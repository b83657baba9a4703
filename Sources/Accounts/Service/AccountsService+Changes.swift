import AppleIdentity
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Lets an Apple identity open the account that asks, beside what opens it already; returns the account as it is
    /// now; throws `apple_linked_elsewhere`, `apple_link_exists`, `recent_sign_in_required`, `session_invalid`,
    /// `token_replayed`, `consent_revoked`, a `nonce_…` code.
    package func linkApple(
        _ candidate: SignInCandidate,
        grant: AppleGrant?,
        askedBy session: Session
    ) async throws(AccountsError) -> Account {
        let now = now
        let change = AccountChange(
            kind: .linkApple(try redeemed(candidate, grant, now: now)),
            caller: caller(session, needsFreshSignIn: true, now: now),
            notice: try notice(.appleLinked, client: candidate.client, now: now),
            now: now
        )
        let account = try await carryOut(
            from: candidate.client,
            clientID: candidate.identity.clientID,
            change
        )
        log("Apple identity linked", session)
        outboxSignal?.send()
        return account
    }

    /// Refuses a link that can't succeed and keeps the name, before the code is spent.
    package func beginLink(
        _ candidate: SignInCandidate,
        askedBy session: Session
    ) async throws(AccountsError) {
        let attempt = try attempt(candidate, now: now)
        guard now.timeIntervalSince(session.signedInAt) <= configuration.recentSignInLimit else {
            throw AccountsError(AccountChangeRefusal.signInTooOld)
        }
        try await arrive(candidate.identity)
        // Only now does the account know the person by this team's identifier.
        let account = try await asking(await store.account(session.accountID))
        if let apple = account?.apple, apple.person != attempt.person {
            throw AccountsError(AccountChangeRefusal.linkExists)
        }
        let refusal = try await asking(await store.beginSignIn(attempt))
        // An account with the same address is just what the person links.
        if let refusal, refusal != .accountExists { throw AccountsError(refusal) }
    }

    /// Takes the Apple identity off the account that asks, and queues the revocations at Apple.
    ///
    /// The other sessions that Apple opened end, and with them the codes of apps that wait.
    ///
    /// - Parameters:
    ///   - session: the session that asks; its sign-in has to be fresh.
    ///   - client: who asks.
    /// - Returns: the account as it is now.
    /// - Throws: `apple_not_linked`, `last_way_in`, `recent_sign_in_required`, `session_invalid`,
    ///   `store_unavailable`.
    package func unlinkApple(
        askedBy session: Session,
        client: ClientDescription
    ) async throws(AccountsError) -> Account {
        let now = now
        let before = try await asking(await store.account(session.accountID))
        guard let before else { throw .sessionInvalid }
        let change = AccountChange(
            kind: .unlinkApple(.random()),
            caller: caller(session, needsFreshSignIn: true, now: now),
            notice: try lastMail(.appleUnlinked, to: before, client, now: now),
            now: now
        )
        let account = try await carryOut(from: client, change)
        log("Apple identity unlinked", session)
        outboxSignal?.send()
        return account
    }

    /// Tells how Apple sees the tie to an account, as far as Apple told.
    package func credentialState(
        of account: Account
    ) async throws(AccountsError) -> CredentialState {
        guard let apple = account.apple else { return .notFound }
        guard apple.revokedAt == nil else { return .revoked }
        guard let team = configuration.teamID else { return .authorized }
        let state = try await asking(await store.transferState(of: account.id))
        // The team that gives the app away knows the identifier before the transfer, too.
        return state?.transfer?.team == team ? .transferred : .authorized
    }

    /// Collects all that is kept about the person who asks; returns what is kept; nothing that opens anything; throws
    /// `session_invalid` when the account has just been deleted.
    package func export(
        of session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) -> AccountExport {
        let export = try await asking(await store.export(session.accountID, now: now))
        guard let export else { throw .sessionInvalid }
        try await recordExport(askedBy: session, client)
        log("data exported", session)
        return export
    }

    /// Has the store carry out a change.
    func carryOut(
        from client: ClientDescription,
        clientID: ClientID? = nil,
        _ change: AccountChange
    ) async throws(AccountsError) -> Account {
        var told = change
        told.audit = auditContext(client, clientID: clientID, now: change.now)
        let change = told
        let outcome = try await asking(await store.change(change))
        switch outcome {
        case .changed(let account, _): return account
        case .refused(let refusal): throw AccountsError(refusal)
        }
    }

    func caller(_ session: Session, needsFreshSignIn: Bool, now: Date) -> AccountChange.Caller {
        AccountChange.Caller(
            account: session.accountID,
            session: session.id,
            signedInSince: needsFreshSignIn
                ? now.addingTimeInterval(-configuration.recentSignInLimit) : nil
        )
    }

    func log(_ message: Logger.Message, of account: Account) {
        logger.notice(message, metadata: ["account": "\(account.id)"])
    }
}

/// How Apple sees the tie between a person and the app, as a device would tell.
///
/// Source: [CredentialState](https://developer.apple.com/documentation/authenticationservices/asauthorizationappleidprovider/credentialstate)
package enum CredentialState: String, CaseIterable, Hashable, Sendable {
    /// The person agrees.
    case authorized
    /// The person has stopped using the app.
    case revoked
    /// There is no tie.
    case notFound
    /// The app belongs to another team now, and the tie has not been made anew.
    case transferred
}
