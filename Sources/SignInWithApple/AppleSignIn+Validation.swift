import AppleIdentity
import Foundation

extension AppleSignIn {
    /// Asks Apple whether a person still uses the app, at most once a day.
    ///
    /// It can be called at every request: less than a day after the last check it answers without
    /// asking. Two calls at the same time with the same date both ask.
    ///
    /// - Parameters:
    ///   - refreshToken: the token that came with a code.
    ///   - clientID: the client it was issued to.
    ///   - lastChecked: when it was redeemed or checked last, as stored beside the token; nil asks.
    /// - Returns: that it is good, that it was revoked, or when it is time to ask again.
    /// - Throws: `SignInError`: a retryable `apple_…` code when Apple can't say at the moment: the
    ///   person stays signed in, and the date stays as it is. `apple_refused_client`,
    ///   `apple_refused_grant` or `apple_refused_request` when Apple refuses this server or this use
    ///   of the token, which says nothing about the person. `CancellationError` when the task is
    ///   cancelled.
    public func validate(
        _ refreshToken: String,
        clientID: ClientID,
        lastChecked: Date?
    ) async throws -> RefreshValidation {
        if let lastChecked, let fresh = RefreshValidation(lastChecked: lastChecked, now: time.now) {
            return fresh
        }
        do {
            let grant = try await refresh(refreshToken, clientID: clientID)
            return .valid(grant, checkedAt: time.now)
        } catch let error as SignInError {
            guard let refusal = error.refusal,
                RevocationVerdict.isRevocation(refusal, of: refreshToken)
            else { throw error }
            return .revoked(error)
        }
    }
}
