import AppleIdentity
import Foundation

extension SignInClient {
    /// Returns the session token for your own requests (`Authorization: Bearer`).
    ///
    /// The token gives full access to the account. Send it only to your own servers, and do not store or log it. It is
    /// the one on the device; the server is not asked. If it answers 401, call ``refreshAccount()``, which ends a session
    /// that the server has ended.
    ///
    /// - Returns: the session's token.
    /// - Throws: ``SignInKitError``; `notSignedIn` if no user is signed in, `credentialsLocked` if the device is locked.
    public func token() async throws(SignInKitError) -> String {
        try await load()
        return try keptToken()
    }

    /// Fetches the account from the server, and updates ``state``; concurrent calls share one request.
    ///
    /// - Returns: the user as the server knows them now.
    /// - Throws: ``SignInKitError``.
    public func refreshAccount() async throws(SignInKitError) -> SignedInPerson {
        try await refreshAccount(attemptCount: SignInLimits.attemptCount)
    }

    func refreshAccount(attemptCount: Int) async throws(SignInKitError) -> SignedInPerson {
        try await load()
        let session = try keptToken()
        if let refreshing, refreshing.sessionToken == session {
            return try await refreshing.task.value.get()
        }
        let task = Task { await fetchAccount(attemptCount: attemptCount, session) }
        refreshing = SharedRequest(sessionToken: session, task: task)
        return try await task.value.get()
    }

    private func fetchAccount(
        attemptCount: Int,
        _ session: String
    ) async -> Result<SignedInPerson, SignInKitError> {
        defer { if refreshing?.sessionToken == session { refreshing = nil } }
        do throws(SignInKitError) {
            return .success(try await keepingAccount(.account(attemptCount: attemptCount)))
        } catch {
            return .failure(error)
        }
    }

    /// Sets the display name, and removes the given and the family name.
    ///
    /// - Parameter name: the new name, at most 200 characters; nil removes it.
    /// - Returns: the user with the name.
    /// - Throws: ``SignInKitError``; `refused(code:)` such as `name_too_long` or `name_empty`.
    public func rename(to name: String?) async throws(SignInKitError) -> SignedInPerson {
        try await keepingAccount(.rename(to: name))
    }

    /// Sets the given and the family name.
    ///
    /// The server derives the display name from them.
    ///
    /// - Parameter name: the parts, together at most 200 characters; without any, the name is removed.
    /// - Returns: the user with the name.
    /// - Throws: ``SignInKitError``; `refused(code:)` such as `name_too_long` or `name_empty`.
    public func rename(to name: PersonName) async throws(SignInKitError) -> SignedInPerson {
        try await keepingAccount(.rename(to: name))
    }

    /// Lists the account's sessions.
    ///
    /// - Returns: the sessions, on this and other devices.
    /// - Throws: ``SignInKitError``.
    public func sessions() async throws(SignInKitError) -> [SessionSummary] {
        try await withSession(.sessions)
    }

    /// Ends one session.
    ///
    /// - Parameter id: the session's identifier: ``SessionSummary/id``.
    /// - Throws: ``SignInKitError``.
    public func endSession(_ id: String) async throws(SignInKitError) {
        try await withSession(.endSession(id))
    }

    /// Ends all sessions but this device's.
    ///
    /// - Throws: ``SignInKitError``.
    public func endOtherSessions() async throws(SignInKitError) {
        try await withSession(.endOtherSessions)
    }

    /// Changes the password, or sets the first one.
    ///
    /// If the server requires a recent sign-in, Apple's sheet or the server's page appears first.
    ///
    /// - Parameters:
    ///   - current: the current password; nil if the account has none.
    ///   - new: the new password.
    ///   - username: the username, which the first password needs.
    /// - Throws: ``SignInKitError``; `freshSignInRequired` in a session with a password, `canceled` and
    ///   `anotherPerson` from the sheet, `refused(code:)` such as `password_too_short`.
    public func changePassword(
        current: String?,
        new: String,
        username: String? = nil
    ) async throws(SignInKitError) {
        _ = try await freshlySignedIn { () async throws(SignInKitError) in
            try await self.keepingAccount(
                .changePassword(current: current, new: new, username: username)
            )
        }
    }

    /// Changes the email address: the server sends a link to the new one, which the user opens to confirm it.
    ///
    /// Until then the new address is ``AccountProfile/pendingEmail``. Repeat the call to send the link again. If the
    /// server requires a recent sign-in, Apple's sheet or the server's page appears first.
    ///
    /// - Parameter address: the new address.
    /// - Returns: the user with the pending address.
    /// - Throws: ``SignInKitError``; `freshSignInRequired` in a session with a password, `canceled` and
    ///   `anotherPerson` from the sheet, `refused(code:)` such as `email_invalid` or `mail_unavailable`.
    public func changeEmail(to address: String) async throws(SignInKitError) -> SignedInPerson {
        try await freshlySignedIn { () async throws(SignInKitError) in
            try await self.keepingAccount(.changeEmail(to: address))
        }
    }

