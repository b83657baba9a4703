import AppleIdentity
import Foundation

/// Moves the people of an app that goes from one developer team to another.
///
/// The team that gives the app away asks for each person's transfer identifier, before the app is
/// transferred or within 60 days after it. The recipient turns those into its own identifiers
/// within the same 60 days, with a client and key of its own team. Client secret and access
/// token are made anew whenever they end, however long a run takes.
///
/// Source: [TN3159](https://developer.apple.com/documentation/technotes/tn3159-migrating-sign-in-with-apple-users-for-an-app-transfer)
public struct UserMigration: Sendable {
    /// The client in whose name Apple is asked.
    public let clientID: ClientID

    private let endpoint: MigrationEndpoint
    private let credentials: @Sendable () throws(SignInError) -> ClientCredentials
    private let access: MigrationAccess

    init(
        clientID: ClientID,
        endpoint: MigrationEndpoint,
        credentials: @escaping @Sendable () throws(SignInError) -> ClientCredentials
    ) {
        self.clientID = clientID
        self.endpoint = endpoint
        self.credentials = credentials
        access = MigrationAccess(time: endpoint.exchange.time) {
            try await endpoint.accessToken(as: credentials())
        }
    }

    /// Asks for the identifier under which a person can be found by the recipient team.
    ///
    /// Apple accepts any team here; a wrong one shows only when the recipient asks.
    ///
    /// - Parameters:
    ///   - user: the person, as the team knows them that gives the app away.
    ///   - team: the recipient.
    /// - Returns: the transfer identifier, the same each time.
    /// - Throws: `SignInError`: `apple_refused_request` for a person who stopped using the app or is
    ///   not known, `apple_refused_client` when the 60 days are over, or another `apple_…` code; the
    ///   error's causes tell them apart as far as it can be told. `CancellationError` when the task
    ///   is cancelled.
    public func transferIdentifier(for user: UserID, to team: TeamID) async throws -> UserID {
        try await withAccessToken { token, client in
            try await endpoint.transferIdentifier(
                for: user,
                to: team,
                accessToken: token,
                as: client
            )
        }
    }

    /// Asks who a transfer identifier stands for; for the team that received the app.
    ///
    /// - Parameter identifier: what the other team was given, or the ``VerifiedIdentity/transferUser``
    ///   of an identity token.
    /// - Returns: the person as the recipient team knows them.
    /// - Throws: `SignInError`: `apple_refused_request` when it was made for another team, the person
    ///   stopped using the app, or the 60 days are over; or another `apple_…` code.
    ///   `CancellationError` when the task is cancelled.
    public func user(forTransferIdentifier identifier: UserID) async throws -> MigratedUser {
        try await withAccessToken { token, client in
            try await endpoint.user(
                forTransferIdentifier: identifier,
                accessToken: token,
                as: client
            )
        }
    }

    /// Gets the access token before a run begins, so that a wrong key ends it at once.
    func prepare() async throws { _ = try await access.token() }

    private func withAccessToken<Output: Sendable>(
        _ ask: (String, ClientCredentials) async throws -> Output
    ) async throws -> Output {
        let token = try await access.token()
        do {
            return try await ask(token, credentials())
        } catch let error as SignInError where error.code == .appleRefusedGrant {
            // Apple ends access tokens early at times: one more try with a new one.
            return try await ask(try await access.token(insteadOf: token), credentials())
        }
    }
}

extension AppleSignIn {
    /// Prepares to move the people of an app that goes to another team, or came from one.
    ///
    /// - Parameter clientID: the app or Services ID, one of the configured clients.
    /// - Returns: both directions, one by one and in bulk.
    public func migration(of clientID: ClientID) -> UserMigration {
        UserMigration(clientID: clientID, endpoint: migrations) {
            () throws(SignInError) -> ClientCredentials in
            try credentials(of: clientID)
        }
    }
}

/// How far a run that moves many people has come.
public struct MigrationProgress: Sendable, Hashable {
    /// How many people the run is about, each counted once, without those left out.
    public let totalCount: Int
    /// For how many Apple gave an identifier.
    public internal(set) var succeededCount = 0
    /// For how many there was an error.
    public internal(set) var failedCount = 0

    /// How many have an outcome, good or not.
    public var finishedCount: Int { succeededCount + failedCount }
}

