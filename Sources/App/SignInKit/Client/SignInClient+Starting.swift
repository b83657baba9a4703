import AppleIdentity
import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

extension SignInClient {
    /// Restores the session at launch.
    ///
    /// It shows no sheet and can be called repeatedly.
    ///
    /// The state is published as soon as the records are read and the device has said whether the user still uses the
    /// app, or after a second. Then the method sends pending responses to the server and validates the session. Without
    /// a network, the user is signed in with ``SignedInPerson/isConfirmed`` false. If the device is locked, the state
    /// stays ``SignInState/starting``; the client tries again when the device is unlocked.
    public func start() async { await start(isActivation: false) }

    /// Does the same; when the app only returned to the screen, the server is asked once a minute at most.
    func start(isActivation: Bool) async {
        if let starting { return await starting.value }
        let task = Task {
            await restore()
            await askServer(isActivation: isActivation)
            starting = nil
        }
        starting = task
        await task.value
    }

    /// Publishes what the records and the device say, without the server.
    func restore() async {
        if let restoring { return await restoring.value }
        let task = Task { await readRecordsAndDevice() }
        restoring = task
        await task.value
    }

    private func readRecordsAndDevice() async {
        listen()
        isAwaitingDevice = state == .starting
        do throws(SignInKitError) {
            try await load()
        } catch {
            storeFailure = error
        }
        mustStartAgain = !isLoaded
        if isLoaded {
            await adoptSession()
            await askDevice()
        }
        isAwaitingDevice = false
        publish()
    }

    /// Waits a second at most for the device, before anything of a user is shown who may have stopped using the app.
    private func askDevice() async {
        guard let user else { return }
        let token = sessionRecord.current?.token
        let asking = Task { [authorization] in await authorization.credentialState(of: user) }
        let answer = await asking.value(within: SignInLimits.deviceTime, time)
        guard let answer else {
            Task { [weak self] in _ = await self?.settle(await asking.value, token) }
            return
        }
        guard sessionRecord.current?.token == token else { return }
        isUnknownToDevice = answer == .notFound
        if !isUnknownToDevice { _ = await conclude(answer) }
    }

    private func askServer(isActivation: Bool) async {
        restoring = nil
        guard isLoaded else { return beginFollowUp() }
        if registrationsAreUnsaved { await changeRegistrations { _ in } }
        if registrations.next != nil { _ = try? await register() }
        if sessionRecord.current != nil, !isActivation || !wasJustConfirmed { await confirm() }
        if isUnknownToDevice { _ = await settle(.notFound, sessionRecord.current?.token) }
        isUnknownToDevice = false
        await endKeptSessions()
        publish()
        beginFollowUp()
    }

    private var wasJustConfirmed: Bool {
        let age = confirmedAt.map { time.now.timeIntervalSince($0) } ?? -1
        return age >= 0 && age < SignInLimits.activationTime / .seconds(1)
    }

    /// Validates the session at the server once, in the background.
    private func confirm() async { _ = try? await refreshAccount(attemptCount: 1) }

    /// Looks at the state of the credential, and draws the conclusions.
    func checkCredential() async -> CredentialState {
        guard let user else { return .unknown("the session has no Apple credential") }
        let token = sessionRecord.current?.token
        return await settle(await authorization.credentialState(of: user), token)
    }

    /// Draws the conclusions from the device's answer about the user of a session.
    private func settle(_ state: CredentialState, _ token: String?) async -> CredentialState {
        var state = state
        // A device without an Apple Account also reports `notFound`; the server knows whether the consent has ended.
        if state == .notFound, sessionRecord.current?.token == token {
            state = await credentialStateAtServer()
        }
        guard sessionRecord.current?.token == token else {
            return .unknown("another session began meanwhile")
        }
        return await conclude(state)
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
            isTransferred = true
            publish()
        case .authorized:
            sessionRecord.current?.confirmedAt = time.now
            isTransferred = false
            publish()
        case .unknown: break
        }
        return state
    }

    /// Whether something is left that only the server can finish.
    private var hasOpenWork: Bool {
        mustStartAgain || signsOutWhenLoaded || registrations.next != nil
            || !sessionRecord.ended.isEmpty
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
        if mustStartAgain || !isLoaded {
            await start()
            return !hasOpenWork
        }
        if registrations.next != nil { _ = try? await register() }
        if sessionRecord.current != nil, !isConfirmed { await confirm() }
        await endKeptSessions()
        return !hasOpenWork
    }

    private func endFollowUp() {
        followUp = nil
    }
}

extension Task where Failure == Never {
    /// The value; nil if it takes longer than a time.
    fileprivate func value(within limit: Duration, _ time: TimeSource) async -> Success? {
        let (values, continuation) = AsyncStream.makeStream(of: Success?.self)
        let timer = Task<Void, Never> {
            if (try? await time.sleep(for: limit)) != nil { continuation.yield(nil) }
        }
        Task<Void, Never> { continuation.yield(await value) }
        defer { timer.cancel() }
        return await values.first { _ in true } ?? nil
    }
}

extension Notification.Name {
    /// The notifications after which a store that was locked may be readable.
    static var storeMayBeReadable: [Notification.Name] {
        #if canImport(UIKit) && !os(watchOS)
            [
                UIApplication.protectedDataDidBecomeAvailableNotification,
                UIApplication.willEnterForegroundNotification,
            ]
        #elseif canImport(AppKit)
            [NSApplication.didBecomeActiveNotification]
        #else
            [Notification.Name("SignInKit.storeMayBeReadable")]
        #endif
    }
}
