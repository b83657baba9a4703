import AppleIdentity
import CoreMetrics
import Foundation
import Logging

extension AccountsService {
    /// Finds out who is asking, in memory first and then in the store; returns the live session, as it was before
    /// this use, and its account; throws `session_invalid` when there is none.
    package func authenticate(_ token: String) async throws(AccountsError) -> SignedInSession {
        guard let hash = SessionToken(token)?.hash else { throw .sessionInvalid }
        if let remembered = rememberedSession(tokenHash: hash) { return remembered }
        measures.lookedUpSessions.increment()
        let now = now
        let found = try await asking(await store.session(tokenHash: hash, now: now))
        guard let found else { throw .sessionInvalid }
        noteUse(of: found.session, now: now)
        return found
    }

    /// Finds out who is asking, as far as the store has the live session in memory.
    package func rememberedSession(tokenHash: SecretHash) -> SignedInSession? {
        let now = now
        guard let found = store.rememberedSession(tokenHash: tokenHash),
            found.session.expiresAt > now
        else { return nil }
        measures.rememberedSessions.increment()
        noteUse(of: found.session, now: now)
        return found
    }

    /// Lists the sessions of the one who asks, the latest used first.
    package func sessions(of session: Session) async throws(AccountsError) -> [Session] {
        try await asking(await store.sessions(of: session.accountID, now: now))
    }

    /// Ends one session of the account that asks; throws `session_not_found` when the account has none of that name.
    package func endSession(
        _ id: SessionID,
        askedBy session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) {
        let now = now
        let audit = auditContext(client, now: now)
        let isEnded = try await asking(
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

    /// Ends all sessions of the account but the one that asks; returns how many ended.
    @discardableResult
    package func endOtherSessions(
        than session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) -> Int {
        let now = now
        let audit = auditContext(client, now: now)
        let count = try await asking(
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

    /// Ends the session that asks; one that has ended already is no error.
    package func signOut(
        _ session: Session,
        client: ClientDescription = ClientDescription()
    ) async throws(AccountsError) {
        let now = now
        let audit = auditContext(client, detail: AuditAction.signOut.rawValue, now: now)
        _ = try await asking(
            await store.endSession(session.id, of: session.accountID, audit: audit, now: now)
        )
        log("signed out", session)
    }

    func sessionEnd(createdAt: Date, usedAt: Date) -> Date {
        min(
            createdAt.addingTimeInterval(configuration.sessionAbsoluteLimit),
            usedAt.addingTimeInterval(configuration.sessionIdleLimit)
        )
    }

    /// A use is worth a write once in a while, and is written together with others later.
    private func noteUse(of session: Session, now: Date) {
        guard now.timeIntervalSince(session.lastUsedAt) >= configuration.sessionUseInterval else {
            return
        }
        let end = sessionEnd(createdAt: session.createdAt, usedAt: now)
        uses.add(SessionUse(session: session.id, lastUsedAt: now, expiresAt: end))
    }
}