/// What came of one person in a run that moves many.
public struct MigrationStep<Output: Sendable>: Sendable {
    /// The identifier that was asked about.
    public let user: UserID
    /// What Apple gave for it, or why not; a retryable error is worth another run.
    public let outcome: Result<Output, SignInError>
    /// How far the run has come, this person included.
    public let progress: MigrationProgress
}

/// A person as the team knows them that received an app.
public struct MigratedUser: Sendable, Hashable, Codable {
    /// The person's identifier for the recipient team.
    public let user: UserID
    /// The person's new relay address; nil for people who do not hide their address.
    public let email: String?
    /// Whether the address is a private relay address.
    public let isPrivateEmail: Bool
}

extension UserMigration {
    /// How many requests are under way at a time, unless said otherwise.
    public static let parallelCountDefault = 8
    /// The most requests that are under way at a time.
    public static let maximumParallelCount = 64

    /// Asks for the transfer identifiers of many people.
    ///
    /// Outcomes come one at a time, in the order of Apple's answers; keep each before returning.
    /// Nothing new is asked while one is being kept, so that a run that ends early, by an error
    /// of `keep` or by cancellation, is taken up again by leaving out what was kept.
    ///
    /// - Parameters:
    ///   - users: the people, as the team knows them that gives the app away.
    ///   - team: the recipient.
    ///   - kept: those of an earlier run that need no answer again.
    ///   - parallelCount: how many requests are under way at a time.
    ///   - keep: takes an outcome; what it throws ends the run.
    /// - Returns: how far the run has come.
    /// - Throws: `SignInError` when no access token can be had at the start, what `keep` throws,
    ///   or `CancellationError`.
    @discardableResult
    public func transferIdentifiers(
        for users: some Sequence<UserID>,
        to team: TeamID,
        leavingOut kept: Set<UserID> = [],
        parallelCount: Int = parallelCountDefault,
        keep: (MigrationStep<UserID>) async throws -> Void
    ) async throws -> MigrationProgress {
        try await run(users, leavingOut: kept, parallelCount: parallelCount, keep: keep) {
            try await transferIdentifier(for: $0, to: team)
        }
    }

    /// Asks who many transfer identifiers stand for; for the team that received the app.
    ///
    /// - Parameters:
    ///   - identifiers: what the other team was given.
    ///   - kept: those of an earlier run that need no answer again.
    ///   - parallelCount: how many requests are under way at a time.
    ///   - keep: takes an outcome; what it throws ends the run.
    /// - Returns: how far the run has come.
    /// - Throws: as ``transferIdentifiers(for:to:leavingOut:parallelCount:keep:)``.
    @discardableResult
    public func users(
        forTransferIdentifiers identifiers: some Sequence<UserID>,
        leavingOut kept: Set<UserID> = [],
        parallelCount: Int = parallelCountDefault,
        keep: (MigrationStep<MigratedUser>) async throws -> Void
    ) async throws -> MigrationProgress {
        try await run(identifiers, leavingOut: kept, parallelCount: parallelCount, keep: keep) {
            try await user(forTransferIdentifier: $0)
        }
    }

    private func run<Output: Sendable>(
        _ users: some Sequence<UserID>,
        leavingOut kept: Set<UserID>,
        parallelCount: Int,
        keep: (MigrationStep<Output>) async throws -> Void,
        ask: @escaping @Sendable (UserID) async throws -> Output
    ) async throws -> MigrationProgress {
        var seen = kept
        let waiting = users.filter { seen.insert($0).inserted }
        var progress = MigrationProgress(totalCount: waiting.count)
        guard !waiting.isEmpty else { return progress }
        try await prepare()
        let limit = min(max(parallelCount, 1), Self.maximumParallelCount)
        try await withThrowingTaskGroup(of: (UserID, Result<Output, SignInError>).self) { group in
            var next = waiting.makeIterator()
            func start() {
                guard let user = next.next() else { return }
                group.addTask {
                    do {
                        return (user, .success(try await ask(user)))
                    } catch let error as SignInError {
                        return (user, .failure(error))
                    }
                }
            }
            for _ in 0..<limit { start() }
            while let (user, outcome) = try await group.next() {
                switch outcome {
                case .success: progress.succeededCount += 1
                case .failure: progress.failedCount += 1
                }
                try await keep(MigrationStep(user: user, outcome: outcome, progress: progress))
                start()
            }
        }
        return progress
    }
}
