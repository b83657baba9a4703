import Accounts
import AccountsSQLite
import AccountsServer
import AppleIdentity
import Foundation
import GRDB
import MailTransport
import SignInWithApple

/// How fast the outbox hands mail to the emulator's relay, and how long a user waits for a link meanwhile.
///
/// Worker, database and relay share this process.
struct MailReport {
    /// What the relay has taken.
    private struct Taken: Sendable {
        var count = 0
        var resetAt: ContinuousClock.Instant?
    }

    /// How many notices are queued at first.
    private static let noticeCount = 10_000
    /// How many of them are sent before the user asks for the link.
    private static let earlierCount = 500
    /// How many mails are sent without an outbox.
    private static let plainCount = 2_000
    /// As many as the transport sends at once.
    private static let laneCount = 4
    /// How often it is asked whether mail was taken.
    private static let pollTime = Duration.milliseconds(1)

    private let configuration: AccountsServerConfiguration
    private let store: SQLiteAccountStore
    private let database: DatabaseQueue
    private let relay: MailSender
    private let taken = LockedValue(Taken())

    private init(folder: URL, relay address: String) throws {
        guard let apple = URL(string: "http://127.0.0.1:1") else { throw BenchError("no URL") }
        configuration = try BenchServer.configuration(folder: folder, keys: apple)
        guard let origin = configuration.origins.first else { throw BenchError("no origin") }
        let path = folder.appending(path: "siwa.sqlite").path
        store = try SQLiteAccountStore(path: path)
        var settings = Configuration()
        settings.busyMode = .timeout(10)
        database = try DatabaseQueue(path: path, configuration: settings)
        relay = MailSender(
            SMTPTransport(to: try SMTPServer("smtp://\(address)")),
            try MailRenderer(
                appName: "Juice",
                origin: origin,
                sender: try Mailbox("no-reply@juice.example.com")
            )
        )
    }

    static func make() async throws -> [FigureTable] {
        let report = try MailReport(
            folder: try BenchFolder.make(),
            relay: await BenchServer.relay()
        )
        let plain = try await report.plainRate()
        let (rate, reset, all) = try await report.measure()
        return [
            FigureTable(
                title: "Mail to the emulator's relay",
                unit: "a second",
                rows: [
                    .init(name: "without an outbox", value: plain, isFloor: true),
                    .init(name: "from the outbox, \(noticeCount) notices", value: rate),
                ]
            ),
            FigureTable(
                title: "Age of mail when the relay has taken it, \(noticeCount) notices queued",
                unit: "ms",
                rows: [
                    .init(name: "the last notice", value: all * 1_000, isFloor: true),
                    .init(name: "a password reset meanwhile", value: reset * 1_000),
                ]
            ),
        ]
    }

    private func plainRate() async throws -> Double {
        let orders = (0..<Self.plainCount).map { Self.order(.newSignIn, number: $0) }
        let rate = try await rate(count: orders.count) {
            try await Load.concurrently(orders, lanes: Self.laneCount) {
                try await relay.send($0, .random())
            }
        }
        relay.disconnect()
        return rate
    }

    /// Sends the notices, and a reset among them; returns the rate, and the ages of the reset and of the last notice.
    private func measure() async throws -> (rate: Double, reset: Double, all: Double) {
        try await enqueue((0..<Self.noticeCount).map { Self.order(.newSignIn, number: $0) })
        let signal = Signal()
        let worker = OutboxWorker(
            store: store,
            apple: AppleSignIn(configuration: configuration.apple),
            mail: MailSender(send, disconnect: relay.disconnect),
            sealer: configuration.sealer,
            signal: signal,
            logger: BenchServer.quietLogger
        )
        let start = ContinuousClock.now
        let running = Task { try await worker.run() }
        try await wait { $0.count >= Self.earlierCount }
        let asked = ContinuousClock.now
        try await enqueue([Self.order(.passwordReset, number: Self.noticeCount)])
        signal.send()
        try await wait { $0.resetAt != nil }
        try await wait { $0.count > Self.noticeCount }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        running.cancel()
        try await running.value
        let resetAt = taken.withLock(\.resetAt) ?? asked
        return (Double(Self.noticeCount) / seconds, (resetAt - asked) / .seconds(1), seconds)
    }

    private func send(_ order: MailOrder, _ id: OutboxID) async throws(MailFailure) {
        try await relay.send(order, id)
        taken.withLock { taken in
            taken.count += 1
            if order.kind == .passwordReset { taken.resetAt = .now }
        }
    }

    private func wait(until isSo: (Taken) -> Bool) async throws {
        while !isSo(taken.withLock(\.self)) { try await Task.sleep(for: Self.pollTime) }
    }

    private static func order(_ kind: MailOrder.Kind, number: Int) -> MailOrder {
        MailOrder(
            kind: kind,
            address: "person\(number)@example.com",
            language: "en",
            name: "Maya No\(number)",
            linkToken: kind == .passwordReset ? "a-secret-of-the-link" : nil,
            device: "Firefox on Linux",
            occurredAt: Date()
        )
    }

    /// Queues mail in one transaction, as the rules of the accounts would.
    private func enqueue(_ orders: [MailOrder]) async throws {
        let account = Account(
            id: "bench",
            email: EmailAddress(text: "maya@example.com", isVerified: true, isPrivateRelay: false),
            createdAt: Date()
        )
        let entries = try orders.compactMap {
            try $0.notice(sealedBy: configuration.sealer).entry(to: account)
        }
        try await database.write { database in
            for entry in entries {
                let time = Int64(entry.createdAt.timeIntervalSince1970 * 1_000_000)
                try database.execute(
                    sql: """
                        INSERT INTO outbox (id, kind, payload, created_at, next_attempt_at)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        entry.id.rawValue, entry.task.kind.rawValue, try entry.task.payload(),
                        time, time,
                    ]
                )
            }
        }
    }
}
