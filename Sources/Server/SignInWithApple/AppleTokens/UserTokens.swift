import AppleIdentity
import Foundation

/// What is known of one user: refresh tokens, and when consent began and ended.
struct UserTokens: Codable, Hashable, Sendable {
    /// An encrypted refresh token and the next request about it.
    struct Token: Codable, Hashable, Sendable {
        let clientID: ClientID
        let sealedToken: String
        /// When Apple sent the token, or last said that it is valid.
        var validAt: Date
        var task: TokenTask
        var dueAt: Date
        var failureCount = 0
        /// Why Apple refused the latest request, if the user is not the reason.
        var refusal: String?
    }

    /// A worker's claim for one attempt, which expires if the worker dies.
    struct Claim: Codable, Hashable, Sendable {
        var id = SecureRandom.hexadecimal(byteCount: 8)
        let end: Date
    }

    /// Seconds for which a notification and the end of consent are remembered; Apple's tokens expire after a day.
    static let memory: TimeInterval = 30 * 86_400
    private static let validationInterval = RefreshValidation.interval / .seconds(1)

    /// The user, until the account is deleted.
    private(set) var userID: UserID?
    private(set) var issuer: String?
    private(set) var tokens: [Token] = []
    /// When the user last signed in, by Apple's clock.
    private var consentedAt: Date?
    private var consentEndedAt: Date?
    private var mailChangedAt: Date?
    /// The notifications that were handled, and until when they are remembered.
    private var handled: [String: Date] = [:]
    private(set) var claim: Claim?

    /// When there is something to do.
    var dueAt: Date {
        claim?.end ?? tokens.map(\.dueAt).min() ?? (userID == nil ? forgottenAt : .distantFuture)
    }

    var isRefused: Bool { tokens.contains { $0.refusal != nil } }

    /// When nothing of a user who has left needs to be remembered any more.
    private var forgottenAt: Date {
        handled.values.reduce((consentEndedAt ?? .distantPast) + Self.memory, max)
    }

    func isForgotten(at now: Date) -> Bool { tokens.isEmpty && userID == nil && forgottenAt <= now }
}

extension UserTokens {
    /// Keeps the token of a sign-in, and takes over tokens that wait to be revoked.
    ///
    /// A waiting revocation would end the consent that the user just gave. One token for each client is enough: revoking
    /// it ends the consent of the earlier ones.
    mutating func keep(
        _ sealedToken: String?,
        of identity: VerifiedIdentity,
        at now: Date
    ) throws(RefusedSignIn) {
        if let consentEndedAt, consentEndedAt >= identity.issuedAt.endOfSecond {
            throw .consentEnded
        }
        (userID, issuer) = (identity.userID, identity.issuer)
        consentedAt = max(consentedAt ?? .distantPast, identity.issuedAt)
        if let sealedToken {
            tokens.removeAll { $0.clientID == identity.clientID }
            tokens.append(
                Token(
                    clientID: identity.clientID,
                    sealedToken: sealedToken,
                    validAt: now,
                    task: .validation,
                    dueAt: now + Self.validationInterval
                )
            )
        }
        for index in tokens.indices where tokens[index].task == .revocation {
            tokens[index].next(.validation, at: now + Self.validationInterval)
        }
        claim = nil
    }

    /// Queues a revocation for each token, and forgets the user.
    mutating func queueRevocations(at now: Date) {
        // A deletion does not wait behind validations that are due.
        let first = Date(timeIntervalSince1970: 0)
        for index in tokens.indices { tokens[index].next(.revocation, at: first) }
        end(at: now)
        (userID, issuer) = (nil, nil)
    }

