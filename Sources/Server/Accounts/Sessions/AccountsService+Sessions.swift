import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import SignInWithApple

extension AccountsService {
    /// Returns the active session of a token and its account, from memory or the store; throws `session_invalid` when
    /// there is none.
    ///
    /// The session has the time of the use before this one.
    package func session(token: String) async throws(AccountsError) -> SignedInSession {
        guard let hash = SessionToken(token)?.hash else { throw .sessionInvalid }
        let now = now
        guard let found = try await session(tokenHash: hash, now: now) else {
            throw .sessionInvalid
        }
        noteUse(of: found.session, now: now)
        return found
    }

    /// Whether the database has sessions in memory.
    package var remembersSessions: Bool { store.database.sessionMemory != nil }

    /// Returns the active session of a token if it is in memory.
    package func rememberedSession(token: String) -> SignedInSession? {
        let now = now
        guard let hash = SessionToken(token)?.hash,
            let found = rememberedSession(tokenHash: hash, now: now)
        else { return nil }
        noteUse(of: found.session, now: now)
        return found
    }

    /// Returns an active session, from memory or the store, without noting its use.
    func session(
        tokenHash: SecretHash,
        now: Date
    ) async throws(AccountsError) -> SignedInSession? {
        if let found = rememberedSession(tokenHash: tokenHash, now: now) { return found }
        measures.lookedUpSessions.increment()
        return try await callStore(await store.session(tokenHash: tokenHash, now: now))
    }

    private func rememberedSession(tokenHash: SecretHash, now: Date) -> SignedInSession? {
        guard let found = store.rememberedSession(tokenHash: tokenHash),
            found.session.expiresAt > now
        else { return nil }
        measures.rememberedSessions.increment()
        return found
    }

    /// Returns the sessions of the session's account, the latest used first.
    package func sessions(of session: Session) async throws(AccountsError) -> [Session] {
        try await callStore(await store.sessions(of: session.accountID, now: now))
    }

    /// Ends a session of the account; throws `session_not_found` when the account has no such session.
    package func endSession(
        _ id: SessionID,
        requestedBy session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) {
        let now = now
        let audit = auditContext(client, now: now)
        let isEnded = try await callStore(
            await store.endSession(id, of: session.accountID, audit: audit, now: now)
        )
        guard isEnded else {
            throw AccountsError(
                .sessionNotFound,
                hint: "the account has no active session with that ID"
            )
        }
        log("session ended", session, ["ended": "\(id)"])
    }

    /// Ends all sessions of the account except the requesting one and returns their number.
    @discardableResult
    package func endOtherSessions(
        than session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) -> Int {
        let now = now
        let audit = auditContext(client, now: now)
        let count = try await callStore(
            await store.endSessions(
                of: session.accountID,
                except: session.id,
                audit: audit,
                now: now
            )
        )
        log("other sessions ended", session, ["count": "\(count)"])
        return count
    }

    /// Ends the requesting session; it is not an error if the session has already ended.
    package func signOut(
        _ session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) {
        let now = now
        let audit = auditContext(client, now: now)
        _ = try await callStore(
            await store.endSession(
                session.id,
                of: session.accountID,
                isSignOut: true,
                audit: audit,
                now: now
            )
        )
        log("signed out", session)
    }

    /// A new session, with the mail about a new device.
    func opening(
        _ token: SessionToken,
        for client: ClientDescription,
        clientID: ClientID? = nil,
        way: String,
        now: Date
    ) throws(AccountsError) -> SessionOpening {
        let device = deviceName(client.device)
        return SessionOpening(
            newSession: NewSession(
                id: .make(at: now),
                tokenHash: token.hash,
                device: device,
                expiresAt: sessionEnd(createdAt: now, usedAt: now)
            ),
            previousTokenHash: client.previousSessionToken.flatMap { SessionToken($0) }?.hash,
            maximumSessionCount: configuration.maximumSessionsPerAccount,
            mail: try mail(.newSignIn, client: client, now: now),
            audit: auditContext(client, clientID: clientID, detail: way, now: now),
            now: now
        )
    }

    func deviceName(_ text: String) -> String {
        let clipped = DisplayText.clipped(
            text,
            maximumCharacterCount: configuration.maximumDeviceCharacterCount
        )
        return DisplayText.cleaned(clipped) ?? ""
    }

    func sessionEnd(createdAt: Date, usedAt: Date) -> Date {
        min(
            createdAt.addingTimeInterval(configuration.sessionAbsoluteLimit),
            usedAt.addingTimeInterval(configuration.sessionIdleLimit)
        )
    }

    /// Buffers a use of a session if the latest stored one is old enough; uses are saved in batches.
    private func noteUse(of session: Session, now: Date) {
        guard now.timeIntervalSince(session.lastUsedAt) >= configuration.sessionUseInterval else {
            return
        }
        let end = sessionEnd(createdAt: session.createdAt, usedAt: now)
        uses.add(SessionUse(session: session.id, lastUsedAt: now, expiresAt: end))
    }
}
