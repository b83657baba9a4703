import Foundation

/// Keeps the access token for moving people; many who ask at once wait for one.
actor MigrationAccess {
    private let fetch: @Sendable () async throws(SignInError) -> MigrationAccessToken
    private let time: TimeSource
    private var token: MigrationAccessToken?
    private var fetching: Task<Result<MigrationAccessToken, SignInError>, Never>?

    init(
        time: TimeSource,
        fetch: @escaping @Sendable () async throws(SignInError) -> MigrationAccessToken
    ) {
        self.time = time
        self.fetch = fetch
    }

    /// A token that is good for a minute or more.
    ///
    /// - Parameter refused: one that Apple did not accept, so that it is not handed out again.
    /// - Returns: the token's text.
    /// - Throws: an `apple_…` code, or `configuration_invalid`.
    func token(insteadOf refused: String? = nil) async throws(SignInError) -> String {
        if let token, token.text != refused, token.isUsable(at: time.now) { return token.text }
        let task = fetching ?? startFetching()
        return try await task.value.get().text
    }

    private func startFetching() -> Task<Result<MigrationAccessToken, SignInError>, Never> {
        let task = Task { [fetch] in
            let result = await Result { () async throws(SignInError) in try await fetch() }
            finish(result)
            return result
        }
        fetching = task
        return task
    }

    private func finish(_ result: Result<MigrationAccessToken, SignInError>) {
        fetching = nil
        token = try? result.get()
    }
}