    /// Records a notification, and returns whether to act on it: it is neither repeated nor outdated.
    mutating func accepts(_ notification: VerifiedNotification, at now: Date) -> Bool {
        handled = handled.filter { $0.value > now }
        guard handled[notification.notificationID] == nil else { return false }
        handled[notification.notificationID] = max(
            notification.expirationTime,
            now + Self.memory
        )
        let time = notification.event.eventTime
        switch notification.event.kind {
        case .consentRevoked, .accountDeleted, .accountDelete:
            // A late event is about an earlier consent.
            guard time >= consentedAt ?? .distantPast else { return false }
            // Apple has revoked all tokens itself.
            tokens = []
            end(at: time)
            if notification.event.kind != .consentRevoked { (userID, issuer) = (nil, nil) }
        case .emailEnabled, .emailDisabled:
            guard time >= mailChangedAt ?? .distantPast else { return false }
            mailChangedAt = time
        default: break
        }
        return true
    }

    private mutating func end(at time: Date) {
        consentEndedAt = max(consentEndedAt ?? .distantPast, time)
        claim = nil
    }
}

extension UserTokens {
    mutating func claim(_ claim: Claim?) { self.claim = claim }

    /// The token about which Apple is asked next; nil if none is due or the claim is over.
    func next(_ claim: Claim, at now: Date) -> Token? {
        isValid(claim, at: now) ? tokens.first { $0.dueAt <= now } : nil
    }

    private func isValid(_ claim: Claim, at now: Date) -> Bool {
        claim == self.claim && claim.end > now
    }

    /// Records an outcome, unless the token was replaced or another worker has claimed it; returns whether the user's
    /// consent has ended.
    mutating func finish(
        _ asked: Token,
        _ outcome: TokenOutcome,
        _ claim: Claim,
        at now: Date,
        randomUnit: Double
    ) -> Bool {
        guard isValid(claim, at: now), let index = tokens.firstIndex(of: asked) else {
            return false
        }
        switch outcome {
        case .done where asked.task == .validation:
            tokens[index].validAt = now
            tokens[index].next(.validation, at: now + Self.validationInterval)
        case .done: tokens.remove(at: index)
        case .ended:
            tokens.remove(at: index)
            // The rest was valid no later than that, and ends with the consent.
            for other in tokens.indices {
                tokens[other].validAt = max(tokens[other].validAt, asked.validAt)
            }
            return asked.task == .validation && endsConsent(with: asked, at: now)
        case .failed(let error):
            tokens[index].failureCount += 1
            tokens[index].refusal = nil
            let delay = asked.task.schedule.delay(
                afterAttempts: tokens[index].failureCount,
                randomUnit: randomUnit
            )
            tokens[index].dueAt = now + max(delay, (error.retryAfter ?? .zero) / .seconds(1))
        case .refused(let error): tokens[index].refused(error.code.rawValue, at: now)
        case .unreadable(let error): tokens[index].refused(error.code.rawValue, at: now)
        }
        return false
    }

    /// While another client's token is valid, the user still consents; also after a later sign-in without a code.
    private mutating func endsConsent(with token: Token, at now: Date) -> Bool {
        let latest = token.validAt + TokenOutcome.clockLeeway
        guard tokens.isEmpty, consentedAt ?? .distantPast <= latest else { return false }
        end(at: now)
        return true
    }
}

extension UserTokens.Token {
    fileprivate mutating func next(_ task: TokenTask, at dueAt: Date) {
        self.task = task
        self.dueAt = dueAt
        failureCount = 0
        refusal = nil
    }

    fileprivate mutating func refused(_ code: String, at now: Date) {
        refusal = code
        dueAt = now + task.schedule.refusedDelay
    }
}

extension TokenTask {
    fileprivate var schedule: AttemptSchedule {
        switch self {
        case .validation: .validation
        case .revocation: .revocation
        }
    }
}

extension Date {
    /// The end of this second: identity tokens have times in seconds, and within the same second the token counts.
    package var endOfSecond: Date {
        Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down) + 1)
    }
}

extension RefusedSignIn {
    /// The error of a token that is older than the end of the user's consent, such as a deletion.
    static let consentEnded = RefusedSignIn(
        "consent_revoked",
        .unauthorized,
        "You have stopped using Sign in with Apple here. Please sign in again.",
        hint: "consent ended, or the account was deleted, after the identity token was issued"
    )
}
