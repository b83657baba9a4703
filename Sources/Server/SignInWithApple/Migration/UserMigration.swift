import AppleIdentity
import Foundation

/// Migrates the users of an app that is transferred to another developer team.
///
/// The sending team requests a transfer identifier for each user, before the transfer or within 60
/// days after it. The receiving team exchanges these for its own user identifiers within the same
/// 60 days, with a client and a key of its own. Client secrets and access tokens are renewed during
/// a long run.
///
/// Source: [TN3159](https://developer.apple.com/documentation/technotes/tn3159-migrating-sign-in-with-apple-users-for-an-app-transfer)
public struct UserMigration: Sendable {
    /// The client of the requests.
    public let clientID: ClientID

    private let endpoint: TokenEndpoint
    private let relayDomains: RelayDomains
    private let credentials: @Sendable () throws(SignInError) -> ClientCredentials
    private let access: MigrationAccess

    init(
        clientID: ClientID,
        endpoint: TokenEndpoint,
        relayDomains: RelayDomains,
        credentials: @escaping @Sendable () throws(SignInError) -> ClientCredentials
    ) {
        self.clientID = clientID
        self.endpoint = endpoint
        self.relayDomains = relayDomains
        self.credentials = credentials
        access = MigrationAccess(time: endpoint.exchange.time) {
            try await endpoint.migrationToken(as: credentials())
        }
    }

    /// Requests the transfer identifier of a user; for the sending team.
    ///
    /// Apple accepts any team here. A wrong one fails only at the receiving team's request.
    ///
    /// - Parameters:
    ///   - user: the user's identifier in the sending team.
    ///   - team: the receiving team.
    /// - Returns: the transfer identifier, the same each time.
    /// - Throws: `SignInError`: `apple_refused_request` if the user is unknown or stopped using the
    ///   app, `apple_refused_client` if the 60 days have passed, another `apple_…` code, or a code of
    ///   ``AppleSignIn/clientSecret(for:)``. ``SignInError/causes`` separates the cases if possible.
    ///   `CancellationError` if the task is cancelled.
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

    /// Exchanges a transfer identifier for the user's new identifier; for the receiving team.
    ///
    /// - Parameter identifier: the transfer identifier from the sending team, or the
    ///   ``VerifiedIdentity/transferUser`` of an identity token.
    /// - Returns: the user's identifier and email address in the receiving team.
    /// - Throws: `SignInError`: `apple_refused_request` if the identifier is for another team, the
    ///   user stopped using the app, or the 60 days have passed; another `apple_…` code, or a code of
    ///   ``AppleSignIn/clientSecret(for:)``. `CancellationError` if the task is cancelled.
    public func user(forTransferIdentifier identifier: UserID) async throws -> MigratedUser {
        try await withAccessToken { token, client in
            try await endpoint.user(
                forTransferIdentifier: identifier,
                accessToken: token,
                as: client,
                relayDomains: relayDomains
            )
        }
    }

    private func withAccessToken<Output: Sendable>(
        _ ask: (String, ClientCredentials) async throws -> Output
    ) async throws -> Output {
        let token = try await access.token()
        do {
            return try await ask(token, credentials())
        } catch let error as SignInError where error.code == .appleRefusedGrant {
            // Apple revokes access tokens early at times: try once more with a new one.
            return try await ask(try await access.token(insteadOf: token), credentials())
        }
    }
}

extension AppleSignIn {
    /// Returns the user migration of a client whose app is transferred to another team, or was.
    ///
    /// - Parameter clientID: one of the configured clients; for any other client, every request throws
    ///   `configuration_invalid`.
    /// - Returns: the operations of the sending and the receiving team.
    public func migration(of clientID: ClientID) -> UserMigration {
        UserMigration(
            clientID: clientID,
            endpoint: tokens,
            relayDomains: configuration.relayDomains
        ) { () throws(SignInError) in try credentials(of: clientID) }
    }
}

