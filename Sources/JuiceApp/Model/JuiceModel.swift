import Observation
import SignInKit

/// The app without its user interface: the current screen, and the user's actions.
///
/// A user interface draws ``screen`` and calls the actions. An action returns when it is complete; its error is in
/// ``problem``, and is never thrown. Only one action runs at a time.
@MainActor @Observable
public final class JuiceModel {
    /// The part of the app that the user opened.
    enum Place: Hashable {
        case login, createAccount
        case result, account, name, sessions, password, deletion, secureTask
        /// The confirmation with the password that an operation requires, and the place of that operation.
        indirect case confirmation(before: Place)
    }

    /// The problem of the last action.
    public internal(set) var problem: JuiceProblem?
    /// The result of the last action, until another user signs in or the user signs out.
    public var notice: String? { said?.account == state.account ? said?.notice : nil }
    /// Whether an action is running.
    public internal(set) var isBusy = false

    var state = SignInState.signedOut
    /// A notice, and the account to which it belongs.
    private var said: (notice: String, account: String?)?
    var place = Place.login
    var hasStarted = false
    /// The required action that the user has already answered.
    var answeredAttention: Attention?
    var storedPassword: StoredPassword?
    var sessionLines: [SessionLine] = []
    var secureTaskResult: String?

    @ObservationIgnored let client: SignInClient
    @ObservationIgnored let browser: (any BrowserSession)?
    @ObservationIgnored private var listening: Task<Void, Never>?

    /// Creates the model.
    ///
    /// - Parameters:
    ///   - client: the client that signs the user in.
    ///   - browser: opens the sign-in page in a browser; if nil, this sign-in method is not offered.
    public init(client: SignInClient, browser: (any BrowserSession)? = nil) {
        self.client = client
        self.browser = browser
    }

    deinit { listening?.cancel() }

    /// The current screen.
    public var screen: JuiceScreen {
        guard hasStarted else { return .launching }
        switch state {
        case .needsAttention(let attention) where attention != answeredAttention:
            return .attention(attention)
        case .signedIn(let person): return signedInScreen(person)
        case .signedOut, .signingIn, .needsAttention:
            return place == .createAccount ? .createAccount : .login(loginScreen)
        }
    }

    /// Determines whether a user is signed in; call it once at every launch.
    public func start() async {
        guard listening == nil else { return }
        let states = client.states
        listening = Task { [weak self] in
            for await state in states { self?.take(state) }
        }
        await client.start()
        take(await client.state)
        hasStarted = true
        if state == .signedOut { await findExistingCredential() }
    }

    /// Checks again whether the user is signed in; call it when the app returns to the foreground.
    ///
    /// The user may have stopped using the app in Settings.
    public func lookAgain() async {
        guard hasStarted, !isBusy else { return }
        await client.start()
        take(await client.state)
    }

    /// Offers a credential that the device has stored, when the login screen appears; shows nothing if there is none.
    func findExistingCredential() async {
        await perform { () async throws(SignInKitError) in
            if case .password(let password) = try await client.findExistingCredential() {
                storedPassword = password
            }
        }
    }

    /// Runs one action, and converts its error to a problem.
    func perform(
        saying notice: String? = nil,
        _ action: () async throws(SignInKitError) -> Void
    ) async {
        guard !isBusy else { return }
        isBusy = true
        problem = nil
        say(nil)
        var done = notice
        do throws(SignInKitError) {
            try await action()
        } catch {
            done = nil
            problem = JuiceProblem(error)
            if error.asksForFreshSignIn { askConfirmation() }
        }
        take(await client.state)
        say(done)
        // That screen explains the event itself.
        if case .attention = screen { problem = nil }
        isBusy = false
    }

    /// Shows a notice to the current user; nil removes the last one.
    func say(_ notice: String?) { said = notice.map { ($0, state.account) } }

    /// Opens the password confirmation for users with a password; others used the system's sheet.
    private func askConfirmation() {
        guard case .signedIn(let person) = state, person.account.username != nil else { return }
        if case .confirmation = place { return }
        place = .confirmation(before: place)
    }

    /// Follows the client's state; a sign-in or sign-out changes the place.
    ///
    /// During a sign-in, the screen does not change, because the system's sheet is in front of it.
    func take(_ new: SignInState) {
        guard new != state, new != .signingIn else { return }
        switch (state, new) {
        case (.signedIn(let old), .signedIn(let new)) where old.account.id == new.account.id: break
        case (_, .signedIn):
            place = .result
            storedPassword = nil
            answeredAttention = nil
        default:
            place = .login
            sessionLines = []
            secureTaskResult = nil
        }
        state = new
    }

    private var loginScreen: LoginScreen {
        LoginScreen(
            username: storedPassword?.user,
            hasStoredPassword: storedPassword != nil,
            offersBrowser: browser != nil
        )
    }

    private func signedInScreen(_ person: SignedInPerson) -> JuiceScreen {
        switch place {
        case .login, .createAccount, .result: .result(ResultScreen(person))
        case .account: .account(AccountScreen(person))
        case .name: .name(current: person.account.name ?? "")
        case .sessions: .sessions(sessionLines)
        case .password: .password(PasswordScreen(isFirst: person.account.username == nil))
        case .deletion:
            .deletion(
                lead: person.account.appleLinkRemains
                    ? JuiceTexts.deletionLeadWithLink : JuiceTexts.deletionLead
            )
        case .confirmation: .confirmation(username: person.account.username ?? "")
        case .secureTask: .secureTask(SecureTaskScreen(result: secureTaskResult))
        }
    }
}

extension SignInState {
    /// The identifier of the account that is signed in.
    fileprivate var account: String? {
        guard case .signedIn(let person) = self else { return nil }
        return person.account.id
    }
}
