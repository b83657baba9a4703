import SignInKit

extension JuiceModel {
    /// Signs in with Apple: the system shows its sheet.
    public func signInWithApple() async { await perform { try await $0.signInWithApple() } }

    /// Signs in with a password.
    ///
    /// - Parameters:
    ///   - username: the username, or the account's email address.
    ///   - password: the password.
    public func signIn(username: String, password: String) async {
        await perform { try await $0.signIn(username: username, password: password) }
    }

    /// Signs in with the password that the device offered.
    public func signInWithStoredPassword() async {
        guard let stored = visit.storedPassword else { return }
        await signIn(username: stored.user, password: stored.password)
    }

    /// Signs in with the server's page in a browser, if ``init(session:browser:)`` got one.
    public func signInWithBrowser() async {
        guard let browser else { return }
        await perform { try await $0.signInWithBrowser(browser) }
    }

    /// Creates an account with a password, and signs in to it.
    ///
    /// - Parameters:
    ///   - username: the username.
    ///   - password: the password.
    ///   - name: the user's name; nil or empty for none.
    public func createAccount(username: String, password: String, name: String) async {
        await perform {
            try await $0.createAccount(
                username: username,
                password: password,
                name: name.isEmpty ? nil : name
            )
        }
    }

    /// Ends the session here and on the server.
    public func signOut() async {
        await perform(saying: JuiceTexts.signedOut) { await $0.signOut() }
    }

    /// Shows the form for a new account.
    public func showCreateAccount() { go(to: .createAccount) }

    /// Shows the login screen.
    public func showLogin() { go(to: .login) }

    /// Performs the action that the screen of an event offers: tries again, or leads to the login screen.
    public func answerAttention() async {
        switch session.attention {
        case .registrationPending, .registrationUnsaved:
            let attention = session.attention
            await perform { await $0.start() }
            if session.attention == attention { visit.notice = JuiceTexts.stillPending }
        case .transferred, nil:
            visit.answeredState = session.state
            go(to: .login)
        }
    }
}
