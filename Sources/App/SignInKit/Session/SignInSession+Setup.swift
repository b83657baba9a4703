import AppleIdentity
import Foundation

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

extension SignInSession {
    /// Creates a session with the system's sheet, the keychain and `URLSession`, and restores it.
    ///
    /// On Apple's systems the session is checked again whenever the app returns to the foreground, at the server once a
    /// minute at most. On Linux it is kept in memory by default.
    ///
    /// - Parameters:
    ///   - server: the base URL of the accounts server, with https, or http on a loopback host. With another URL, each
    ///     action ends with `insecureServer`.
    ///   - accessGroup: the keychain access group of several apps, which then share the session; nil for this app alone.
    ///   - keychainService: the keychain service of the session, the same in each app of the group; by default the access
    ///     group, or else the bundle identifier.
    ///   - authorization: shows Apple's sheet, over the key window by default.
    ///   - browser: opens the server's page when a user who signed in there must sign in again.
    ///   - credentials: the store for the session, instead of the keychain.
    ///   - transport: sends the requests to the server.
    public convenience init(
        server: String,
        accessGroup: String? = nil,
        keychainService: String? = nil,
        authorization: any AuthorizationService = SystemAuthorization(),
        browser: (any BrowserSession)? = nil,
        credentials: (any CredentialStore)? = nil,
        transport: any ServerTransport = URLSessionTransport()
    ) {
        let client = SignInClient(
            configuration: SignInConfiguration(
                server: URL(string: server) ?? URL(filePath: "/"),
                accessGroup: accessGroup
            ),
            authorization: authorization,
            credentials: credentials
                ?? Self.standardStore(
                    KeychainPlace(
                        service: keychainService,
                        accessGroup: accessGroup,
                        bundleIdentifier: Bundle.main.bundleIdentifier
                    )
                ),
            transport: transport,
            browser: browser
        )
        self.init(client: client)
        Task { [weak self] in await self?.start() }
        watchForeground()
    }

    /// Creates a session for a SwiftUI preview or an app's test, without a server.
    ///
    /// Actions that need the server end with `serverUnreachable`.
    ///
    /// - Parameter person: the signed-in user; nil shows the app signed out.
    public convenience init(preview person: SignedInPerson?) {
        let client = SignInClient(
            configuration: SignInConfiguration(server: URL(filePath: "/")),
            authorization: NoAuthorization(),
            credentials: MemoryCredentialStore(preview: person),
            transport: NoTransport()
        )
        self.init(client: client)
        show(person)
    }

    private static func standardStore(_ place: KeychainPlace) -> any CredentialStore {
        #if canImport(Security)
            KeychainCredentialStore(service: place.service, accessGroup: place.accessGroup)
        #else
            MemoryCredentialStore()
        #endif
    }
}

extension SignInSession {
    private func watchForeground() {
        #if canImport(UIKit) && !os(watchOS)
            refresh(after: UIApplication.willEnterForegroundNotification)
        #elseif canImport(AppKit)
            refresh(after: NSApplication.didBecomeActiveNotification)
        #endif
    }

    /// Refreshes whenever the system posts a notification, for as long as the session lives.
    private func refresh(after notification: Notification.Name) {
        watching = Task { [weak self] in
            for await _ in notification.posts { await self?.refresh(isActivation: true) }
        }
    }
}

extension SignedInPerson {
    /// A made-up user for previews and tests.
    public static let preview = SignedInPerson(
        account: AccountProfile(
            id: "preview",
            name: "Maya Lindgren",
            givenName: "Maya",
            familyName: "Lindgren",
            email: "maya@example.com",
            emailIsVerified: true,
            emailDeliverable: true,
            username: "maya",
            apple: AccountProfile.Apple(
                user: "000000.preview.0000",
                clientID: "com.example.preview",
                linkedAt: Date(timeIntervalSince1970: 1_750_000_000)
            ),
            createdAt: Date(timeIntervalSince1970: 1_750_000_000)
        ),
        isConfirmed: true
    )
}

extension MemoryCredentialStore {
    /// A store with the session of a user who needs no server.
    fileprivate convenience init(preview person: SignedInPerson?) {
        self.init()
        guard let person else { return }
        let session = SessionRecord.Session(token: "preview", way: .password, confirmedAt: .now)
        set(try? JSONEncoder().encode(SessionRecord(current: session)), for: .session)
        set(try? JSONEncoder().encode(person.account), for: .profile)
    }
}

/// The network of a preview.
private struct NoTransport: ServerTransport {
    func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
        throw .unreachable("a preview has no server")
    }
}

/// The device of a preview.
private struct NoAuthorization: AuthorizationService {
    func authorize(
        _ request: AuthorizationRequest
    ) async throws(AuthorizationFailure) -> AuthorizedCredential {
        throw AuthorizationFailure(.noCredential, hint: "a preview has no Apple Account")
    }

    func credentialState(of user: UserID) async -> CredentialState {
        .unknown("a preview has no Apple Account")
    }

    var revocations: AsyncStream<Void> { AsyncStream { $0.finish() } }
}
