import SignInKit

extension JuiceModel {
    /// Shows the result of the sign-in.
    public func showResult() { go(to: .result) }

    /// Shows the account, and fetches it from the server.
    public func showAccount() async {
        go(to: .account)
        await perform { () async throws(SignInKitError) in
            _ = try await client.refreshAccount()
        }
    }

    /// Shows the form for the name.
    public func showName() { go(to: .name) }

    /// Shows the form for the password.
    public func showPassword() { go(to: .password) }

    /// Shows the effect of a deletion, before it is confirmed.
    public func showDeletion() { go(to: .deletion) }

    /// Shows the secure task.
    public func showSecureTask() {
        secureTaskResult = nil
        go(to: .secureTask)
    }

    /// Shows the sessions, and fetches them from the server.
    public func showSessions() async {
        go(to: .sessions)
        await perform { () async throws(SignInKitError) in try await loadSessions() }
    }

    /// Changes the display name; the server rejects an empty one.
    ///
    /// - Parameter name: the new name.
    public func rename(to name: String) async {
        await perform(saying: JuiceTexts.nameSaved) { () async throws(SignInKitError) in
            _ = try await client.rename(to: name)
            place = .account
        }
    }

    /// Ends a session of the list.
    ///
    /// - Parameter id: the session's identifier.
    public func endSession(_ id: String) async {
        await perform(saying: JuiceTexts.sessionEnded) { () async throws(SignInKitError) in
            try await client.endSession(id)
            try await loadSessions()
        }
    }

    /// Ends all sessions but this one.
    public func endOtherSessions() async {
        await perform(saying: JuiceTexts.otherSessionsEnded) { () async throws(SignInKitError) in
            try await client.endOtherSessions()
            try await loadSessions()
        }
    }

    /// Links the Apple Account of the device.
    public func linkApple() async {
        await perform(saying: JuiceTexts.appleLinked) { () async throws(SignInKitError) in
            _ = try await client.linkApple()
        }
    }

    /// Unlinks the Apple Account.
    public func unlinkApple() async {
        await perform(saying: JuiceTexts.appleUnlinked) { () async throws(SignInKitError) in
            _ = try await client.unlinkApple()
        }
    }

    /// Changes the password.
    ///
    /// - Parameters:
    ///   - current: the current password.
    ///   - new: the new password.
    public func changePassword(current: String, new: String) async {
        await perform(saying: JuiceTexts.passwordSaved) { () async throws(SignInKitError) in
            try await client.changePassword(current: current, new: new)
            place = .account
        }
    }

    /// Sets the first password of an account, and its username.
    ///
    /// - Parameters:
    ///   - username: the username.
    ///   - new: the password.
    public func setPassword(username: String, new: String) async {
        await perform(saying: JuiceTexts.passwordSaved) { () async throws(SignInKitError) in
            try await client.changePassword(current: nil, new: new, username: username)
            place = .account
        }
    }

    /// Signs in again with the password, and returns to the operation that required it.
    ///
    /// - Parameter password: the account's password.
    public func confirm(password: String) async {
        guard case .confirmation(let former) = place, case .signedIn(let person) = state else {
            return
        }
        let username = person.account.username ?? ""
        await perform(saying: JuiceTexts.confirmed) { () async throws(SignInKitError) in
            _ = try await client.signIn(username: username, password: password)
            place = former
        }
    }

    /// Returns to the operation that required the confirmation, without confirming.
    public func leaveConfirmation() {
        if case .confirmation(let former) = place { go(to: former) }
    }

    /// Deletes the account; if the last sign-in is too old, the user must sign in again first.
    public func deleteAccount() async {
        await perform(saying: JuiceTexts.accountDeleted) { () async throws(SignInKitError) in
            try await client.deleteAccount()
        }
    }

    /// Runs a task after checking that the user still uses the app at Apple.
    ///
    /// - Parameter requiresFreshSignIn: whether the user must sign in with Apple first.
    public func runSecureTask(requiresFreshSignIn: Bool = false) async {
        secureTaskResult = nil
        let client = client
        await perform(saying: JuiceTexts.secureTaskDone) { () async throws(SignInKitError) in
            do {
                secureTaskResult = try await client.performSecureTask(
                    requiresFreshSignIn: requiresFreshSignIn
                ) {
                    _ = try await client.refreshAccount()
                    return JuiceTexts.recipeText
                }
            } catch let error as SignInKitError {
                throw error
            } catch {
                throw SignInKitError(.failed, hint: "\(error)")
            }
        }
    }

    private func loadSessions() async throws(SignInKitError) {
        sessionLines = try await client.sessions().map(SessionLine.init)
    }
}
