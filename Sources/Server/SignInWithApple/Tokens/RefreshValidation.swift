import AppleIdentity
import Foundation

/// The result of checking a refresh token: whether the user still uses the app.
///
/// Store the date of each result with the refresh token. The first one is the ``AppleGrant/nextCheck`` of the code's exchange.
public enum RefreshValidation: Sendable, Hashable {
    /// No check is due, so no request was sent.
    case fresh(nextCheck: Date)
    /// The token is valid; store the grant's ``AppleGrant/nextCheck``.
    case valid(AppleGrant)
    /// The token is no longer valid: the user stopped using the app, changed the password of the
    /// Apple Account, or deleted it. The error has Apple's description and the possible causes.
    case revoked(SignInError)
    /// The check failed, which says nothing about the user: keep the user signed in, and store `nextCheck`.
    ///
    /// The error is retryable if Apple is unavailable: the next check is due after 15 minutes, or later if Apple says so.
    /// Otherwise Apple rejects this server or this use of the token, or the settings are wrong: it is due after a day.
    case failed(SignInError, nextCheck: Date)

    /// The minimum time between two checks, 24 hours; Apple may throttle more frequent requests.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user)
    public static let interval = Duration.seconds(86_400)
    private static let failurePause = Duration.seconds(900)

    /// A check that is not needed yet; nil if one is due.
    ///
    /// Another server's clock may have set the date. One more than two days ahead is a mistake, which a check corrects.
    init?(nextCheck: Date, now: Date) {
        let wait = nextCheck.timeIntervalSince(now)
        guard wait > 0, wait < 2 * (Self.interval / .seconds(1)) else { return nil }
        self = .fresh(nextCheck: nextCheck)
    }

    init(failure error: SignInError, now: Date) {
        let pause =
            error.isRetryable
            ? max(error.retryAfter ?? .zero, Self.failurePause) : Self.interval
        self = .failed(error, nextCheck: now + pause / .seconds(1))
    }
}

extension AppleSignIn {
    /// Checks whether a refresh token is still valid, with at most one request to Apple a day.
    ///
    /// You may call it at any time: before `nextCheck` it returns ``RefreshValidation/fresh(nextCheck:)`` without a request.
    /// When a check is due it waits up to ten seconds for Apple, so call it from a background task. Two calls
    /// at the same time with the same date send two requests.
    ///
    /// - Parameters:
    ///   - refreshToken: the refresh token, decrypted.
    ///   - clientID: the client that it was issued to.
    ///   - nextCheck: the date of the previous result, or of the code's ``AppleGrant``; nil forces a check.
    /// - Returns: whether the token is valid or revoked, or why that is unknown, and when the next check is due.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func validate(
        _ refreshToken: String,
        clientID: ClientID,
        nextCheck: Date?
    ) async throws -> RefreshValidation {
        if let nextCheck, let fresh = RefreshValidation(nextCheck: nextCheck, now: time.now) {
            return fresh
        }
        do {
            return .valid(try await refresh(refreshToken, clientID: clientID))
        } catch let error as SignInError {
            guard let refusal = error.refusal,
                RevocationVerdict.isRevocation(refusal, of: refreshToken)
            else { return RefreshValidation(failure: error, now: time.now) }
            return .revoked(error)
        }
    }
}
