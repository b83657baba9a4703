import Foundation

extension AppleSignIn {
    /// Verifies a notification that Apple posted to this server.
    ///
    /// Answer 200 when it was acted on, or was acted on before. Act once on each
    /// ``VerifiedNotification/notificationID``: Apple may send one again.
    ///
    /// - Parameter body: the body of the request, as it came.
    /// - Returns: what happened to whom.
    /// - Throws: `SignInError`: `notification_malformed`, a `token_…` code for the first check that
    ///   fails, or `apple_keys_unavailable`, after which the same body can be verified again.
    ///   `CancellationError` when the task is cancelled.
    public func notification(
        from body: Data
    ) async throws -> VerifiedNotification {
        try await notifications.verify(body)
    }
}
