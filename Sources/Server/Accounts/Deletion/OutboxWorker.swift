import AppleIdentity
import CoreMetrics
import Foundation
import Logging
import ServiceLifecycle
import SignInWithApple

/// Processes the outbox, each entry at least once: revokes refresh tokens at Apple and sends mail.
///
/// Several workers, even in several processes, may share a store, because a worker claims an entry first. The claims
/// of a worker that dies expire. Revoking a token twice does no harm, and a mail that is sent twice has the same
/// identifier.
///
/// Source: [Revoke tokens](https://developer.apple.com/documentation/signinwithapplerestapi/revoke-tokens)
package struct OutboxWorker: Service {
    private let store: AccountStore
    private let apple: AppleSignIn
    private let mail: MailSender?
    private let sealer: TokenSealer
    private let schedule: OutboxSchedule
    private let signal: Signal
    private let time: TimeSource
    private let randomUnit: @Sendable () -> Double
    private let logger: Logger
    private let measures: OutboxMeasures
    private let relayRefusals = RelayRefusals()
    private let name = SecureRandom.hexadecimal(byteCount: 8)

    package init(
        store: AccountStore,
        apple: AppleSignIn,
        mail: MailSender? = nil,
        sealer: TokenSealer,
        schedule: OutboxSchedule = OutboxSchedule(),
        signal: Signal = Signal(),
        time: TimeSource = .live,
        randomUnit: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.store = store
        self.apple = apple
        self.mail = mail
        self.sealer = sealer
        self.schedule = schedule
        self.signal = signal
        self.time = time
        self.randomUnit = randomUnit
        self.logger = logger
        measures = OutboxMeasures(metrics)
    }

    /// Processes the outbox until the service shuts down; attempts under way are completed.
    ///
    /// Each kind is processed on its own: a mail server that hangs delays no revocation, and Apple delays no mail.
    package func run() async throws {
        await withTaskGroup { group in
            let signals = OutboxTask.Kind.allCases.map { kind in
                let signal = Signal()
                group.addTask { await run(kind, signal) }
                return signal
            }
            while !Task.isCancelled, !Task.isShuttingDownGracefully {
                await cancelWhenGracefulShutdown { await signal.wait() }
                for signal in signals { signal.send() }
            }
        }
    }

    private func run(_ kind: OutboxTask.Kind, _ signal: Signal) async {
        var requeuesAt = time.now
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            if time.now >= requeuesAt, await requeueRefused(kind) {
                requeuesAt = time.now.addingTimeInterval(schedule.attempts.refusedDelay)
            }
            await drain(kind)
            do {
                try await cancelWhenGracefulShutdown {
                    try await signal.wait(atMost: .seconds(schedule.pollInterval), on: time)
                }
            } catch {
                return
            }
        }
    }

    /// Makes one attempt for every due entry and returns the number of attempts.
    @discardableResult
    package func drain() async -> Int {
        await withTaskGroup { group in
            for kind in OutboxTask.Kind.allCases { group.addTask { await drain(kind) } }
            return await group.reduce(0, +)
        }
    }

    /// Processes a kind; after a success, also retries entries that failed earlier for a shared cause.
    @discardableResult
    private func drain(_ kind: OutboxTask.Kind) async -> Int {
        let (attemptCount, isAnyDone) = await attempts(kind)
        if attemptCount > 0, kind != .revocation { mail?.disconnect() }
        guard isAnyDone, kind.sharesCause, await makeFailedDue(kind) else { return attemptCount }
        return await attemptCount + attempts(kind).attemptCount
    }

    private func attempts(_ kind: OutboxTask.Kind) async -> (attemptCount: Int, isAnyDone: Bool) {
        await attemptDue(maximumConcurrency: schedule.maximumConcurrency) {
            await claim(kind, maximumCount: $0)
        } attempt: {
            await attempt($0)
        }
    }

    /// Makes failed entries due and returns whether there were any.
    private func makeFailedDue(_ kind: OutboxTask.Kind) async -> Bool {
        do {
            return try await store.makeFailedEntriesDue(kind, now: time.now) > 0
        } catch {
            logger.error("cannot reach the outbox", metadata: ["hint": "\(error.hint)"])
            return false
        }
    }

    /// Makes refused entries due, because the cause may have been a configuration mistake that is now fixed; returns
    /// false when the store fails.
    package func requeueRefused(_ kind: OutboxTask.Kind) async -> Bool {
        do {
            let count = try await store.requeueRefusedEntries(kind, now: time.now)
            guard count > 0 else { return true }
            logger.warning("retrying refused outbox entries", metadata: ["count": "\(count)"])
            return true
        } catch {
            logger.error("cannot reach the outbox", metadata: ["hint": "\(error.hint)"])
            return false
        }
    }

    /// Claims due entries; without a mail server only mail that has expired, which is dropped.
    private func claim(_ kind: OutboxTask.Kind, maximumCount: Int) async -> [OutboxEntry] {
        guard !Task.isCancelled, !Task.isShuttingDownGracefully else { return [] }
        let now = time.now
        let leavesMail = kind != .revocation && mail == nil
        let claim = OutboxClaim(
            worker: name,
            kind: kind,
            maximumCount: maximumCount,
            now: leavesMail ? now.addingTimeInterval(-MailOrder.undoLifetime) : now,
            until: now.addingTimeInterval(schedule.claimDuration)
        )
        do {
            return try await store.claimEntries(claim)
        } catch {
            logger.error("cannot reach the outbox", metadata: ["hint": "\(error.hint)"])
            return []
        }
    }

    /// Makes an attempt and returns whether the task is done.
    private func attempt(_ entry: OutboxEntry) async -> Bool {
        let result: OutboxResult? =
            switch entry.task {
            case .revocation(let token): await revoke(token, attemptCount: entry.attemptCount + 1)
            case .mail(let mail): await send(mail, of: entry)
            }
        // A cancelled attempt has no result; the claim expires and another attempt follows.
        guard let result, !Task.isCancelled || result == .done else { return false }
        measures.count(result, of: entry.task.kind)
        report(result, of: entry)
        do {
            try await store.finishEntry(entry.id, worker: name, result: result)
        } catch {
            logger.error(
                "cannot store the result of an outbox entry",
                metadata: ["hint": "\(error.hint)"]
            )
        }
        return result == .done
    }

    private func revoke(_ sealed: RefreshToken, attemptCount: Int) async -> OutboxResult? {
        let outcome = await apple.outcome(of: .revocation, for: sealed.clientID) {
            () throws(SealingError) in try sealed.opened(by: sealer)
        }
        return switch outcome {
        case .done, .ended: .done
        case .failed(let error): failed(error.code.rawValue, attemptCount: attemptCount)
        case .refused(let error): .refused(code: error.code.rawValue)
        case .unreadable(let error): .refused(code: error.code.rawValue)
        case nil: nil
        }
    }

    private func send(_ sealed: SealedMail, of entry: OutboxEntry) async -> OutboxResult {
        guard let mail, time.now < sealed.expiresAt else { return .expired }
        var order: MailOrder
        do {
            order = try sealed.order(of: entry.id, openedBy: sealer)
        } catch {
            let code = (error as? SealingError)?.code.rawValue ?? "mail_unreadable"
            return .refused(code: code)
        }
        guard let recipient = sealed.recipient else {
            return await send(order, to: nil, by: mail, of: entry)
        }
        let account: Account?
        do {
            account = try await store.account(recipient)
        } catch {
            return failed("store_unavailable", attemptCount: entry.attemptCount + 1)
        }
        // The account was deleted or has no deliverable email address: there is no recipient.
        guard let account, account.emailDeliverable, let email = account.email else { return .done }
        order.address = email.text
        return await send(order, to: account, by: mail, of: entry)
    }

    private func send(
        _ order: MailOrder,
        to account: Account?,
        by mail: MailSender,
        of entry: OutboxEntry
    ) async -> OutboxResult {
        let isRelayed =
            account?.email?.isPrivateRelay == true
            || apple.configuration.relayDomains.isRelayAddress(order.address)
        do throws(MailFailure) {
            try await mail.send(order, entry.id)
            if isRelayed { relayRefusals.end() }
            return .done
        } catch {
            if isRelayed, error.refusesRecipient {
                relayRefusals.add(order.address, of: account?.id)
                return await relayRefused(error, order.address, of: account?.id, entry)
            }
            tell(error, of: entry)
            guard error.isRetryable else { return .refused(code: error.code) }
            return failed(error.code, attemptCount: entry.attemptCount + 1)
        }
    }

    /// Drops a mail that a relay address refused, and marks the address: forwarding is off, or consent has ended.
    ///
    /// If too many addresses in a row refuse mail, the mail server is the cause: no address stays marked, and the mail
    /// is kept for an operator.
    private func relayRefused(
        _ failure: MailFailure,
        _ address: String,
        of account: AccountID?,
        _ entry: OutboxEntry
    ) async -> OutboxResult {
        do {
            if let account, !relayRefusals.areMailServersFault {
                _ = try await store.markRelayAddress(address, of: account, isRefused: true)
            }
            guard relayRefusals.areMailServersFault else {
                logger.notice(
                    "a relay address refused mail, which is dropped",
                    metadata: ["entry": "\(entry.id)", "code": "\(failure.code)"]
                )
                return .done
            }
            for (address, account) in relayRefusals.marked {
                _ = try await store.markRelayAddress(address, of: account, isRefused: false)
                relayRefusals.unmark(address)
            }
        } catch {
            return failed("store_unavailable", attemptCount: entry.attemptCount + 1)
        }
        logger.error(
            "mail was refused by ten relay addresses in a row: the mail server may not relay mail"
        )
        tell(failure, of: entry)
        return .refused(code: failure.code)
    }

    /// Logs the hint, because the code does not say what to do.
    private func tell(_ failure: MailFailure, of entry: OutboxEntry) {
        logger.log(
            level: failure.isRetryable ? .warning : .error,
            "the mail server did not accept a message",
            metadata: [
                "entry": "\(entry.id)", "code": "\(failure.code)", "hint": "\(failure.hint)",
            ]
        )
    }

    private func failed(_ code: String, attemptCount: Int) -> OutboxResult {
        let delay = schedule.delay(afterAttempts: attemptCount, randomUnit: randomUnit())
        return .failed(code: code, nextAttemptAt: time.now.addingTimeInterval(delay))
    }

    private func report(_ result: OutboxResult, of entry: OutboxEntry) {
        var metadata: Logger.Metadata = [
            "entry": "\(entry.id)", "kind": "\(entry.task.kind.rawValue)",
            "attempt": "\(entry.attemptCount + 1)",
        ]
        metadata["client"] = entry.task.refreshToken.map { "\($0.clientID)" }
        switch result {
        case .done:
            logger.notice("outbox entry done", metadata: metadata)
        case .expired:
            logger.warning("outbox entry expired and was dropped", metadata: metadata)
        case .failed(let code, let next):
            metadata["code"] = "\(code)"
            metadata["next"] = "\(next)"
            logger.warning("outbox entry failed and will be tried again", metadata: metadata)
        case .refused(let code):
            metadata["code"] = "\(code)"
            logger.error("outbox entry was refused and is kept", metadata: metadata)
        }
    }
}
