import Foundation

extension AppleSignIn {
    /// Verifies a notification that Apple posted to this server.
    ///
    /// Answer 200 when it was acted on, or was acted on before. Act once on each
    /// ``VerifiedNotification/notificationID``: Apple may send one again.
    ///
    /// - Parameter body: the body of the request, as it came.
    /// - Returns: what happened to whom.
    /// - Throws: `notification_malformed`, a `token_…` code for the first check that fails, or
    ///   `apple_keys_unavailable`, after which the same body can be verified again.
    public func notification(
        from body: Data
    ) async throws(SignInError) -> VerifiedNotification {
        try await notifications.verify(body)
    }
}
