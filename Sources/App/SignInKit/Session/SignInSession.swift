import AppleIdentity
import Foundation
import Observation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sign-in state of an app for its user interface: the user, what needs attention, and the actions.
///
/// Create one at launch, keep it for as long as the app runs, and show ``person`` or a sign-in view. An action returns
/// when it is complete, keeps its error in ``error``, and never throws. Only one action runs at a time.
///
/// For calls that throw, and for a stream of states, use ``client``.
@MainActor @Observable
public final class SignInSession {
    /// The state, without the time during which a sheet is open.
    public private(set) var state = SignInState.starting
    /// Whether an action is running.
    public private(set) var isBusy = false
    /// The error of the last action, also of another screen's; nil if it succeeded or the user cancelled.
    public var error: SignInKitError?
    /// What the server offers at the sign-in; only Apple until it has answered.
    public private(set) var offer = SignInOffer()

    /// The client that does the work.
    @ObservationIgnored public nonisolated let client: SignInClient
    @ObservationIgnored var requests = PreparedRequests()
    @ObservationIgnored private var waitingForActions: [CheckedContinuation<Void, Never>] = []
    @ObservationIgnored private var starting: Task<Void, Never>?
    @ObservationIgnored private var listening: Task<Void, Never>?
    @ObservationIgnored private var renewing: Task<Void, Never>?
    /// Whether the device's stored credentials were offered since the launch.
    @ObservationIgnored private var hasOfferedCredentials = false
    @ObservationIgnored var watching: Task<Void, Never>?

    /// Creates a session on a client of your own.
    ///
    /// - Parameter client: the client that does the work.
    public init(client: SignInClient) {
        self.client = client
    }

    deinit {
        listening?.cancel()
        renewing?.cancel()
        watching?.cancel()
    }

    /// Whether the session was restored after the launch, or there is none; show nothing that depends on the user before.
    ///
    /// It takes a second at most, whether the server answers or not. While the device is locked, it stays false.
    public var hasStarted: Bool { state != .starting }

    /// The sign-in methods that the server offers; only Apple until the server has answered.
    public var methods: Set<SignInMethod> { offer.methods }

    /// The user; nil if none is signed in.
    public var person: SignedInPerson? {
        if case .signedIn(let person) = state { person } else { nil }
    }

    /// Why the last session ended since the launch; nil if none did.
    public var signOutReason: SignOutReason? {
        if case .signedOut(let reason) = state { reason } else { nil }
    }

    /// What the user must do before continuing.
    public var attention: Attention? {
        if case .needsAttention(let attention) = state { attention } else { nil }
    }

    /// Restores the session; call it at every launch, unless the session was made with a server's URL.
    ///
    /// It returns when ``hasStarted`` is true, or the device is locked; the server is asked after that. It shows no sheet,
    /// and repeated calls do nothing. SignInKitUI's sign-in view calls it too.
    public func start() async {
        let task = starting ?? Task { await begin() }
        starting = task
        await task.value
    }

    /// Checks again whether the user is signed in, and fetches the account.
    ///
    /// The user may have stopped using the app in Settings, or signed in or out in another app of the access group. A
    /// session that is made with a server's URL does it whenever the app returns to the foreground.
    public func refresh() async { await refresh(isActivation: false) }

    func refresh(isActivation: Bool) async {
        await start()
        guard !isBusy else { return }
        await client.start(isActivation: isActivation)
        update(await client.state)
        if person == nil { await fetchOffer() }
    }

    /// Runs an action on the client, if no other action is running.
    ///
    /// - Parameter action: the action; its error becomes ``error``. If another action is running, that is `busy`.
    /// - Returns: the result; nil after an error.
    @discardableResult
    public func perform<Value: Sendable>(
        _ action: (SignInClient) async throws -> Value
    ) async -> Value? {
        guard !isBusy else {
            show(SignInKitError(.busy))
            return nil
        }
        isBusy = true
        error = nil
        defer {
            isBusy = false
            for waiting in waitingForActions { waiting.resume() }
            waitingForActions = []
        }
        do {
            let value = try await action(client)
            update(await client.state)
            return value
        } catch {
            update(await client.state)
            show(SignInKitError(anyOf: error))
            return nil
        }
    }

