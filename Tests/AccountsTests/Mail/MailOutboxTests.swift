import Accounts
import AccountsSQLite
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import Synchronization
import TestSupport
import Testing

@Suite("Mail in the outbox", .timeLimit(.minutes(1)), AccountsWorld.lending)
struct MailOutboxTests {
    private let world: AccountsWorld
    init() throws { world = try AccountsWorld.lent.0 }

    @Test("is sent once with the values of its order")
    func sent() async throws {
        let post = PostOffice()
        let order = try await enqueue()
        let worker = try world.worker(mail: post.sender)
        #expect(await worker.drain() == 1)
        #expect(await worker.drain() == 0)
        #expect(post.taken == [order])
        #expect(try await world.service().outboxBacklog().waitingCount == 0)
    }

    @Test("is retried after growing delays while the mail server does not accept it")
    func retried() async throws {
        let post = PostOffice()
        post.refuse(with: MailFailure("smtp_451", isRetryable: true, hint: "later"), count: 3)
        try await enqueue()
        let worker = try world.worker(mail: post.sender)
        var attempts: [Int] = []
        for second in 0..<12 {
            if await worker.drain() > 0 { attempts.append(second) }
            world.time.advance(bySeconds: 1)
        }
        #expect(attempts == [0, 1, 3, 7])
        #expect(post.taken.count == 1)
        #expect(world.log.text.contains("\"hint\": later"))
    }

    @Test("to one recipient does not make mail to others due")
    func separate() async throws {
        let post = PostOffice()
        post.refuse(with: MailFailure("smtp_450", isRetryable: true, hint: "later"), count: 1)
        try await enqueue()
        let worker = try world.worker(mail: post.sender)
        await worker.drain()
        try await enqueue(address: "noah@example.com")
        #expect(await worker.drain() == 1)
        #expect(post.taken.map(\.address) == ["noah@example.com"])
    }

    @Test("that is permanently refused is kept until it expires")
    func refused() async throws {
        let post = PostOffice()
        post.refuse(with: MailFailure("smtp_550", isRetryable: false, hint: "no"), count: 9)
        try await enqueue()
        let worker = try world.worker(mail: post.sender)
        await worker.drain()
        let refused = try await world.service().outboxBacklog()
        #expect(refused.refusedCount == 1)
        #expect(refused.errorCounts == ["smtp_550": 1])
        world.time.advance(bySeconds: 6 * 3600)
        try await world.runUntilIdle(worker)
        let left = try await world.service().outboxBacklog()
        #expect(left.refusedCount + left.waitingCount == 0)
        #expect(post.askedCount == 1)
    }

    @Test("to an address that takes no mail is dropped only at Apple's relay")
    func closed() async throws {
        let post = PostOffice()
        let closed = MailFailure("smtp_550", isRetryable: false, hint: "", refusesRecipient: true)
        post.refuse(with: closed, count: 2)
        let worker = try world.worker(mail: post.sender)
        for (address, refusedCount) in [
            ("x1@privaterelay.appleid.com", 0), ("maya@example.com", 1),
        ] {
            try await enqueue(address: address)
            await worker.drain()
            let backlog = try await world.service().outboxBacklog()
            #expect(backlog.refusedCount == refusedCount && backlog.waitingCount == 0)
        }
    }

    @Test("waits for a server with SMTP, and is dropped by one without it after a week")
    func withoutServer() async throws {
        let post = PostOffice()
        try await enqueue()
        let order = try await enqueue(.accountDeleted)
        #expect(try await world.worker().drain() == 0)
        #expect(try await world.worker(mail: post.sender).drain() == 2)
        #expect(post.taken.contains(order))

        try await enqueue()
        try await enqueue(.accountDeleted)
        world.time.advance(bySeconds: 7 * 86_400 - 1)
        #expect(try await world.worker().drain() == 0)
        world.time.advance(bySeconds: 1)
        #expect(try await world.worker().drain() == 2)
        #expect(try await world.service().outboxBacklog().waitingCount == 0)
    }

    @Test("that a user waits for is sent while twenty notices wait for a mail server that hangs")
    func awaited() async throws {
        let sent = LockedValue<[MailOrder.Kind]>([])
        let hanging = MailSender { order, _ in
            if order.kind == .newSignIn { await Signal().wait() }
            sent.withLock { $0.append(order.kind) }
        }
        for _ in 0..<20 { try await enqueue(.newSignIn) }
        try await enqueue(.passwordReset)
        try await enqueue(.verification)
        let worker = try world.worker(mail: hanging)
        let draining = Task { await worker.drain() }
        try await waitUntil { Set(sent.withLock(\.self)) == [.passwordReset, .verification] }
        draining.cancel()
        _ = await draining.value
    }

