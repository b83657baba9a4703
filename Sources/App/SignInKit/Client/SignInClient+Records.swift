import AppleIdentity
import Foundation

/// The records, in memory and in the store.
extension SignInClient {
    /// Reads the records once; if the device is locked, the next call tries again.
    func load() async throws(SignInKitError) {
        guard !isLoaded else { return }
        let sessions = try await records.load(.session, as: SessionRecord.self)
        let user = try await records.load(.userIdentifier, as: UserID.self)
        let profile = try await records.load(.profile, as: AccountProfile.self)
        let pending = try await records.load(
            .pendingRegistration,
            as: PendingRegistrations.self
        )
        // Another call may have read the records while this one waited.
        guard !isLoaded else { return }
        storedSessions = sessions
        sessionRecord = sessions ?? SessionRecord()
        self.user = user
        self.profile = profile
        if let pending { registrations.adopt(pending) }
        isLoaded = true
        storeFailure = nil
        if signsOutWhenLoaded { await forgetUser() }
    }

    /// Loads the session that another process of the access group stored.
    ///
    /// - Returns: whether the session is another one, or none, since this client last read or wrote the record.
    @discardableResult
    func adoptSession() async -> Bool {
        let known = storedSessions
        let stored: SessionRecord?
        do throws(SignInKitError) {
            stored = try await records.load(.session, as: SessionRecord.self)
        } catch {
            return false
        }
        // What this client wrote meanwhile is newer than what it read.
        guard stored != storedSessions, storedSessions == known else { return false }
        storedSessions = stored
        let former = sessionRecord.current?.token
        sessionRecord.ended += stored?.ended.filter { !sessionRecord.ended.contains($0) } ?? []
        sessionRecord.skipsAsking = stored?.skipsAsking ?? false
        sessionRecord.current = stored?.current
        guard sessionRecord.current?.token != former else { return false }
        user = try? await records.load(.userIdentifier, as: UserID.self)
        profile = try? await records.load(.profile, as: AccountProfile.self)
        confirmedAt = nil
        isTransferred = false
        signOutReason = sessionRecord.skipsAsking ? .byUser : former.map { _ in .ended }
        publish()
        return true
    }

    /// Loads what another app of the access group has just stored, and confirms its session.
    func followSibling() async {
        if await adoptSession(), sessionRecord.current != nil { await start() }
    }

    /// Changes the session record, after taking over what another process stored.
    func changeSessions(_ change: (inout SessionRecord) -> Void) async {
        await adoptSession()
        change(&sessionRecord)
        await saveSessions()
    }

    func saveSessions() async {
        let written = sessionRecord
        guard (try? await records.save(written, as: .session)) != nil else { return }
        let isOther = storedSessions?.current?.token != written.current?.token
        storedSessions = written
        if isOther { news?.post() }
    }

    /// Changes the stored responses.
    func changeRegistrations(_ change: (inout PendingRegistrations) -> Void) async {
        change(&registrations)
        await saveRegistrations()
        if registrationsAreUnsaved { beginSaving() }
    }

    /// Writes the stored responses, and repeats it if they changed meanwhile.
    private func saveRegistrations() async {
        var written: PendingRegistrations?
        while written != registrations {
            let current = registrations
            do throws(SignInKitError) {
                let list = current.list.isEmpty ? nil : current
                try await records.save(list, as: .pendingRegistration)
                written = current
            } catch {
                registrationsAreUnsaved = true
                return
            }
        }
        registrationsAreUnsaved = false
    }

    /// Retries to store Apple's response while it is sent to the server.
    private func beginSaving() {
        guard saving == nil else { return }
        saving = Task { [weak self, time] in
            for attempt in 1...SignInLimits.followUpCount {
                let delay = Backoff.delay(afterAttempt: attempt, atLeastSeconds: 0)
                guard (try? await time.sleep(for: delay)) != nil else { return }
                guard await self?.saveAgain() == false else { break }
            }
            await self?.endSaving()
        }
    }

    /// - Returns: whether nothing is left to write.
    private func saveAgain() async -> Bool {
        guard registrationsAreUnsaved else { return true }
        await saveRegistrations()
        publish()
        return !registrationsAreUnsaved
    }

