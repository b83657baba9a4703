import AppleIdentity

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

extension Result where Failure == any Error {
    /// What an asynchronous operation came to.
    init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
