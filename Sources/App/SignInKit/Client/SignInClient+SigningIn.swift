import AppleIdentity
import Foundation

extension SignInClient {
    /// Shows Apple's sheet, and signs the user in at the server.
    ///
    /// Apple's response is stored before it is sent to the server, because Apple sends the name only once. If the server
    /// is unreachable, the response is sent again later, and the call throws
    /// ``SignInKitError/Kind/registrationPending``. The store is checked before the sheet opens. If the store fails
    /// later, the client retries the store and the server up to 12 times, for about a quarter of an hour, and again at
    /// the next ``start()`` or sign-in.
    ///
    /// - Returns: the user as the server confirmed them.
    /// - Throws: ``SignInKitError``; `canceled` if the user closed the sheet.
    public func signInWithApple() async throws(SignInKitError) -> SignedInPerson {
        try await signingIn { () async throws(SignInKitError) in
            let credential = try await self.askApple(expecting: nil)
            return try await self.register(credential.credential, nonce: credential.nonce)
        }
    }

    /// Offers a credential that the device has stored: an Apple Account or a password.
    ///
    /// Call it at launch, after ``start()``, if no user is signed in.
    ///
    /// It shows nothing if nothing is stored. After the user dismissed the sheet or signed out, the next call returns
    /// nil without a sheet.
    ///
    /// - Returns: the credential that the user chose; nil if none is stored, the user dismissed the sheet, a user is
    ///   signed in, or a sign-in waits for the server.
    /// - Throws: ``SignInKitError``.
    public func findExistingCredential() async throws(SignInKitError) -> ExistingCredential? {
        try await load()
        guard sessionRecord.current == nil, registrations.next == nil else { return nil }
        guard !sessionRecord.skipsAsking else {
            await changeSessions { $0.skipsAsking = false }
            return nil
        }
        do throws(SignInKitError) {
            return try await signingIn { () async throws(SignInKitError) in
                try await self.askForExisting()
            }
        } catch {
            switch error.kind {
            case .canceled: if !Task.isCancelled { await changeSessions { $0.skipsAsking = true } }
            // Most likely nothing was shown, so the next launch tries again.
            case .noCredential, .unknown: break
            default: throw error
            }
            return nil
        }
    }

    private func askForExisting() async throws(SignInKitError) -> ExistingCredential {
        let question = await question(methods: [.apple, .password], isQuiet: true, user: nil)
        switch try await ask(question.request) {
        case .password(let password): return .password(password)
        case .apple(let credential):
            try check(credential, for: question.request)
            return .signedIn(try await register(credential, nonce: question.nonce))
        }
    }

    /// Fetches what the server offers at the sign-in: the methods, the team's logo and links.
    ///
    /// - Returns: the offer.
    /// - Throws: ``SignInKitError``.
    public func signInOffer() async throws(SignInKitError) -> SignInOffer {
        do throws(ServerFailure) {
            return try await server.send(.signInOffer)
        } catch {
            throw SignInKitError(error)
        }
    }

    /// Signs in with a username and a password.
    ///
    /// - Parameters:
    ///   - username: the username.
    ///   - password: the password.
    /// - Returns: the user.
    /// - Throws: ``SignInKitError``; `refused(code: "credentials_invalid")` if the username or the password is wrong,
    ///   `refused(code: "too_many_attempts")`, `serverUnreachable`.
    public func signIn(
        username: String,
        password: String
    ) async throws(SignInKitError) -> SignedInPerson {
        try await openWithPassword(.signIn(username: username, password: password))
    }

    /// Creates an account with a username and a password.
    ///
    /// - Parameters:
    ///   - username: the username.
    ///   - password: the password.
    ///   - name: the user's name; nil if unknown.
    /// - Returns: the user.
    /// - Throws: ``SignInKitError``; `refused(code:)` such as `username_taken`, `username_invalid` or
    ///   `password_too_short`.
    public func createAccount(
        username: String,
        password: String,
        name: String?
    ) async throws(SignInKitError) -> SignedInPerson {
        try await openWithPassword(
            .createAccount(username: username, password: password, name: name)
        )
    }

    /// Signs the user out.
    ///
    /// The session ends on the device at once, and on the server when it is reachable. If the store is locked, it ends as
    /// soon as the store can be read, unless the app ends before; the state says `signedOut` meanwhile.
    public func signOut() async { _ = try? await endHere() }

    /// - Throws: `credentialsLocked` or `credentialsUnavailable` if the session ends later.
    func endHere() async throws(SignInKitError) {
        let isKnown = isLoaded
        signsOutWhenLoaded = !isKnown
        do throws(SignInKitError) {
            try await load()
        } catch {
            signOutReason = .byUser
            publish()
            beginFollowUp()
            throw error
        }
        if isKnown { await forgetUser() }
        Task { [weak self] in
            await self?.endKeptSessions()
            await self?.beginFollowUp()
        }
    }

    /// Ends the session on the device, and a sign-in that was not sent yet.
    func forgetUser() async {
        signsOutWhenLoaded = false
        await changeRegistrations { $0.expireAll() }
        await forgetSession(.byUser, isKnownToServer: false)
    }

    private func openWithPassword(
        _ call: ServerCall<SessionResponse>
    ) async throws(SignInKitError) -> SignedInPerson {
        try await signingIn { () async throws(SignInKitError) in
            try await self.open(by: .password, call)
        }
    }

    /// Opens the session that the server returns, and ends the previous one; ends a session of an unexpected account.
    func open(
        by way: SessionRecord.Session.Way,
        _ call: ServerCall<SessionResponse>,
        expecting account: String? = nil
    ) async throws(SignInKitError) -> SignedInPerson {
        let receipt: SessionResponse
        do throws(ServerFailure) {
            receipt = try await server.send(call)
        } catch {
            throw SignInKitError(error)
        }
        if let account, receipt.account.id != account || profile?.id != account {
            await changeSessions { $0.end(receipt.token) }
            await endKeptSessions()
            // The user may have signed out while the page was open.
            throw SignInKitError(profile?.id == account ? .anotherPerson : .canceled)
        }
        await open(receipt, by: way)
        await endKeptSessions()
        beginFollowUp()
        return SignedInPerson(account: receipt.account, isConfirmed: true)
    }

    /// Runs one sign-in at a time, and publishes the state before and after it.
    func signingIn<Value: Sendable>(
        isShown: Bool = true,
        _ body: () async throws(SignInKitError) -> Value
    ) async throws(SignInKitError) -> Value {
        guard !isSigningIn else { throw SignInKitError(.alreadySigningIn) }
        isSigningIn = true
        showsSigningIn = isShown
        defer {
            isSigningIn = false
            showsSigningIn = false
            publish()
            for waiting in waitingForSignIn { waiting.resume() }
            waitingForSignIn = []
        }
        try await load()
        // A locked store must be noticed before a session is opened.
        _ = try await records.load(.pendingRegistration, as: PendingRegistrations.self)
        publish()
        listen()
        return try await body()
    }
}