/// The progress of a bulk migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The number of different users in the run, without the skipped ones.
    public let totalCount: Int
    /// The number of users for whom Apple returned an identifier.
    public internal(set) var succeededCount = 0
    /// The number of users with an error.
    public internal(set) var failedCount = 0

    /// The number of users with a result or an error.
    public var finishedCount: Int { succeededCount + failedCount }
}

/// The result for one user of a bulk migration.
public struct MigrationStep<Output: Sendable>: Sendable {
    /// The identifier that was sent to Apple.
    public let user: UserID
    /// Apple's response or the error; repeat the run for users with a retryable error.
    public let outcome: Result<Output, SignInError>
    /// The progress of the run, this user included.
    public let progress: MigrationProgress
}

/// A user's identifier and email address in the receiving team.
public struct MigratedUser: Sendable, Hashable, Codable {
    /// The user's identifier in the receiving team.
    public let user: UserID
    /// The user's new private relay address; nil for users who do not hide their email address.
    public let email: String?
    /// Whether the email address is a private relay address.
    public let isPrivateEmail: Bool
}

extension UserMigration {
    /// The default number of concurrent requests.
    public static let parallelCountDefault = 8
    /// The maximum number of concurrent requests.
    public static let maximumParallelCount = 64

    /// Requests the transfer identifiers of many users; for the sending team.
    ///
    /// `keep` is called for one result at a time, in the order of Apple's responses. Store the result
    /// before you return; no new request is sent meanwhile. To resume a run that ended early, pass the
    /// stored users as `leavingOut`.
    ///
    /// - Parameters:
    ///   - users: the users' identifiers in the sending team.
    ///   - team: the receiving team.
    ///   - done: the users to skip, because an earlier run stored their results.
    ///   - parallelCount: the number of concurrent requests, from 1 to ``maximumParallelCount``.
    ///   - keep: stores a result; an error of it ends the run.
    /// - Returns: the progress at the end.
    /// - Throws: `SignInError` if the first access token cannot be requested, an error of `keep`, or
    ///   `CancellationError`. The error for one user is in ``MigrationStep/outcome``.
    @discardableResult
    public func transferIdentifiers(
        for users: some Sequence<UserID>,
        to team: TeamID,
        leavingOut done: Set<UserID> = [],
        parallelCount: Int = parallelCountDefault,
        keep: (MigrationStep<UserID>) async throws -> Void
    ) async throws -> MigrationProgress {
        try await run(users, leavingOut: done, parallelCount: parallelCount, keep: keep) {
            try await transferIdentifier(for: $0, to: team)
        }
    }

    /// Exchanges many transfer identifiers for the users' new identifiers; for the receiving team.
    ///
    /// - Parameters:
    ///   - identifiers: the transfer identifiers from the sending team.
    ///   - done: the identifiers to skip, because an earlier run stored their results.
    ///   - parallelCount: the number of concurrent requests, from 1 to ``maximumParallelCount``.
    ///   - keep: stores a result; an error of it ends the run.
    /// - Returns: the progress at the end.
    /// - Throws: as ``transferIdentifiers(for:to:leavingOut:parallelCount:keep:)``.
    @discardableResult
    public func users(
        forTransferIdentifiers identifiers: some Sequence<UserID>,
        leavingOut done: Set<UserID> = [],
        parallelCount: Int = parallelCountDefault,
        keep: (MigrationStep<MigratedUser>) async throws -> Void
    ) async throws -> MigrationProgress {
        try await run(identifiers, leavingOut: done, parallelCount: parallelCount, keep: keep) {
            try await user(forTransferIdentifier: $0)
        }
    }

    private func run<Output: Sendable>(
        _ users: some Sequence<UserID>,
        leavingOut done: Set<UserID>,
        parallelCount: Int,
        keep: (MigrationStep<Output>) async throws -> Void,
        ask: @escaping @Sendable (UserID) async throws -> Output
    ) async throws -> MigrationProgress {
        var seen = done
        let waiting = users.filter { seen.insert($0).inserted }
        var progress = MigrationProgress(totalCount: waiting.count)
        guard !waiting.isEmpty else { return progress }
        // A wrong key should end the run at once.
        _ = try await access.token()
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
