import AppleIdentity
import Foundation

extension SignInClient {
    /// Runs a task after checking that the user still uses the app.
    ///
    /// The method checks the credential state on the device, and on the server if the device does not know it. If the
    /// server cannot be reached either, the task runs only if the state was confirmed within the last 15 minutes. A
    /// revoked or unknown credential ends the session. A revocation while the task runs cancels it.
    ///
    /// - Parameters:
    ///   - requiresFreshSignIn: whether the user must sign in again first, with Apple's sheet or on the server's page. In
    ///     a session with a password, the call then throws `freshSignInRequired`.
    ///   - task: the task; it must end when it is cancelled.
    /// - Returns: the result of the task.
    /// - Throws: ``SignInKitError``: `revoked`, `transferred`, `anotherPerson` or `notSignedIn` if the user may not
    ///   continue, `canceled` and `freshSignInRequired` from the new sign-in, or a retryable kind. Or the error of the
    ///   task.
    public func performSecureTask<Result: Sendable>(
        requiresFreshSignIn: Bool = false,
        _ task: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await requireConfirmedPerson()
        if requiresFreshSignIn { try await requireFreshSignIn() }
        let account = profile?.id
        let states = states
        return try await withThrowingTaskGroup { group in
            group.addTask { try await task() }
            group.addTask {
                try await Self.waitForEnd(of: account, in: states)
                throw SignInKitError(.notSignedIn, hint: "the client was deallocated")
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    /// Lets the signed-in user sign in again: with Apple's sheet, or on the server's page in the browser.
    ///
    /// - Throws: ``SignInKitError``; `anotherPerson` if another user signed in, which changes nothing here,
    ///   `freshSignInRequired` if the session was opened with a password, or in a browser that the client does not have,
    ///   `canceled` from the sheet or page, `notSignedIn`.
    public func requireFreshSignIn() async throws(SignInKitError) {
        try await load()
        guard let session = sessionRecord.current else { throw SignInKitError(.notSignedIn) }
        switch session.way {
        case .apple:
            guard let user else { throw SignInKitError(.freshSignInRequired) }
            try await signInAgain(user)
        case .browser:
            guard let browser, let account = profile?.id else {
                throw SignInKitError(.freshSignInRequired)
            }
            _ = try await signIn(browser, expecting: account)
        case .password: throw SignInKitError(.freshSignInRequired)
        }
    }

    private func signInAgain(_ user: UserID) async throws(SignInKitError) {
        try await signingIn(isShown: false) { () async throws(SignInKitError) in
            let (credential, nonce) = try await self.askApple(expecting: user)
            guard credential.user == user else {
                await self.changeRegistrations { $0.addName(of: credential) }
                throw SignInKitError(.anotherPerson)
            }
            _ = try await self.register(credential, nonce: nonce)
        }
    }

    /// Returns when a state shows that the user may not continue.
    private static func waitForEnd(
        of account: String?,
        in states: AsyncStream<SignInState>
    ) async throws {
        for await state in states {
            switch state {
            case .signedIn(let person) where person.account.id == account: continue
            case .signingIn, .starting: continue
            case .needsAttention(let attention): throw SignInKitError(attention.kind)
            case .signedOut(let reason): throw SignInKitError(reason?.kind ?? .notSignedIn)
            case .signedIn: throw SignInKitError(.notSignedIn)
            }
        }
    }

    /// Throws unless the user is known to use the app.
    private func requireConfirmedPerson() async throws(SignInKitError) {
        try await load()
        guard let session = sessionRecord.current else {
            throw SignInKitError(signOutReason?.kind ?? .notSignedIn)
        }
        switch await checkCredential() {
        case .authorized: break
        case .revoked, .notFound: throw SignInKitError(.revoked)
        case .transferred: throw SignInKitError(.transferred)
        case .unknown(let reason):
            try require(session)
            do throws(SignInKitError) {
                try await requireRecentConfirmation(session, reason)
            } catch {
                try require(session)
                throw error
            }
        }
        try require(session)
    }

    /// Throws if the session ended meanwhile, which takes precedence over the response.
    private func require(_ session: SessionRecord.Session) throws(SignInKitError) {
        guard sessionRecord.current?.token != session.token else { return }
        throw SignInKitError(
            signOutReason?.kind ?? .notSignedIn,
            hint: "the session ended meanwhile"
        )
    }

    /// Asks the server, which may know more than the device; without a response, a recent confirmation is enough.
    private func requireRecentConfirmation(
        _ session: SessionRecord.Session,
        _ reason: String
    ) async throws(SignInKitError) {
        do throws(SignInKitError) {
            try await confirmAtServer(isApple: session.way == .apple)
        } catch {
            guard error.isRetryable else { throw error }
            let age = time.now.timeIntervalSince(session.confirmedAt)
            // A clock that was set back makes an age negative, which proves nothing.
            guard age >= 0, age <= SignInLimits.unconfirmedTime / .seconds(1) else {
                throw SignInKitError(
                    error.kind,
                    hint: "the state of the credential is unknown: \(reason)"
                )
            }
        }
    }

    private func confirmAtServer(isApple: Bool) async throws(SignInKitError) {
        guard isApple else {
            _ = try await refreshAccount()
            return
        }
        switch await conclude(try await withSession(.credentialState)) {
        case .authorized: break
        case .revoked, .notFound: throw SignInKitError(.revoked)
        case .transferred: throw SignInKitError(.transferred)
        case .unknown(let reason): throw SignInKitError(.unexpectedAnswer, hint: reason)
        }
    }
}

extension SignInKitError {
    /// Creates the error that explains a state to the user.
    ///
    /// - Parameter attention: what the user must do.
    public init(_ attention: Attention) { self.init(attention.kind) }
}

extension SignOutReason {
    /// The error of a call that needs a user.
    var kind: SignInKitError.Kind { self == .revoked ? .revoked : .notSignedIn }
}

extension Attention {
    /// The error of a call that needs a user who need not act first.
    var kind: SignInKitError.Kind {
        switch self {
        case .transferred: .transferred
        case .registrationPending: .registrationPending
        case .registrationUnsaved: .registrationUnsaved
        }
    }
}