    @Test("does not wait for another one at which the mail server hangs")
    func oneHangs() async throws {
        let (sentCount, isFirst) = (LockedValue(0), LockedValue(true))
        let end = Signal()
        let sender = MailSender { _, _ in
            let hangs = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if hangs { await end.wait() }
            sentCount.withLock { $0 += 1 }
        }
        for _ in 0..<20 { try await enqueue(.newSignIn) }
        let worker = try world.worker(mail: sender)
        let draining = Task { await worker.drain() }
        try await waitUntil { sentCount.withLock(\.self) == 19 }
        end.send()
        #expect(await draining.value == 20)
    }

    @Test("is sent until it expires, and dropped from then on")
    func expired() async throws {
        let post = PostOffice()
        try await enqueue()
        try await enqueue(address: "noah@example.com", at: 1)
        world.time.advance(bySeconds: 1800)
        try await world.worker(mail: post.sender).drain()
        #expect(post.taken.map(\.address) == ["noah@example.com"])
        #expect(try await world.service().outboxBacklog().waitingCount == 0)
        #expect(world.log.text.contains("outbox entry expired and was dropped"))
    }

    @Test("is not sent when its order was moved to another entry, or the key is missing")
    func bound() async throws {
        let post = PostOffice()
        try await enqueue()
        try await execute("UPDATE outbox SET id = 'other'", on: world.sqlite)
        try await world.worker(mail: post.sender).drain()
        #expect(try await world.service().outboxBacklog().errorCounts == ["sealed_text_invalid": 1])

        try await execute("DELETE FROM outbox", on: world.sqlite)
        let lost = try TokenSealer(keys: TokenSealer.makeKey(identifier: "lost"))
        try await enqueue(sealer: lost)
        try await world.worker(mail: post.sender).drain()
        #expect(try await world.service().outboxBacklog().errorCounts == ["sealing_key_unknown": 1])
        #expect(post.askedCount == 0)
    }

    @Test("leaves no email address, name or link in the log")
    func log() async throws {
        let post = PostOffice()
        post.refuse(with: MailFailure("smtp_451", isRetryable: true, hint: "later"), count: 1)
        post.refuse(with: MailFailure("smtp_550", isRetryable: false, hint: "no"), count: 1)
        for _ in 0..<3 { try await enqueue() }
        try await world.worker(mail: post.sender).drain()
        world.time.advance(bySeconds: 1800)
        try await world.worker(mail: post.sender).drain()
        #expect(world.log.text.contains("outbox entry done"))
        #expect(world.log.text.contains("smtp_550"))
        for word in ["maya", "Maya", "example.com", "secret-of-the-link", "passwordReset"] {
            #expect(!world.log.text.contains(word))
        }
    }

    @discardableResult
    private func enqueue(
        _ kind: MailOrder.Kind = .passwordReset,
        address: String = "maya@example.com",
        at seconds: TimeInterval = 0,
        sealer: TokenSealer? = nil
    ) async throws -> MailOrder {
        let order = MailOrder(
            kind: kind,
            address: address,
            language: "en",
            name: "Maya",
            linkToken: "secret-of-the-link",
            occurredAt: world.time.now.addingTimeInterval(seconds)
        )
        let entry = try order.entry(
            id: .random(),
            account: "account",
            sealedBy: sealer ?? world.sealer
        )
        let due = Int64(world.time.now.timeIntervalSince1970) * 1_000_000
        try await execute(
            """
            INSERT INTO outbox (id, kind, payload, created_at, next_attempt_at)
            VALUES ('\(entry.id)', '\(entry.task.kind.rawValue)', '\(try entry.task.payload())',
                \(due), \(due))
            """,
            on: world.sqlite
        )
        return order
    }
}

/// Takes mail, or refuses it as it is told.
private final class PostOffice: Sendable {
    private struct State {
        var refusals: [MailFailure] = []
        var taken: [MailOrder] = []
        var askedCount = 0
    }

    private let state = Mutex(State())

    var taken: [MailOrder] { state.withLock(\.taken) }

    var askedCount: Int { state.withLock(\.askedCount) }

    var sender: MailSender {
        MailSender { [self] order, _ throws(MailFailure) in
            let refusal: MailFailure? = state.withLock { state in
                state.askedCount += 1
                guard state.refusals.isEmpty else { return state.refusals.removeFirst() }
                state.taken.append(order)
                return nil
            }
            if let refusal { throw refusal }
        }
    }

    func refuse(with failure: MailFailure, count: Int) {
        state.withLock { $0.refusals += Array(repeating: failure, count: count) }
    }
}
