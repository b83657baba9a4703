import AppleIdentity
import CoreMetrics
import Crypto
import Foundation
import Logging
import ServiceLifecycle

/// Keeps Apple's refresh tokens in your database, asks Apple about each user once a day, and revokes tokens on deletion.
///
/// Add it to your server's services. Without it, Apple is never told of a deleted account, and a user who stops using the
/// app stays signed in if no notification arrives.
///
/// Call ``keep(_:in:)``, ``queueRevocations(of:issuer:in:)`` and ``handle(_:in:)`` in the transaction in which you change
/// the account: both happen, or neither. Several servers may share a store. A worker that ends before Apple responds
/// repeats the request two minutes later, which does no harm.
///
/// Sources: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user),
/// [Revoke tokens](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
public struct AppleTokens<Store: AppleTokenStore>: Service {
    private let apple: AppleSignIn
    private let store: Store
    private let sealer: TokenSealer
    private let onConsentEnded: @Sendable (UserID, _ issuer: String, Store) async throws -> Void
    private let logger: Logger

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - apple: the `AppleSignIn`, with the team's key.
    ///   - store: the store that the worker uses, outside of a transaction.
    ///   - sealer: encrypts the tokens, with a key of your own. Keep it apart from the database, and across restarts.
    ///   - logger: logs failed requests.
    ///   - onConsentEnded: called when Apple says that a user has stopped using the app, deleted the Apple Account, or
    ///     changed its password. End the user's sessions, in the transaction of the store.
    public init(
        _ apple: AppleSignIn,
        store: Store,
        sealer: TokenSealer,
        logger: Logger = Logger(label: "sign-in-with-apple"),
        onConsentEnded: @escaping @Sendable (UserID, _ issuer: String, Store) async throws -> Void
    ) {
        self.apple = apple
        self.store = store
        self.sealer = sealer
        self.logger = logger
        self.onConsentEnded = onConsentEnded
    }

    /// Keeps the refresh token of a sign-in.
    ///
    /// Call it for each sign-in, also for one without a code: tokens of the user that wait to be revoked are kept instead.
    /// A request to Apple that is under way at that moment cannot be stopped.
    ///
    /// - Parameters:
    ///   - signIn: the verified sign-in.
    ///   - store: the store of the transaction that stores the account and its name.
    /// - Throws: `RefusedSignIn` with the code `consent_revoked` if the token is older than a deletion or the end of the
    ///   user's consent; an error of the store.
    public func keep(_ signIn: VerifiedSignIn, in store: Store) async throws {
        try await keep(signIn.refreshToken, of: signIn.identity, in: store)
    }

    /// Keeps the refresh token of a sign-in that you verified yourself.
    ///
    /// - Parameters:
    ///   - refreshToken: the token; nil if Apple returned none.
    ///   - identity: the verified identity of the sign-in.
    ///   - store: the store of the transaction that stores the account and its name.
    /// - Throws: the errors of ``keep(_:in:)``.
    public func keep(
        _ refreshToken: String?,
        of identity: VerifiedIdentity,
        in store: Store
    ) async throws {
        let person = Self.person(identity.userID, identity.issuer)
        let context = Self.context(person, identity.clientID)
        let sealed = refreshToken.map { sealer.seal(Data($0.utf8), for: context) }
        try await change(person, in: store) {
            try $0.keep(sealed, of: identity, at: apple.time.now)
        }
    }

    /// Queues the revocation of a user's tokens at Apple, when the account is deleted.
    ///
    /// Identity tokens from before this moment sign nobody in any more.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - issuer: the issuer of the user's identity; nil for that of the configured service.
    ///   - store: the store of the transaction that deletes the account.
    /// - Throws: an error of the store.
    public func queueRevocations(
        of user: UserID,
        issuer: String? = nil,
        in store: Store
    ) async throws {
        let issuer = issuer ?? apple.configuration.service.issuer
        try await change(Self.person(user, issuer), in: store) {
            $0.queueRevocations(at: apple.time.now)
        }
    }

    /// Forgets a user, such as one whom you have migrated from another team.
    ///
    /// - Parameters:
    ///   - user: the user.
    ///   - issuer: the issuer of the user's identity; nil for that of the configured service.
    ///   - store: the store of the transaction that changes the account.
    /// - Throws: an error of the store.
    public func forget(_ user: UserID, issuer: String? = nil, in store: Store) async throws {
        let issuer = issuer ?? apple.configuration.service.issuer
        try await change(Self.person(user, issuer), in: store) { $0 = UserTokens() }
    }

