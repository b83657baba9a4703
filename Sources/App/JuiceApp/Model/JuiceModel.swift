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

    /// What the app shows to one user; it ends when another user signs in or the user signs out.
    struct Visit {
        /// The identifier of the user's account; nil if no user is signed in.
        let account: String?
        var place: Place
        var notice: String?
        /// The state whose screen the user has already answered.
        var answeredState: SignInState?
        var storedPassword: StoredPassword?
        var sessionLines: [SessionLine] = []
        var secureTaskResult: String?

        init(account: String?) {
            self.account = account
            place = account == nil ? .login : .result
        }
    }

    @ObservationIgnored let session: SignInSession
    @ObservationIgnored let browser: (any BrowserSession)?
    private var lastVisit = Visit(account: nil)

    /// Creates the model.
    ///
    /// - Parameters:
    ///   - session: the session that signs the user in.
    ///   - browser: opens the sign-in page in a browser; if nil, this sign-in method is not offered.
    public init(session: SignInSession, browser: (any BrowserSession)? = nil) {
        self.session = session
        self.browser = browser
    }

    var visit: Visit {
        get {
            let account = session.person?.account.id
            return lastVisit.account == account ? lastVisit : Visit(account: account)
        }
        set { lastVisit = newValue }
    }

    /// Whether an action is running.
    public var isBusy: Bool { session.isBusy }

    /// The result of the last action, until another user signs in or the user signs out.
    public var notice: String? { visit.notice }

    /// The problem of the last action; nil if the screen explains it.
    public var problem: JuiceProblem? {
        switch screen {
        case .attention, .ended: nil
        default: session.error.flatMap(JuiceProblem.init)
        }
    }

    /// The current screen.
    public var screen: JuiceScreen {
        guard session.hasStarted else { return .launching }
        if let person = session.person { return signedInScreen(person) }
        if session.state != visit.answeredState {
            if let attention = session.attention { return .attention(attention) }
            if let end = sessionEnd { return .ended(end) }
        }
        return visit.place == .createAccount ? .createAccount : .login(loginScreen)
    }

    /// Restores the session, and offers a credential that the device has stored; call it once at every launch.
    public func start() async {
        await session.start()
        guard session.state == .signedOut() else { return }
        visit.storedPassword = await session.findExistingCredential()
    }

    /// Waits for the server's answer about the session, or for its absence.
    public func refresh() async { await session.refresh() }

    /// Why the session ended, if the user did not end it here.
    private var sessionEnd: SignOutReason? {
        guard case .signedOut(let reason?) = session.state else { return nil }
        return reason == .byUser || reason == .deleted ? nil : reason
    }

    /// Runs one action.
    ///
    /// - Parameters:
    ///   - notice: what the app says if the action succeeds.
    ///   - place: the place that the app then opens; nil for the current one.
    ///   - action: the action.
    func perform<Value: Sendable>(
        saying notice: String? = nil,
        opening place: Place? = nil,
        _ action: (SignInClient) async throws -> Value
    ) async {
        guard !isBusy else { return }
        visit.notice = nil
        if await session.perform(action) != nil {
            if let place { visit.place = place }
            visit.notice = notice
        } else if session.error?.asksForFreshSignIn == true {
            askConfirmation()
        }
    }

    /// Opens a place, and removes the notice and the problem of the previous one.
    func go(to place: Place) {
        session.error = nil
        visit.notice = nil
        visit.place = place
    }

    /// Opens the password confirmation for users with a password; others used the system's sheet.
    private func askConfirmation() {
        guard session.person?.account.username != nil else { return }
        if case .confirmation = visit.place { return }
        visit.place = .confirmation(before: visit.place)
    }

    private var loginScreen: LoginScreen {
        LoginScreen(
            username: visit.storedPassword?.user,
            hasStoredPassword: visit.storedPassword != nil,
            offersBrowser: browser != nil
        )
    }

    private func signedInScreen(_ person: SignedInPerson) -> JuiceScreen {
        switch visit.place {
        case .login, .createAccount, .result: .result(ResultScreen(person))
        case .account: .account(AccountScreen(person))
        case .name: .name(current: person.account.name ?? "")
        case .sessions: .sessions(visit.sessionLines)
        case .password: .password(PasswordScreen(isFirst: person.account.username == nil))
        case .deletion:
            .deletion(
                lead: person.account.appleLinkRemains
                    ? JuiceTexts.deletionLeadWithLink : JuiceTexts.deletionLead
            )
        case .confirmation: .confirmation(username: person.account.username ?? "")
        case .secureTask: .secureTask(SecureTaskScreen(result: visit.secureTaskResult))
        }
    }
}
