import SignInKit

extension JuiceModel {
    /// Shows the result of the sign-in.
    public func showResult() { go(to: .result) }

    /// Shows the account, and fetches it from the server.
    public func showAccount() async {
        go(to: .account)
        await perform { try await $0.refreshAccount() }
    }

    /// Shows the form for the name.
    public func showName() { go(to: .name) }

    /// Shows the form for the password.
    public func showPassword() { go(to: .password) }

    /// Shows the effect of a deletion, before it is confirmed.
    public func showDeletion() { go(to: .deletion) }

    /// Shows the secure task.
    public func showSecureTask() {
        visit.secureTaskResult = nil
        go(to: .secureTask)
    }

    /// Fetches an access token for a service of the team, and shows it.
    ///
    /// - Parameter audience: the service's name at the accounts server.
    public func showAccessToken(for audience: String) async {
        var token: String?
        await perform { token = try await $0.accessToken(for: audience) }
        if let token { visit.notice = JuiceTexts.accessToken(token) }
    }

    /// Shows the sessions, and fetches them from the server.
    public func showSessions() async {
        go(to: .sessions)
        await perform(loadSessions)
    }

    /// Changes the display name; the server rejects an empty one.
    ///
    /// - Parameter name: the new name.
    public func rename(to name: String) async {
        await perform(saying: JuiceTexts.nameSaved, opening: .account) {
            try await $0.rename(to: name)
        }
    }

    /// Ends a session of the list.
    ///
    /// - Parameter id: the session's identifier.
    public func endSession(_ id: String) async {
        await perform(saying: JuiceTexts.sessionEnded) {
            try await $0.endSession(id)
            try await loadSessions($0)
        }
    }

    /// Ends all sessions but this one.
    public func endOtherSessions() async {
        await perform(saying: JuiceTexts.otherSessionsEnded) {
            try await $0.endOtherSessions()
            try await loadSessions($0)
        }
    }

    /// Links the Apple Account of the device.
    public func linkApple() async {
        await perform(saying: JuiceTexts.appleLinked) { try await $0.linkApple() }
    }

    /// Unlinks the Apple Account.
    public func unlinkApple() async {
        await perform(saying: JuiceTexts.appleUnlinked) { try await $0.unlinkApple() }
    }

    /// Changes the password.
    ///
    /// - Parameters:
    ///   - current: the current password.
    ///   - new: the new password.
    public func changePassword(current: String, new: String) async {
        await perform(saying: JuiceTexts.passwordSaved, opening: .account) {
            try await $0.changePassword(current: current, new: new)
        }
    }

    /// Sets the first password of an account, and its username.
    ///
    /// - Parameters:
    ///   - username: the username.
    ///   - new: the password.
    public func setPassword(username: String, new: String) async {
        await perform(saying: JuiceTexts.passwordSaved, opening: .account) {
            try await $0.changePassword(current: nil, new: new, username: username)
        }
    }

    /// Signs in again with the password, and returns to the operation that required it.
    ///
    /// - Parameter password: the account's password.
    public func confirm(password: String) async {
        guard case .confirmation(let former) = visit.place else { return }
        let username = session.person?.account.username ?? ""
        await perform(saying: JuiceTexts.confirmed, opening: former) {
            try await $0.signIn(username: username, password: password)
        }
    }

    /// Returns to the operation that required the confirmation, without confirming.
    public func leaveConfirmation() {
        if case .confirmation(let former) = visit.place { go(to: former) }
    }

    /// Deletes the account; if the last sign-in is too old, the user must sign in again first.
    public func deleteAccount() async {
        await perform(saying: JuiceTexts.accountDeleted) { try await $0.deleteAccount() }
    }

    /// Runs a task after checking that the user still uses the app at Apple.
    ///
    /// - Parameter requiresFreshSignIn: whether the user must sign in with Apple first.
    public func runSecureTask(requiresFreshSignIn: Bool = false) async {
        visit.secureTaskResult = nil
        await perform(saying: JuiceTexts.secureTaskDone) { client in
            visit.secureTaskResult = try await client.performSecureTask(
                requiresFreshSignIn: requiresFreshSignIn
            ) {
                _ = try await client.refreshAccount()
                return JuiceTexts.recipeText
            }
        }
    }

    private func loadSessions(_ client: SignInClient) async throws {
        visit.sessionLines = try await client.sessions().map(SessionLine.init)
    }
}
