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
    public private(set) var state = SignInState.signedOut
    /// Whether the session was restored after the launch; show nothing else until then.
    public private(set) var hasStarted = false
    /// Whether an action is running.
    public private(set) var isBusy = false
    /// The error of the last action; nil if it succeeded or the user cancelled.
    public var error: SignInKitError?
    /// The sign-in methods that the server offers; only Apple until the server has answered.
    public private(set) var methods: Set<SignInMethod> = [.apple]

    /// The client that does the work.
    @ObservationIgnored public nonisolated let client: SignInClient
    @ObservationIgnored var requests = PreparedRequests()
    @ObservationIgnored private var waitingForActions: [CheckedContinuation<Void, Never>] = []
    @ObservationIgnored private var starting: Task<Void, Never>?
    @ObservationIgnored private var listening: Task<Void, Never>?
    @ObservationIgnored private var renewing: Task<Void, Never>?
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

    /// The user; nil if none is signed in.
    public var person: SignedInPerson? {
        if case .signedIn(let person) = state { person } else { nil }
    }

    /// What the user must do before continuing.
    public var attention: Attention? {
        if case .needsAttention(let attention) = state { attention } else { nil }
    }

    /// Restores the session; call it at every launch.
    ///
    /// It shows no sheet, and repeated calls do nothing. SignInKitUI's sign-in view calls it too.
    public func start() async {
        let task = starting ?? Task { await begin() }
        starting = task
        await task.value
    }

    /// Checks again whether the user is signed in; call it when the app returns to the foreground.
    ///
    /// The user may have stopped using the app in Settings, or signed in or out in another app of the access group.
    public func refresh() async {
        await start()
        guard !isBusy else { return }
        await client.start()
        update(await client.state)
        if person == nil { await fetchMethods() }
    }

    /// Runs an action on the client, if no other action is running.
    ///
    /// - Parameter action: the action; its error becomes ``error``.
    /// - Returns: the result; nil after an error, or if another action is running.
    @discardableResult
    public func perform<Value: Sendable>(
        _ action: (SignInClient) async throws -> Value
    ) async -> Value? {
        guard !isBusy else { return nil }
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
        await client.start()
        update(await client.state)
        hasStarted = true
        guard person == nil else { return }
        if renewing == nil { renewNonce() }
        await fetchMethods()
    }

    /// The sheet covers the screen during a sign-in, so the state does not change.
    private func update(_ new: SignInState) {
        guard new != state, new != .signingIn else { return }
        state = new
        if person == nil {
            if hasStarted { Task { [weak self] in await self?.fetchMethods() } }
            return renewNonce()
        }
        renewing?.cancel()
        requests.set(nil)
    }

    /// Shows a user before the session is restored.
    func show(_ person: SignedInPerson?) {
        state = person.map(SignInState.signedIn) ?? .signedOut
        hasStarted = true
    }

    private func fetchMethods() async {
        if let found = try? await client.signInMethods() { methods = found }
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

    /// Signs the user out here and on the server.
    public func signOut() async { await perform { await $0.signOut() } }

    /// Deletes the account, and revokes the app's access at Apple.
    public func deleteAccount() async { await perform { try await $0.deleteAccount() } }

    /// Returns the session's token for requests to your own server; see ``SignInClient/token()``.
    ///
    /// - Returns: a token that the server confirmed within the last 15 minutes.
    /// - Throws: ``SignInKitError``.
    public nonisolated func token() async throws(SignInKitError) -> String {
        try await client.token()
    }

    /// Returns an access token for one of your own services; see ``SignInClient/accessToken(for:)``.
    ///
    /// - Parameter audience: the name of the service, one of the server's `SIWA_TOKEN_AUDIENCES`.
    /// - Returns: a token that is valid for at least another minute, unless the session ends.
    /// - Throws: ``SignInKitError``.
    public nonisolated func accessToken(
        for audience: String
    ) async throws(SignInKitError) -> String {
        try await client.accessToken(for: audience)
    }

    /// Adds a token to a request to your own server.
    ///
    /// - Parameters:
    ///   - request: the request, which gets `Authorization: Bearer`. It must use https, or http on a loopback host.
    ///   - audience: the service that gets an access token; nil for the accounts server, which gets the session's token.
    /// - Throws: ``SignInKitError``; `insecureServer` for another URL.
    public nonisolated func authorized(
        _ request: inout URLRequest,
        for audience: String? = nil
    ) async throws(SignInKitError) {
        guard let url = request.url, ServerConnection.isSecure(url) else {
            throw SignInKitError(.insecureServer)
        }
        let token =
            if let audience { try await accessToken(for: audience) } else { try await token() }
        request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization")
    }
}

extension SignInKitError {
    /// Reads the error of an app's action.
    init(anyOf error: any Error) {
        self =
            switch error {
            case let error as SignInKitError: error
            case is CancellationError: SignInKitError(.canceled)
            default: SignInKitError(.failed, hint: "\(error)")
            }
    }
}