    /// Records a notification of Apple, once.
    ///
    /// - Parameters:
    ///   - notification: the verified notification.
    ///   - store: the store of the transaction in which you act on it.
    /// - Returns: the event to act on; nil if the notification was handled before, or its event is older than the user's
    ///   latest sign-in or an event of the same kind.
    /// - Throws: an error of the store, after which Apple should send the notification again.
    public func handle(
        _ notification: VerifiedNotification,
        in store: Store
    ) async throws -> NotificationEvent? {
        let person = Self.person(notification.userID, notification.issuer)
        let isAccepted = try await change(person, in: store) {
            $0.accepts(notification, at: apple.time.now)
        }
        return isAccepted ? notification.event : nil
    }
}

extension AppleTokens {
    /// Seconds for which a claim is valid; far longer than an attempt takes.
    private static var claimDuration: TimeInterval { 120 }
    private static var pollInterval: Duration { .seconds(2) }
    private static var maximumConcurrency: Int { 4 }
    private var metrics: any MetricsFactory {
        apple.configuration.metrics ?? MetricsSystem.factory
    }

    /// Asks Apple about due tokens until the service shuts down; requests under way are completed.
    public func run() async throws {
        var countsAt = apple.time.now
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            if apple.time.now >= countsAt {
                countsAt = apple.time.now + 60
                await noting("cannot count refused tokens") {
                    Gauge(label: "siwa_apple_tokens_refused", factory: metrics)
                        .record(try await store.refusedCount())
                }
            }
            await processDue()
            do {
                try await cancelWhenGracefulShutdown {
                    try await apple.time.sleep(for: Self.pollInterval)
                }
            } catch {
                return
            }
        }
    }

    /// Asks Apple about each token that is due now, as a test or a command may do.
    ///
    /// - Returns: the number of users whose tokens were due.
    @discardableResult
    public func processDue() async -> Int {
        await attemptDue(maximumConcurrency: Self.maximumConcurrency) {
            await claim(maximumCount: $0)
        } attempt: { person, claim in
            await process(person, claim)
            return true
        }
        .attemptCount
    }

    private func claim(maximumCount: Int) async -> [(person: String, UserTokens.Claim)] {
        guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return [] }
        let now = apple.time.now
        var claimed: [(String, UserTokens.Claim)] = []
        await noting("cannot read Apple's tokens") {
            for record in try await store.dueRecords(at: now, maximumCount: maximumCount) {
                await noting("cannot claim Apple's tokens of a user") {
                    let claim = UserTokens.Claim(end: now + Self.claimDuration)
                    guard try await isClaimed(record, claim, at: now) else { return }
                    claimed.append((record.person, claim))
                }
            }
        }
        return claimed
    }

    /// Claims a record; false if another worker or a sign-in was faster, or there is nothing left to do.
    private func isClaimed(
        _ record: AppleTokenRecord,
        _ claim: UserTokens.Claim,
        at now: Date
    ) async throws -> Bool {
        guard var tokens = try? UserTokens(record) else {
            // It would be due first each time, and keep the others waiting.
            _ = try await store.replace(record, with: record.setAside(until: now + 86_400))
            throw AppleTokenError.unreadable
        }
        tokens.claim(claim)
        let new = try tokens.isForgotten(at: now) ? nil : tokens.record(record.person)
        return try await store.replace(record, with: new) && new != nil
    }

    /// Asks Apple about the due tokens of a user; each is read again just before.
    private func process(_ person: String, _ claim: UserTokens.Claim) async {
        await noting("the outcome of a request about a token is not stored yet") {
            while let token = try await next(person, claim) {
                let outcome = await apple.outcome(of: token.task, for: token.clientID) {
                    () throws(SealingError) in
                    let context = Self.context(person, token.clientID)
                    let text = try sealer.open(token.sealedToken, for: context)
                    return String(decoding: text, as: UTF8.self)
                }
                // Of a cancelled request nothing is known; the claim expires and another one follows.
                guard let outcome else { return }
                report(outcome, token)
                try await finish(token, outcome, person, claim)
            }
        }
    }

    private func next(
        _ person: String,
        _ claim: UserTokens.Claim
    ) async throws -> UserTokens.Token? {
        let now = apple.time.now
        return try await change(person, in: store) { tokens in
            let token = tokens.next(claim, at: now)
            if token == nil, tokens.claim == claim { tokens.claim(nil) }
            return token
        }
    }

    private func finish(
        _ token: UserTokens.Token,
        _ outcome: TokenOutcome,
        _ person: String,
        _ claim: UserTokens.Claim
    ) async throws {
        let (now, randomUnit) = (apple.time.now, Double.random(in: 0...1))
        try await store.transaction { store in
            let left = try await change(person, in: store) { tokens in
                let user = (tokens.userID, tokens.issuer)
                let isEnd = tokens.finish(token, outcome, claim, at: now, randomUnit: randomUnit)
                return isEnd ? user : (nil, nil)
            }
            guard let user = left.0, let issuer = left.1 else { return }
            try await onConsentEnded(user, issuer, store)
        }
    }

    private func report(_ outcome: TokenOutcome, _ token: UserTokens.Token) {
        var metadata: Logger.Metadata = [
            "task": "\(token.task.rawValue)", "client": "\(token.clientID)",
        ]
        let word: String
        switch outcome {
        case .done: word = "done"
        case .ended:
            word = "ended"
            logger.notice("a refresh token was revoked at Apple", metadata: metadata)
        case .failed(let error):
            word = "failed"
            metadata["code"] = "\(error.code)"
            logger.warning("Apple cannot be asked about a token yet", metadata: metadata)
        case .refused(let error):
            word = "refused"
            metadata["code"] = "\(error.code)"
            metadata["causes"] = .array(error.causes.map { "\($0)" })
            logger.error("a request about a token was refused", metadata: metadata)
        case .unreadable(let error):
            word = "refused"
            metadata["code"] = "\(error.code)"
            logger.error("a refresh token cannot be decrypted", metadata: metadata)
        }
        let dimensions = [("task", token.task.rawValue), ("outcome", word)]
        Counter(
            label: "siwa_apple_token_requests_total",
            dimensions: dimensions,
            factory: metrics
        ).increment()
    }

    private func noting(_ message: Logger.Message, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch {
            logger.error(message, metadata: ["error": "\(error)"])
        }
    }
}

