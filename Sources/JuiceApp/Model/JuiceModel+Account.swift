import SignInKit

extension JuiceModel {
    /// Goes to the screen that the sign-in ended with.
    public func showResult() { go(to: .result) }

    /// Goes to the account, and asks the server for it.
    public func showAccount() async {
        go(to: .account)
        await perform { () async throws(SignInKitError) in
            _ = try await client.refreshAccount()
        }
    }

    /// Goes to the form for the name.
    public func showName() { go(to: .name) }

    /// Goes to the form for the password.
    public func showPassword() { go(to: .password) }

    /// Goes to the question whether the account shall be deleted.
    public func showDeletion() { go(to: .deletion) }

    /// Goes to the secure task.
    public func showSecureTask() {
        secureTaskResult = nil
        go(to: .secureTask)
    }

    /// Goes to the sessions, and asks the server for them.
    public func showSessions() async {
        go(to: .sessions)
        await perform { () async throws(SignInKitError) in try await loadSessions() }
    }

    /// Keeps another name; an empty one is refused by the server.
    ///
    /// - Parameter name: the user's name.
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
    ///   - current: the password that the account has.
    ///   - new: the next one.
    public func changePassword(current: String, new: String) async {
        await perform(saying: JuiceTexts.passwordSaved) { () async throws(SignInKitError) in
            try await client.changePassword(current: current, new: new)
            place = .account
        }
    }

    /// Sets the first password of an account, with the user name to sign in with.
    ///
    /// - Parameters:
    ///   - username: the user name.
    ///   - new: the password.
    public func setPassword(username: String, new: String) async {
        await perform(saying: JuiceTexts.passwordSaved) { () async throws(SignInKitError) in
            try await client.changePassword(current: nil, new: new, username: username)
            place = .account
        }
    }

    /// Signs in again with the password, and goes back to what asked for it.
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

    /// Goes back to what asked for a confirmation.
    public func leaveConfirmation() {
        if case .confirmation(let former) = place { go(to: former) }
    }

    /// Deletes the account; the client asks for a new sign-in when the last one is old.
    public func deleteAccount() async {
        await perform(saying: JuiceTexts.accountDeleted) { () async throws(SignInKitError) in
            try await client.deleteAccount()
        }
    }

    /// Runs the task that needs a user who still uses the app at Apple.
    ///
    /// - Parameter requiresFreshSignIn: whether the user shall sign in again first.
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
