import AppleIdentity
import Foundation

/// The result of checking a refresh token: whether the user still uses the app.
///
/// Store the date of each result with the refresh token. The first one is the ``AppleGrant/nextCheck`` of the code's exchange.
public struct RefreshValidation: Sendable, Hashable {
    /// What a check found.
    public struct Finding: Hashable, Sendable {
        /// No check is due, so no request was sent.
        public static let fresh = Finding(name: "fresh")
        /// The token is valid.
        public static let valid = Finding(name: "valid")
        /// The token is no longer valid: the user stopped using the app, changed the password of the Apple Account, or
        /// deleted it.
        public static let revoked = Finding(name: "revoked")
        /// The check failed, which says nothing about the user: keep the user signed in.
        public static let failed = Finding(name: "failed")

        private let name: String
    }

    /// What the check found.
    public let finding: Finding
    /// When the next check is due, to store with the refresh token; nil if the token is revoked.
    ///
    /// After a failure it is in 15 minutes, or later if Apple says so. It is in a day if Apple rejects this server or this
    /// use of the token, or the settings are wrong.
    public let nextCheck: Date?
    /// The new access token of a valid refresh token; else nil.
    public let grant: AppleGrant?
    /// Why the token is revoked or the check failed, with Apple's description and the possible causes; else nil.
    public let error: SignInError?

    package init(
        _ finding: Finding,
        nextCheck: Date? = nil,
        grant: AppleGrant? = nil,
        error: SignInError? = nil
    ) {
        self.finding = finding
        self.nextCheck = nextCheck
        self.grant = grant
        self.error = error
    }

    /// The minimum time between two checks, 24 hours; Apple may throttle more frequent requests.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user)
    static let interval = Duration.seconds(86_400)
    private static let failurePause = Duration.seconds(900)

    /// A check that is not needed yet; nil if one is due.
    ///
    /// Another server's clock may have set the date. One more than two days ahead is a mistake, which a check corrects.
    init?(nextCheck: Date, now: Date) {
        let wait = nextCheck.timeIntervalSince(now)
        guard wait > 0, wait < 2 * (Self.interval / .seconds(1)) else { return nil }
        self.init(.fresh, nextCheck: nextCheck)
    }

    init(failure error: SignInError, now: Date) {
        let pause =
            error.isRetryable
            ? max(error.retryAfter ?? .zero, Self.failurePause) : Self.interval
        self.init(.failed, nextCheck: now + pause / .seconds(1), error: error)
    }
}

extension AppleSignIn {
    /// Checks whether a refresh token is still valid, with at most one request to Apple a day.
    ///
    /// You may call it at any time: before `nextCheck` the finding is ``RefreshValidation/Finding/fresh``, without a request.
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
            let grant = try await refresh(refreshToken, clientID: clientID)
            return RefreshValidation(.valid, nextCheck: grant.nextCheck, grant: grant)
        } catch let error as SignInError {
            guard let refusal = error.refusal,
                RevocationVerdict.isRevocation(refusal, of: refreshToken)
            else { return RefreshValidation(failure: error, now: time.now) }
            return RefreshValidation(.revoked, error: error)
        }
    }
}