    /// Drops the pending email address, and its link.
    ///
    /// - Returns: the user without the pending address.
    /// - Throws: ``SignInKitError``.
    public func cancelEmailChange() async throws(SignInKitError) -> SignedInPerson {
        try await withSession(.cancelEmailChange)
        return try await refreshAccount()
    }

    /// Asks the server to send a link with which the user sets another password, on the server's page.
    ///
    /// The server does not reveal whether the account exists and has a confirmed email address.
    ///
    /// - Parameter username: the username, or the account's email address.
    /// - Throws: ``SignInKitError``; `refused(code: "mail_unavailable")`, `serverUnavailable` after too many requests.
    public func requestPasswordReset(for username: String) async throws(SignInKitError) {
        do throws(ServerFailure) {
            try await server.send(.requestPasswordReset(for: username))
        } catch {
            throw SignInKitError(error)
        }
    }

    /// Links the user's Apple Account to the current account.
    ///
    /// - Returns: the user with the link.
    /// - Throws: ``SignInKitError``: `canceled`; `freshSignInRequired` if the last sign-in is too old;
    ///   `refused(code:)` if the Apple Account belongs to another account.
    public func linkApple() async throws(SignInKitError) -> SignedInPerson {
        try await signingIn(isShown: false) { () async throws(SignInKitError) in
            _ = try self.keptToken()
            let (credential, nonce) = try await self.askApple(expecting: nil)
            return try await self.link(credential, nonce: nonce)
        }
    }

    /// Sends the name too; if the call fails, the name is stored for the next sign-in.
    private func link(
        _ credential: AppleCredential,
        nonce: String
    ) async throws(SignInKitError) -> SignedInPerson {
        await changeRegistrations { $0.addName(of: credential) }
        let registration = PendingRegistration(
            user: credential.user,
            name: registrations.name(of: credential.user),
            credential: credential,
            nonce: nonce
        )
        let person = try await keepingAccount(.linkApple(registration))
        await changeRegistrations { $0.remove(registration) }
        return person
    }

    /// Unlinks the Apple Account.
    ///
    /// The account must have a password. If the server requires a recent sign-in, Apple's sheet or the server's page
    /// appears first.
    ///
    /// - Returns: the user without the link.
    /// - Throws: ``SignInKitError``; `refused(code: "last_way_in")` if the account has no password,
    ///   `freshSignInRequired` in a session with a password, `canceled` and `anotherPerson` from the
    ///   sheet.
    public func unlinkApple() async throws(SignInKitError) -> SignedInPerson {
        let person = try await freshlySignedIn { () async throws(SignInKitError) in
            try await self.keepingAccount(.unlinkApple)
        }
        // From here on the device reports "revoked", while the session is still valid.
        user = nil
        try? await records.save(UserID?.none, as: .userIdentifier)
        return person
    }

    /// Deletes the account.
    ///
    /// If the server requires a recent sign-in, Apple's sheet or the server's page appears first. The server then
    /// also revokes the app's access at Apple, except if ``AccountProfile/appleLinkRemains`` is true.
    ///
    /// - Throws: ``SignInKitError``; `freshSignInRequired` in a session with a password, `canceled` and
    ///   `anotherPerson` from the sheet.
    public func deleteAccount() async throws(SignInKitError) {
        try await freshlySignedIn { () async throws(SignInKitError) in
            try await self.withSession(.deleteAccount)
        }
        let person = user
        await changeRegistrations { if let person { $0.remove(person) } }
        await forgetSession(.deleted, isKnownToServer: true)
    }

    /// Runs a call that answers with the account.
    private func keepingAccount(
        _ call: ServerCall<AccountProfile>
    ) async throws(SignInKitError) -> SignedInPerson {
        let asking = sessionRecord.current?.token
        let account = try await withSession(call)
        guard asking == nil || sessionRecord.current?.token == asking || profile?.id == account.id
        else {
            throw SignInKitError(.notSignedIn, hint: "another user signed in meanwhile")
        }
        return await keep(account)
    }

    /// Repeats a call after a new sign-in with Apple or in the browser, if the server requires one.
    private func freshlySignedIn<Value: Sendable>(
        _ call: () async throws(SignInKitError) -> Value
    ) async throws(SignInKitError) -> Value {
        do throws(SignInKitError) {
            return try await call()
        } catch {
            guard error.kind == .freshSignInRequired else { throw error }
        }
        try await requireFreshSignIn()
        return try await call()
    }
}
