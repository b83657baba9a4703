import Observation
import SignInKit

/// What the screens of this module show and do: a ``SignInKit/SignInClient`` as views can watch it.
@MainActor @Observable public final class SignInModel {
    /// Which screen to show.
    public private(set) var screen: ShownScreen = .launching
    /// Whether something is under way that the person waits for.
    public private(set) var isWorking = false
    /// What failed last and is to be shown; nothing for what the person dismissed.
    public private(set) var error: SignInKitError?
    /// The sessions of the account, the one of this app among them.
    public private(set) var sessions: [SessionSummary] = []
    /// What stands in the form.
    public var form = PasswordForm()
    /// Whether the person is to type the password, because the last sign-in is too long ago for what they want.
    public var asksForPassword = false

    private let client: SignInClient
    private var isStarting = true
    /// What waits for the password; an alert that goes away does not drop it, whichever comes first.
    private var interrupted: (@MainActor () async throws(SignInKitError) -> Void)?

    /// Makes a model.
    ///
    /// - Parameter client: who signs in.
    public init(client: SignInClient) {
        self.client = client
    }

    /// The person whom the screen shows.
    public var person: SignedInPerson? {
        guard case .content(let person) = screen else { return nil }
        return person
    }

    /// Looks for the session and follows the client, until the task is cancelled.
    public func run() async {
        async let started: Void = begin()
        for await state in client.states { follow(state) }
        await started
    }

    private func begin() async {
        await client.start()
        isStarting = false
        follow(await client.state)
    }

    private func follow(_ state: SignInState) {
        // As long as the session is looked for, nobody knows yet that there is none.
        if isStarting, state == .signedOut { return }
        screen = ShownScreen(state, after: screen)
        if case .signedIn = state { form = PasswordForm() }
    }

    /// Looks again at session and Apple Account: for when the app comes back to the foreground.
    public func lookAgain() async {
        await client.start()
    }

    /// Offers what is on the device: an Apple Account that was used before, or a stored password, which fills the form.
    public func offerExistingCredential() async {
        await perform { [client] () async throws(SignInKitError) in
            if case .password(let stored) = try await client.findExistingCredential() {
                self.form.fill(with: stored)
            }
        }
    }

    /// Signs in with Apple.
    public func signInWithApple() async {
        await perform { [client] () async throws(SignInKitError) in
            _ = try await client.signInWithApple()
        }
    }

    /// Sends the form.
    public func sendForm() async {
        guard form.canBeSent else { return }
        let form = form
        await perform { [client] () async throws(SignInKitError) in
            switch form.purpose {
            case .signIn:
                _ = try await client.signIn(username: form.sentUsername, password: form.password)
            case .createAccount:
                _ = try await client.createAccount(
                    username: form.sentUsername,
                    password: form.password,
                    name: form.sentName
                )
            }
        }
    }

    /// Signs out; it ends here even when the server can't be reached.
    public func signOut() async {
        sessions = []
        error = nil
        await client.signOut()
    }

    /// Gets account and sessions anew.
    public func refresh() async {
        await perform { [client] () async throws(SignInKitError) in
            _ = try await client.refreshAccount()
            self.sessions = try await client.sessions()
        }
    }

    /// Ends a session of the account.
    ///
    /// - Parameter session: one of ``sessions``.
    public func end(_ session: SessionSummary) async {
        await perform { [client] () async throws(SignInKitError) in
            try await client.endSession(session.id)
            self.sessions.removeAll { $0.id == session.id }
        }
    }

    /// Changes the name of the account.
    ///
    /// - Parameter name: the new one.
    public func rename(to name: String) async {
        await perform { [client] () async throws(SignInKitError) in
            _ = try await client.rename(to: name.isEmpty ? nil : name)
        }
    }

    /// Links Apple with the account, as a second way in.
    public func linkApple() async {
        await perform { [client] () async throws(SignInKitError) in
            _ = try await client.linkApple()
        }
    }

    /// Takes Apple away from the account.
    public func unlinkApple() async {
        await perform { [client] () async throws(SignInKitError) in
            _ = try await client.unlinkApple()
        }
    }

    /// Deletes the account and all that belongs to it.
    public func deleteAccount() async {
        await perform { [client] () async throws(SignInKitError) in
            try await client.deleteAccount()
        }
    }

    /// Proves by the password who the person is, and goes on with what waited for it.
    ///
    /// - Parameter password: as it was typed.
    public func confirm(with password: String) async {
        guard let action = interrupted, let username = person?.account.username else { return }
        await perform { [client] () async throws(SignInKitError) in
            _ = try await client.signIn(username: username, password: password)
            try await action()
        }
    }

    /// Takes the failure off the screen.
    public func dismissError() {
        error = nil
    }

    /// One thing at a time; what the person dismissed is no failure, and a password that is asked for neither.
    private func perform(
        _ action: @escaping @MainActor () async throws(SignInKitError) -> Void
    ) async {
        guard !isWorking else { return }
        isWorking = true
        error = nil
        interrupted = nil
        defer { isWorking = false }
        do throws(SignInKitError) {
            try await action()
        } catch {
            if error.kind == .freshSignInRequired, person?.account.username != nil {
                interrupted = action
                asksForPassword = true
            } else if !error.isSilent {
                self.error = error
            }
        }
    }
}
