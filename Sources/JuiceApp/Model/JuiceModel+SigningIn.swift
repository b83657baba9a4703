import SignInKit

extension JuiceModel {
    /// Signs in with Apple: the system shows its sheet.
    public func signInWithApple() async {
        await perform { () async throws(SignInKitError) in
            _ = try await client.signInWithApple()
        }
    }

    /// Signs in with a password.
    ///
    /// - Parameters:
    ///   - username: the username, or the account's email address.
    ///   - password: the password.
    public func signIn(username: String, password: String) async {
        await perform { () async throws(SignInKitError) in
            _ = try await client.signIn(username: username, password: password)
        }
    }

    /// Signs in with the password that the device offered.
    public func signInWithStoredPassword() async {
        guard let storedPassword else { return }
        await signIn(username: storedPassword.user, password: storedPassword.password)
    }

    /// Signs in with the server's page in a browser, if ``init(client:browser:)`` got one.
    public func signInWithBrowser() async {
        guard let browser else { return }
        await perform { () async throws(SignInKitError) in
            _ = try await client.signInWithBrowser(browser)
        }
    }

    /// Creates an account with a password, and signs in to it.
    ///
    /// - Parameters:
    ///   - username: the username.
    ///   - password: the password.
    ///   - name: the user's name; nil or empty for none.
    public func createAccount(username: String, password: String, name: String) async {
        await perform { () async throws(SignInKitError) in
            _ = try await client.createAccount(
                username: username,
                password: password,
                name: name.isEmpty ? nil : name
            )
        }
    }

    /// Ends the session here and on the server.
    public func signOut() async {
        await perform(saying: JuiceTexts.signedOut) { await client.signOut() }
    }

    /// Shows the form for a new account.
    public func showCreateAccount() { go(to: .createAccount) }

    /// Shows the login screen.
    public func showLogin() { go(to: .login) }

    /// Performs the action that the screen of an event offers: tries again, or leads to the login screen.
    public func answerAttention() async {
        guard case .needsAttention(let attention) = state else { return }
        switch attention {
        case .registrationPending, .registrationUnsaved:
            await perform { await client.start() }
            if case .needsAttention(attention) = state { say(JuiceTexts.stillPending) }
        case .revoked, .transferred, .anotherPerson, .sessionEnded:
            answeredAttention = attention
            go(to: .login)
        }
    }

    /// Opens a place, and removes the notice and the problem of the previous one.
    func go(to place: Place) {
        problem = nil
        say(nil)
        self.place = place
    }
}
