import AppleIdentity
import Foundation

/// The account and its sessions.
extension SignInClient {
    /// Gives the session's token, for requests of the app's own: `Authorization: Bearer`.
    ///
    /// It opens everything that the person may do, so send it to your own servers alone, never store or log it, and ask for it before
    /// each use. The server is asked whether the session is good when it was not heard from for a quarter of an hour.
    ///
    /// - Returns: the token of a session that is good now, as far as the server said in the last quarter of an hour.
    /// - Throws: ``SignInKitError``; not signed in when the session has ended, and retryable ones when the server can't be asked.
    public func token() async throws(SignInKitError) -> String {
        try await load()
        let age = confirmedAt.map { time.now.timeIntervalSince($0) } ?? -1
        // A clock that was set back makes an age negative, which proves nothing.
        if age < 0 || age > SignInLimits.unconfirmedTime / .seconds(1) {
            _ = try await refreshAccount()
        }
        return try keptToken()
    }

    /// Asks the server for the account.
    ///
    /// - Returns: the person as the server knows them now.
    /// - Throws: ``SignInKitError``.
    public func refreshAccount() async throws(SignInKitError) -> SignedInPerson {
        let server = server
        return try await keepingAccount { token throws(ServerFailure) in
            try await server.account(token)
        }
    }

    /// Changes the name as a whole: the server keeps it as it is written, and no parts of it.
    ///
    /// - Parameter name: the new name; nil removes it.
    /// - Returns: the person with the name.
    /// - Throws: ``SignInKitError``.
    public func rename(to name: String?) async throws(SignInKitError) -> SignedInPerson {
        let server = server
        return try await keepingAccount { token throws(ServerFailure) in
            try await server.rename(to: name, token)
        }
    }

    /// Changes the name in its parts, which the server joins as the script of the name wants it.
    ///
    /// - Parameter name: the parts; without any, the name is removed.
    /// - Returns: the person with the name.
    /// - Throws: ``SignInKitError``.
    public func rename(to name: PersonName) async throws(SignInKitError) -> SignedInPerson {
        let server = server
        return try await keepingAccount { token throws(ServerFailure) in
            try await server.rename(to: name, token)
        }
    }

    /// Lists the account's sessions.
    ///
    /// - Returns: the sessions, on this and other devices.
    /// - Throws: ``SignInKitError``.
    public func sessions() async throws(SignInKitError) -> [SessionSummary] {
        let server = server
        return try await withSession { token throws(ServerFailure) in
            try await server.sessions(token)
        }
    }

    /// Ends one session.
    ///
    /// - Parameter id: the session's identifier: ``SessionSummary/id``.
    /// - Throws: ``SignInKitError``.
    public func endSession(_ id: String) async throws(SignInKitError) {
        let server = server
        try await withSession { token throws(ServerFailure) in
            try await server.endSession(id, token)
        }
    }

    /// Ends all sessions but this device's.
    ///
    /// - Throws: ``SignInKitError``.
    public func endOtherSessions() async throws(SignInKitError) {
        let server = server
        try await withSession { token throws(ServerFailure) in
            try await server.endOtherSessions(token)
        }
    }

    /// Changes the password, or sets the first one.
    ///
    /// - Parameters:
    ///   - current: the password so far; nil when there is none.
    ///   - new: the new password.
    ///   - username: the username, which the first password needs.
    /// - Throws: ``SignInKitError``; fresh sign-in required for a first password long after the sign-in.
    public func changePassword(
        current: String?,
        new: String,
        username: String? = nil
    ) async throws(SignInKitError) {
        let server = server
        let change = PasswordChange(username: username, current: current, new: new)
        _ = try await freshlySignedIn { () async throws(SignInKitError) in
            try await self.keepingAccount { token throws(ServerFailure) in
                try await server.changePassword(change, token)
            }
        }
    }

    /// Shows Apple's sheet, and makes it another way into the account that is signed in.
    ///
    /// - Returns: the person with the link.
    /// - Throws: ``SignInKitError``; fresh sign-in required long after the sign-in.
    public func linkApple() async throws(SignInKitError) -> SignedInPerson {
        try await signingIn(isShown: false) { () async throws(SignInKitError) in
            _ = try self.keptToken()
            let (credential, nonce) = try await self.askApple(expecting: nil)
            return try await self.link(credential, nonce: nonce)
        }
    }

    /// The name goes along, or is kept for the next time.
    private func link(
        _ credential: AppleCredential,
        nonce: String
    ) async throws(SignInKitError) -> SignedInPerson {
        let server = server
        await changeRegistrations { $0.addName(of: credential) }
        let registration = PendingRegistration(
            user: credential.user,
            name: registrations.name(of: credential.user),
            credential: credential,
            nonce: nonce
        )
        let person = try await keepingAccount { token throws(ServerFailure) in
            try await server.linkApple(registration, token)
        }
        await changeRegistrations { $0.remove(credential.user) }
        return person
    }

    /// Takes Apple away as a way in; the account needs a password then.
    ///
    /// - Returns: the person without the link.
    /// - Throws: ``SignInKitError``.
    public func unlinkApple() async throws(SignInKitError) -> SignedInPerson {
        let server = server
        let person = try await freshlySignedIn { () async throws(SignInKitError) in
            try await self.keepingAccount { token throws(ServerFailure) in
                try await server.unlinkApple(token)
            }
        }
        // The device says "revoked" from here on, and the session is good all the same.
        user = nil
        try? await records.save(UserID?.none, as: .userIdentifier)
        return person
    }

    /// Deletes the account, after a fresh sign-in when the last one is old.
    ///
    /// A fresh sign-in with Apple also gives the server the code with which it revokes what Apple granted.
    ///
    /// - Throws: ``SignInKitError``; fresh sign-in required when the person has to type their password first.
    public func deleteAccount() async throws(SignInKitError) {
        let server = server
        try await freshlySignedIn { () async throws(SignInKitError) in
            try await self.withSession { token throws(ServerFailure) in
                try await server.deleteAccount(token)
            }
        }
        let person = user
        await changeRegistrations { if let person { $0.remove(person) } }
        await forgetSession(nil, isKnownToServer: true)
    }

    /// Runs a call that answers with the account.
    private func keepingAccount(
        _ call: @Sendable (String) async throws(ServerFailure) -> AccountProfile
    ) async throws(SignInKitError) -> SignedInPerson {
        let asking = kept.current?.token
        let account = try await withSession(call)
        guard asking == nil || kept.current?.token == asking else {
            throw SignInKitError(.notSignedIn, hint: "somebody else signed in meanwhile")
        }
        return await keep(account)
    }

    /// Repeats a call after a fresh sign-in with Apple, when the server asks for one.
    private func freshlySignedIn<Value: Sendable>(
        _ call: () async throws(SignInKitError) -> Value
    ) async throws(SignInKitError) -> Value {
        do throws(SignInKitError) {
            return try await call()
        } catch {
            guard error.kind == .freshSignInRequired, kept.current?.way == .apple else {
                throw error
            }
        }
        try await requireFreshSignIn()
        return try await call()
    }
}
