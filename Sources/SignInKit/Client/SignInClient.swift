import AppleIdentity
import Foundation

/// Signs a person in, keeps them signed in, and tells the app about it.
///
/// One client serves an app. Listen to ``states``, call ``start()`` at launch, and the rest when a person asks for it.
public actor SignInClient {
    nonisolated let configuration: SignInConfiguration
    let authorization: any AuthorizationService
    let records: Records
    let server: ServerConnection
    let time: TimeSource
    private let broadcast = StateBroadcast(.signedOut)

    /// Whether the records were read.
    var isLoaded = false
    var kept = SessionRecord()
    var user: UserID?
    var profile: AccountProfile?
    var registrations = PendingRegistrations()
    /// Whether the store refused the registrations as they are now.
    var registrationsAreUnsaved = false

    /// When the server told last that the session is good; nil before it was heard from since launch.
    var confirmedAt: Date?
    var attention: Attention?
    /// Whether a sheet is open or a sign-in is on its way.
    var isSigningIn = false
    /// Whether the screen shows that.
    var showsSigningIn = false

    var starting: Task<Void, Never>?
    var registering: Task<Result<SignedInPerson, SignInKitError>, Never>?
    var followUp: Task<Void, Never>?
    var saving: Task<Void, Never>?
    /// Seconds that the server asked to wait.
    var retryAfter: Int?
    private var listening: Task<Void, Never>?

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - configuration: the server, and what is asked for.
    ///   - authorization: the system's part: ``SystemAuthorization``.
    ///   - credentials: where session and answers are kept.
    ///   - transport: how the server is reached: ``URLSessionTransport``.
    public init(
        configuration: SignInConfiguration,
        authorization: any AuthorizationService,
        credentials: any CredentialStore,
        transport: any ServerTransport
    ) {
        self.init(
            configuration: configuration,
            authorization: authorization,
            credentials: credentials,
            transport: transport,
            time: .live
        )
    }

    /// The same on another clock.
    package init(
        configuration: SignInConfiguration,
        authorization: any AuthorizationService,
        credentials: any CredentialStore,
        transport: any ServerTransport,
        time: TimeSource
    ) {
        self.configuration = configuration
        self.authorization = authorization
        self.time = time
        records = Records(store: credentials)
        server = ServerConnection(configuration: configuration, transport: transport, time: time)
    }

    deinit {
        listening?.cancel()
        followUp?.cancel()
        saving?.cancel()
        broadcast.finish()
    }

    /// Every state from the present one on; each call gives a stream of its own, which ends with the client.
    public nonisolated var states: AsyncStream<SignInState> { broadcast.stream() }

    /// The present state.
    public var state: SignInState { broadcast.state }

    /// Whether the server was heard from since launch.
    var isConfirmed: Bool { confirmedAt != nil }

    /// The person, when one is signed in.
    var person: SignedInPerson? {
        guard kept.current != nil, let profile else { return nil }
        return SignedInPerson(account: profile, isConfirmed: isConfirmed)
    }

    /// Tells the state that follows from all that is known.
    func publish() {
        let state: SignInState =
            if showsSigningIn {
                .signingIn
            } else if let attention {
                .needsAttention(attention)
            } else if let person {
                .signedIn(person)
            } else if registrations.next != nil {
                .needsAttention(
                    registrationsAreUnsaved ? .registrationUnsaved : .registrationPending
                )
            } else {
                .signedOut
            }
        broadcast.send(state)
    }

    /// Hears of revocations for as long as the client lives.
    func listen() {
        guard listening == nil else { return }
        let revocations = authorization.revocations
        listening = Task { [weak self] in
            for await _ in revocations {
                guard let self else { return }
                _ = await self.checkCredential()
            }
        }
    }

    /// The session's token, whether it is good or not.
    func keptToken() throws(SignInKitError) -> String {
        guard let token = kept.current?.token else { throw SignInKitError(.notSignedIn) }
        return token
    }
}