extension AppleTokens {
    private static var maximumAttemptCount: Int { 5 }

    private static func person(_ user: UserID, _ issuer: String) -> String {
        let context = SealingContext(purpose: "apple-user", parts: [issuer, user.rawValue])
        return Hexadecimal.encode(SHA256.hash(data: context.associatedData))
    }

    /// A token that is copied into another row does not open there.
    private static func context(_ person: String, _ client: ClientID) -> SealingContext {
        SealingContext(purpose: "apple-token", parts: [person, client.rawValue])
    }

    /// Changes a record; begins again if another transaction has changed it meanwhile.
    ///
    /// A record that cannot be read is replaced: it must not keep the user from signing in.
    @discardableResult
    private func change<Result>(
        _ person: String,
        in store: Store,
        _ change: (inout UserTokens) throws -> Result
    ) async throws -> Result {
        for _ in 0..<Self.maximumAttemptCount {
            let old = try await store.record(of: person)
            var before = UserTokens()
            await noting("Apple's tokens of a user cannot be read") {
                if let old { before = try UserTokens(old) }
            }
            var after = before
            let result = try change(&after)
            if after == before { return result }
            let isForgotten = after.isForgotten(at: apple.time.now)
            let new = isForgotten ? nil : try after.record(person)
            guard old != nil || new != nil else { return result }
            if try await store.replace(old, with: new) { return result }
        }
        throw AppleTokenError.conflict
    }
}

/// An error of a store's records, after which the same request may succeed.
enum AppleTokenError: String, Error, CustomStringConvertible {
    case conflict = "other transactions change the record of the user"
    case unreadable = "the content of the record is not what the library wrote"

    var description: String { rawValue }
}

extension AppleTokenRecord {
    fileprivate func setAside(until dueAt: Date) -> AppleTokenRecord {
        AppleTokenRecord(
            person: person,
            version: SecureRandom.hexadecimal(byteCount: 16),
            dueAt: dueAt,
            isRefused: true,
            content: content
        )
    }
}

extension UserTokens {
    init(_ record: AppleTokenRecord) throws(AppleTokenError) {
        let content = Data(record.content.utf8)
        guard let tokens = try? JSONDecoder().decode(Self.self, from: content) else {
            throw .unreadable
        }
        self = tokens
    }

    func record(_ person: String) throws -> AppleTokenRecord {
        AppleTokenRecord(
            person: person,
            version: SecureRandom.hexadecimal(byteCount: 16),
            // A database may keep whole seconds: the row is never due before its tokens.
            dueAt: Date(timeIntervalSince1970: dueAt.timeIntervalSince1970.rounded(.up)),
            isRefused: isRefused,
            content: String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        )
    }
}
