import AppleIdentity
import Foundation

/// Keeps the access token for moving people; many who ask at once wait for one.
actor MigrationAccess {
    private let fetch: @Sendable () async throws -> MigrationAccessToken
    private let time: TimeSource
    private var token: MigrationAccessToken?
    private var fetching: Task<Result<MigrationAccessToken, any Error>, Never>?

    init(
        time: TimeSource,
        fetch: @escaping @Sendable () async throws -> MigrationAccessToken
    ) {
        self.time = time
        self.fetch = fetch
    }

    /// A token that is good for a minute or more.
    ///
    /// - Parameter refused: one that Apple did not accept, so that it is not handed out again.
    /// - Returns: the token's text.
    /// - Throws: an `apple_…` code, `configuration_invalid`, or `CancellationError`.
    func token(insteadOf refused: String? = nil) async throws -> String {
        if let token, token.text != refused, token.isUsable(at: time.now) { return token.text }
        let task = fetching ?? startFetching()
        return try await task.valueUnlessCancelled().get().text
    }

    private func startFetching() -> Task<Result<MigrationAccessToken, any Error>, Never> {
        let task = Task { [fetch] in
            let result = await Result { try await fetch() }
            finish(result)
            return result
        }
        fetching = task
        return task
    }

    private func finish(_ result: Result<MigrationAccessToken, any Error>) {
        fetching = nil
        token = try? result.get()
    }
}

/// What Apple's migration endpoint asks for beside the client secret.
struct MigrationAccessToken: Sendable {
    /// How long before its end a token is replaced, in seconds.
    static let renewalLeadSeconds: TimeInterval = 60

    let text: String
    let expirationTime: Date

    func isUsable(at now: Date) -> Bool {
        now < expirationTime.addingTimeInterval(-Self.renewalLeadSeconds)
    }
}