    private func endSaving() {
        saving = nil
    }

    /// Opens a session here, with all that belongs to it.
    func open(
        _ receipt: SessionResponse,
        by way: SessionRecord.Session.Way,
        user: UserID? = nil
    ) async {
        let session = SessionRecord.Session(
            token: receipt.token,
            way: way,
            confirmedAt: time.now,
            idleTime: receipt.expiresAt.timeIntervalSince(time.now),
            usedAt: time.now
        )
        self.user = user
        profile = receipt.account
        // The session is written last, because another process that finds it also reads the user.
        try? await records.save(user, as: .userIdentifier)
        try? await records.save(receipt.account, as: .profile)
        await changeSessions { sessionRecord in
            if let old = sessionRecord.current?.token, old != session.token {
                sessionRecord.end(old)
            }
            sessionRecord.current = session
            sessionRecord.skipsAsking = false
        }
        confirmedAt = time.now
        isTransferred = false
        signOutReason = nil
        signsOutWhenLoaded = false
    }

    /// Stores the account that the server just returned.
    func keep(_ account: AccountProfile) async -> SignedInPerson {
        let token = sessionRecord.current?.token
        let now = time.now
        await changeSessions {
            $0.current?.confirmedAt = now
            $0.current?.usedAt = now
        }
        if sessionRecord.current?.token == token {
            profile = account
            confirmedAt = now
            try? await records.save(account, as: .profile)
            publish()
        }
        return SignedInPerson(account: account, isConfirmed: true)
    }

    /// Forgets the session here.
    ///
    /// - Parameters:
    ///   - reason: the reason that the app shows to the user.
    ///   - isKnownToServer: whether the server ended it already.
    func forgetSession(_ reason: SignOutReason, isKnownToServer: Bool) async {
        let isByUser = reason == .byUser || reason == .deleted
        // What happened to the former session does not concern one that another process stored.
        if await adoptSession(), !isByUser, sessionRecord.current != nil { return }
        if isKnownToServer {
            sessionRecord.current = nil
        } else if let token = sessionRecord.current?.token {
            sessionRecord.end(token)
        }
        user = nil
        profile = nil
        confirmedAt = nil
        isTransferred = false
        // A user who signed out in another app of the access group knows why.
        signOutReason = !isByUser && sessionRecord.skipsAsking ? .byUser : reason
        if isByUser { sessionRecord.skipsAsking = true }
        publish()
        await saveSessions()
        try? await records.save(UserID?.none, as: .userIdentifier)
        try? await records.save(AccountProfile?.none, as: .profile)
    }

    /// Ends the sessions on the server that ended on the device.
    func endKeptSessions() async {
        for token in sessionRecord.ended {
            do throws(ServerFailure) {
                try await server.send(.signOut, token: token)
            } catch  where error.isRetryable {
                return note(error)
            } catch {
                // The server knows no such session: it has ended.
            }
            sessionRecord.ended.removeAll { $0 == token }
            await saveSessions()
        }
    }

    /// Stores the wait that the server requested.
    func note(_ failure: ServerFailure) {
        retryAfter = failure.problem?.retryAfter
    }

    /// Why the server knows the session no more.
    private var reasonOfEnd: SignOutReason {
        guard let session = sessionRecord.current, let usedAt = session.usedAt,
            let idleTime = session.idleTime
        else { return .ended }
        return time.now.timeIntervalSince(usedAt) >= idleTime ? .expired : .ended
    }

    /// Runs a call of the account with the session's token; a session that the server does not know ends here too.
    func withSession<Value: Sendable>(
        _ call: ServerCall<Value>
    ) async throws(SignInKitError) -> Value {
        try await load()
        let token = try keptToken()
        let account = profile?.id
        do throws(ServerFailure) {
            return try await server.send(call, token: token)
        } catch {
            let failure = SignInKitError(error)
            if case .refused(let problem) = error, problem.status == 401,
                failure.kind == .notSignedIn, sessionRecord.current?.token == token
            {
                await forgetSession(reasonOfEnd, isKnownToServer: true)
                // Another process may have signed the same user in again.
                if sessionRecord.current != nil, profile?.id == account {
                    return try await withSession(call)
                }
            }
            throw failure
        }
    }
}
