import AppleIdentity
import Foundation

/// Signs a user in, keeps the session, and publishes the state.
///
/// Use one client in an app. Read ``states``, call ``start()`` at launch, and call the other methods on user actions.
public actor SignInClient {
    nonisolated let configuration: SignInConfiguration
    let authorization: any AuthorizationService
    let records: Records
    let server: ServerConnection
    let time: TimeSource
    let log: KitLog
    private let broadcast = StateBroadcast(.starting)
    let news: AccessGroupNews?

    var isLoaded = false
    var sessionRecord = SessionRecord()
    /// The session record as this client last read or wrote it.
    var storedSessions: SessionRecord?
    var user: UserID?
    var profile: AccountProfile?
    /// The last access token for each service, and the requests that are under way.
    var accessTokens: [String: CachedAccessToken] = [:]
    var accessTokenRequests: [String: SharedRequest<String>] = [:]
    var registrations = PendingRegistrations()
    /// Whether the store refused the registrations as they are now.
    var registrationsAreUnsaved = false

    /// When the server last confirmed the session; nil until it did so after launch.
    var confirmedAt: Date?
    /// Whether the app moved to another team.
    var isTransferred = false
    /// Why the last session ended.
    var signOutReason: SignOutReason?
    /// Why the records cannot be read; nil if they were, or were not needed yet.
    var storeFailure: SignInKitError?
    /// Whether the user signed out while the records could not be read.
    var signsOutWhenLoaded = false
    /// Whether the device has not said yet whether the user still uses the app.
    var isAwaitingDevice = false
    /// Whether a start found the records unreadable.
    var mustStartAgain = false
    /// Whether a sheet is open or a sign-in is on its way.
    var isSigningIn = false
    /// Whether the screen shows that.
    var showsSigningIn = false
    /// The calls that wait for the end of a sign-in.
    var waitingForSignIn: [CheckedContinuation<Void, Never>] = []

    /// The browser in which the user signed in, or signs in again.
    var browser: (any BrowserSession)?

    var starting: Task<Void, Never>?
    var restoring: Task<Void, Never>?
    /// Whether the device knows nothing of the user, so the server must be asked.
    var isUnknownToDevice = false
    var refreshing: SharedRequest<SignedInPerson>?
    var registering: Task<Result<SignedInPerson, SignInKitError>, Never>?
    var followUp: Task<Void, Never>?
    var saving: Task<Void, Never>?
    /// The wait that the server requested, in seconds.
    var retryAfter: Int?
    private var listening: [Task<Void, Never>] = []

    /// Creates a client with the given values.
    ///
    /// - Parameters:
    ///   - configuration: the server's URL and the scopes.
    ///   - authorization: shows Apple's sheet; usually ``SystemAuthorization``.
    ///   - credentials: the store for the session and for responses that the server has not confirmed.
    ///   - transport: sends the requests to the server; usually ``URLSessionTransport``.
    ///   - browser: opens the server's page when a user who signed in there must sign in again; by default the one of
    ///     the last ``signInWithBrowser(_:)``.
    public init(
        configuration: SignInConfiguration,
        authorization: any AuthorizationService,
        credentials: any CredentialStore,
        transport: any ServerTransport,
        browser: (any BrowserSession)? = nil
    ) {
        self.init(
            configuration: configuration,
            authorization: authorization,
            credentials: credentials,
            transport: transport,
            browser: browser,
            time: .live
        )
    }

    /// The same on another clock.
    package init(
        configuration: SignInConfiguration,
        authorization: any AuthorizationService,
        credentials: any CredentialStore,
        transport: any ServerTransport,
        browser: (any BrowserSession)? = nil,
        time: TimeSource,
        log: KitLog = .system
    ) {
        self.configuration = configuration
        self.authorization = authorization
        self.browser = browser
        self.time = time
        self.log = log
        news = configuration.accessGroup.map(AccessGroupNews.init)
        records = Records(store: credentials, log: log)
        server = ServerConnection(
            configuration: configuration,
            transport: transport,
            time: time,
            log: log
        )
    }

    deinit {
        for task in listening { task.cancel() }
        followUp?.cancel()
        saving?.cancel()
        broadcast.finish()
    }

    /// A stream of states, beginning with the current one, or with the first one after ``SignInState/starting``.
    ///
    /// Each access returns a new stream. It ends when the client is deallocated.
    public nonisolated var states: AsyncStream<SignInState> { broadcast.stream() }

    /// The current state, without waiting for the stream.
    public var state: SignInState { broadcast.state }

    /// Whether the server was heard from since launch.
    var isConfirmed: Bool { confirmedAt != nil }

    /// The user, when one is signed in.
    var person: SignedInPerson? {
        guard sessionRecord.current != nil, let profile else { return nil }
        return SignedInPerson(account: profile, isConfirmed: isConfirmed)
    }

    func publish() {
        let state: SignInState =
            if showsSigningIn {
                .signingIn
            } else if isStarting {
                .starting
            } else if isTransferred {
                .needsAttention(.transferred)
            } else if let person {
                .signedIn(person)
            } else if registrations.next != nil {
                .needsAttention(
                    registrationsAreUnsaved ? .registrationUnsaved : .registrationPending
                )
            } else {
                .signedOut(signOutReason)
            }
        if broadcast.send(state) { log.write("state: \(state.name)") }
    }

    /// A locked device says nothing of its user; a store that fails otherwise may never answer.
    private var isStarting: Bool {
        let isUnknown = !isLoaded && (storeFailure.map { $0.kind == .credentialsLocked } ?? true)
        return isAwaitingDevice || isUnknown && !signsOutWhenLoaded
    }

    /// Hears of revocations, of other apps of the access group, and of the end of a lock, for as long as the client
    /// lives.
    func listen() {
        guard listening.isEmpty else { return }
        listen(to: authorization.revocations) { _ = await $0.checkCredential() }
        if let news { listen(to: news.posts) { await $0.followSibling() } }
        for name in Notification.Name.storeMayBeReadable {
            listen(to: name.posts) { if await $0.mustStartAgain { await $0.start() } }
        }
    }

    private func listen(
        to events: AsyncStream<Void>,
        _ action: @escaping @Sendable (SignInClient) async -> Void
    ) {
        listening.append(
            Task { [weak self] in
                for await _ in events {
                    guard let self else { return }
                    await action(self)
                }
            }
        )
    }

    /// The session's token, whether it is valid or not.
    func keptToken() throws(SignInKitError) -> String {
        guard let token = sessionRecord.current?.token else { throw SignInKitError(.notSignedIn) }
        return token
    }
}