    func show(_ failure: SignInKitError) { error = failure.isSilent ? nil : failure }

    /// Returns when no action is running.
    func waitForActions() async {
        while isBusy { await withCheckedContinuation { waitingForActions.append($0) } }
    }

    private func begin() async {
        let states = client.states
        listening = Task { [weak self] in
            for await state in states { self?.update(state) }
        }
        await client.restore()
        update(await client.state)
        if let failure = await client.storeFailure, hasStarted { show(failure) }
        Task { [client] in await client.start() }
    }

    /// The sheet covers the screen during a sign-in, so the state does not change.
    private func update(_ new: SignInState) {
        guard new != state, new != .signingIn, new != .starting else { return }
        state = new
        guard person == nil else {
            renewing?.cancel()
            return requests.set(nil)
        }
        Task { [weak self] in await self?.fetchOffer() }
        renewNonce()
    }

    /// Shows a user before the session is restored.
    func show(_ person: SignedInPerson?) {
        state = person.map(SignInState.signedIn) ?? .signedOut()
    }

    private func fetchOffer() async {
        if let found = try? await client.signInOffer() { offer = found }
    }

    /// Keeps a nonce of the server at hand, because a request of the system's button cannot wait for one.
    func renewNonce() {
        renewing?.cancel()
        renewing = Task { [weak self, client] in
            repeat {
                let now = client.time.now
                let nonce = await client.makeNonce()
                self?.requests.set(nonce, at: now)
            } while await client.waitForNonceRenewal() && self != nil
        }
    }
}

extension SignInSession {
    /// Signs in with Apple: the system shows its sheet.
    public func signInWithApple() async { await perform { try await $0.signInWithApple() } }

    /// Signs in with a username and a password.
    ///
    /// - Parameters:
    ///   - username: the username, or the account's email address.
    ///   - password: the password.
    public func signIn(username: String, password: String) async {
        await perform { try await $0.signIn(username: username, password: password) }
    }

    /// Creates an account with a username and a password, and signs in to it.
    ///
    /// - Parameters:
    ///   - username: the username.
    ///   - password: the password.
    ///   - name: the user's name; nil if unknown.
    public func createAccount(username: String, password: String, name: String?) async {
        await perform {
            try await $0.createAccount(username: username, password: password, name: name)
        }
    }

    /// Offers a credential that the device has stored; shows nothing if there is none.
    ///
    /// - Returns: a stored password, for your form; nil if there is none or the user is signed in now.
    public func findExistingCredential() async -> StoredPassword? {
        let found = await perform { try await $0.findExistingCredential() }
        guard case .password(let password)?? = found else { return nil }
        return password
    }

    /// Offers the stored credentials once after the launch, and reports no error.
    ///
    /// - Returns: a stored password, for a form; nil if there is none, if a session has just ended, or at a second call.
    package func offerCredentialsOnce() async -> StoredPassword? {
        guard !hasOfferedCredentials, state == .signedOut(), !isBusy else { return nil }
        hasOfferedCredentials = true
        let shown = error
        let password = await findExistingCredential()
        if error != nil { error = shown }
        return password
    }

    /// Signs the user out here at once, and on the server when it can be reached.
    ///
    /// On a locked device, ``error`` says so, and the session ends when the device is unlocked.
    public func signOut() async { await perform { try await $0.endHere() } }

    /// Deletes the account, and revokes the app's access at Apple.
    public func deleteAccount() async { await perform { try await $0.deleteAccount() } }

    /// Returns the session's token for requests to your own server; see ``SignInClient/token()``.
    ///
    /// - Returns: the session's token.
    /// - Throws: ``SignInKitError``.
    public nonisolated func token() async throws(SignInKitError) -> String {
        try await client.token()
    }
}

extension SignInKitError {
    /// Reads the error of an app's action.
    init(anyOf error: any Error) {
        self =
            switch error {
            case let error as SignInKitError: error
            case is CancellationError: SignInKitError(.canceled)
            case let error as URLError where error.code == .cancelled: SignInKitError(.canceled)
            default: SignInKitError(.failed, hint: "\(error)")
            }
    }
}
