import Accounts
import Foundation
import SignInWithApple
import Testing

@Suite("A mail order") struct MailOrderTests {
    private let order = MailOrder(
        kind: .passwordReset,
        address: "maya@example.com",
        language: "de",
        name: "Maya Appleseed",
        linkToken: "a-secret-of-the-link",
        device: "Firefox on Linux",
        occurredAt: Date(timeIntervalSince1970: 1_769_000_000)
    )
    private let account: AccountID = "0123456789abcdef"

    @Test("survives the outbox's payload")
    func payload() throws {
        let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
        let entry = try order.entry(id: "entry", account: account, sealedBy: sealer)
        let payload = try entry.task.payload()
        let read = try OutboxTask(kind: entry.task.kind, payload: payload)
        #expect(read == entry.task)
        #expect(entry.createdAt == order.occurredAt)
        #expect(entry.attemptCount == 0)
    }

    @Test("reveals neither the user nor the event in the outbox")
    func hidden() throws {
        let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
        let entry = try order.entry(id: "entry", account: account, sealedBy: sealer)
        let payload = try entry.task.payload()
        #expect(payload.contains("1769001800"), "the end alone can be read")
        for word in [
            "maya", "Maya", "example.com", "secret", "Firefox", "password", account.rawValue,
        ] {
            #expect(!payload.contains(word))
            let base64 = Data(word.utf8).base64EncodedString().prefix(word.utf8.count)
            #expect(!payload.contains(base64))
        }
        #expect(entry.person == account.mailHash)
    }

    @Test(
        "expires after half an hour with a password reset link, or after a day",
        arguments: MailOrder.Kind.allCases
    )
    func lifetime(kind: MailOrder.Kind) {
        let order = MailOrder(
            kind: kind,
            address: "maya@example.com",
            language: "en",
            occurredAt: self.order.occurredAt
        )
        let seconds: TimeInterval =
            switch kind {
            case .passwordReset: 1800
            default: 86_400
            }
        #expect(order.expiresAt == order.occurredAt.addingTimeInterval(seconds))
    }

    @Test("lives for a week with a link that undoes the change")
    func undoLifetime() {
        let order = MailOrder(
            kind: .passwordChanged,
            language: "en",
            linkToken: "a-secret-of-the-link",
            occurredAt: self.order.occurredAt
        )
        #expect(order.undoesChange && !self.order.undoesChange)
        #expect(order.expiresAt == order.occurredAt.addingTimeInterval(7 * 86_400))
    }

    @Test("is of its own kind when a user waits for it", arguments: MailOrder.Kind.allCases)
    func awaited(kind: MailOrder.Kind) throws {
        let order = MailOrder(kind: kind, language: "en", occurredAt: order.occurredAt)
        let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k"))
        let task = try order.entry(id: "1", account: "2", sealedBy: sealer).task
        let isAwaited = kind == .passwordReset || kind == .verification
        #expect(task.kind == (isAwaited ? .awaitedMail : .mail))
        #expect(try OutboxTask(kind: task.kind, payload: task.payload()) == task)
    }

    @Test("is refused when it can't be read", arguments: ["", "{}", #"{"sealedOrder": 1}"#])
    func unreadable(payload: String) {
        let error = #expect(throws: AccountStoreError.self) {
            try OutboxTask(kind: .mail, payload: payload)
        }
        #expect(error?.hint == "an outbox entry can't be read: mail")
    }
}
