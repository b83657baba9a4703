import AppleIdentity
import Foundation

extension SignInClient {
    /// Restores the session at launch.
    ///
    /// It shows no sheet and can be called repeatedly.
    ///
    /// It sends pending responses to the server, checks the credential state, and validates the session. Without a
    /// network, the user is signed in with ``SignedInPerson/isConfirmed`` false.
    public func start() async {
        if let starting { return await starting.value }
        let task = Task {
            await begin()
            starting = nil
        }
        starting = task
        await task.value
    }

    private func begin() async {
        guard (try? await load()) != nil else { return publish() }
        await adoptSession()
        listen()
        if registrationsAreUnsaved { await changeRegistrations { _ in } }
        if registrations.next != nil { _ = try? await register() }
        if sessionRecord.current != nil {
            switch await checkCredential() {
            case .revoked, .notFound: break
            case .authorized, .transferred, .unknown:
                publish()
                await confirm()
            }
        }
        await endKeptSessions()
        publish()
        beginFollowUp()
    }

    /// Validates the session at the server once, in the background.
    private func confirm() async {
        let account = try? await withSession(.account(attemptCount: 1))
        if let account, sessionRecord.current != nil { _ = await keep(account) }
    }

    /// Looks at the state of the credential, and draws the conclusions.
    func checkCredential() async -> CredentialState {
        guard let user else { return .unknown("the session has no Apple credential") }
        let state = await credentialState(of: user)
        guard self.user == user else { return .unknown("another user signed in meanwhile") }
        return await conclude(state)
    }

    private func credentialState(of user: UserID) async -> CredentialState {
        let state = await authorization.credentialState(of: user)
        // A device without an Apple Account also reports `notFound`; the server knows whether the consent has ended.
        return state == .notFound ? await credentialStateAtServer() : state
    }

    private func credentialStateAtServer() async -> CredentialState {
        do throws(SignInKitError) {
            return try await withSession(.credentialState)
        } catch {
            return .unknown("not found on the device; the server returned \(error.code)")
        }
    }

    /// Does what follows from a state.
    func conclude(_ state: CredentialState) async -> CredentialState {
        switch state {
        case .revoked, .notFound:
            await forgetSession(.revoked, isKnownToServer: false)
            beginFollowUp()
        case .transferred:
            attention = .transferred
            publish()
        case .authorized:
            sessionRecord.current?.confirmedAt = time.now
            if attention == .transferred {
                attention = nil
                publish()
            }
        case .unknown: break
        }
        return state
    }

    /// Whether something is left that only the server can finish.
    private var hasOpenWork: Bool {
        registrations.next != nil || !sessionRecord.ended.isEmpty
            || (sessionRecord.current != nil && !isConfirmed)
    }

    /// Retries pending work in the background, with waits that double.
    func beginFollowUp() {
        guard followUp == nil, hasOpenWork else { return }
        followUp = Task { [weak self, time] in
            for attempt in 1...SignInLimits.followUpCount {
                guard let seconds = await self?.secondsToWait() else { return }
                let delay = Backoff.delay(afterAttempt: attempt, atLeastSeconds: seconds)
                guard (try? await time.sleep(for: delay)) != nil else { return }
                guard await self?.finishOpenWork() == false else { break }
            }
            await self?.endFollowUp()
        }
    }

    private func secondsToWait() -> Int {
        defer { retryAfter = nil }
        return retryAfter ?? 0
    }

    /// - Returns: whether nothing is left.
    private func finishOpenWork() async -> Bool {
        guard (try? await load()) != nil else { return false }
        if registrations.next != nil { _ = try? await register() }
        if sessionRecord.current != nil, !isConfirmed { await confirm() }
        await endKeptSessions()
        return !hasOpenWork
    }

    private func endFollowUp() {
        followUp = nil
    }
}
