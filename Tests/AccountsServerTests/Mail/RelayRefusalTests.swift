import Accounts
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import Logging
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import AccountsServer
@testable import MailTransport

@Suite("Mail that Apple's relay refuses", .timeLimit(.minutes(5)))
struct RelayRefusalTests {
    @Test("to an address without forwarding is dropped until the next sign-in")
    func closed() async throws {
        try await RelayWorld.with { world in
            let maya = try await world.signIn(on: "phone").account
            try await world.setForwarding(false)
            try await world.sendNotice()
            #expect(try await world.isDeliverable(maya) == false)
            #expect(world.log.text.contains("a relay address refused mail"))
            #expect(!world.log.text.contains("privaterelay"))
            try await world.expectOutbox(refusedCount: 0)

            try await world.setForwarding(true)
            _ = try await world.signIn(on: "phone")
            #expect(try await world.isDeliverable(maya))
            try await world.sendNotice()
            #expect(try await world.relay.mail(count: 1).count == 1)
            #expect(try await world.isDeliverable(maya))
        }
    }

    @Test("is dropped until Apple reports that it is forwarded again")
    func enabled() async throws {
        try await RelayWorld.with { world in
            let maya = try await world.signIn(on: "phone").account
            try await world.setForwarding(false)
            try await world.sendNotice()
            #expect(try await world.isDeliverable(maya) == false)
            let enabled = AppleEvent(
                person: try #require(maya.apple?.person),
                change: .emailEnabled(address: maya.email?.text),
                eventTime: world.relay.apple.time.now,
                notificationID: "enabled",
                rememberedUntil: .distantFuture,
                now: world.relay.apple.time.now
            )
            #expect(try await world.store.apply(enabled) == .applied(maya.id))
            #expect(try await world.isDeliverable(maya))
        }
    }

    @Test("to ten addresses in a row is the mail server's fault, and marks none of them")
    func tenInARow() async throws {
        try await RelayWorld.with { world in
            var accounts: [Account] = []
            for number in 1...10 {
                let email = "person\(number)@example.com"
                _ = try await world.relay.apple.emulator.add(.person, ["email": .string(email)])
                accounts.append(try await world.signIn(email, on: "phone").account)
                try await world.setForwarding(false, email)
            }
            for number in 1...9 {
                try await world.sendNotice("person\(number)@example.com")
                // The same address again counts once.
                _ = try await world.signIn("person\(number)@example.com", on: "phone")
                try await world.sendNotice("person\(number)@example.com")
            }
            for account in accounts.dropLast() {
                #expect(try await world.isDeliverable(account) == false)
            }
            try await world.expectOutbox(refusedCount: 0)
            try await world.sendNotice("person10@example.com")
            for account in accounts { #expect(try await world.isDeliverable(account)) }
            try await world.expectOutbox(refusedCount: 1)
            #expect(world.log.text.contains("refused by ten relay addresses in a row"))
            try await world.sendNotice("person1@example.com")
            #expect(try await world.isDeliverable(accounts[0]))
            try await world.expectOutbox(refusedCount: 2)

            // The relay accepts mail again: a refusal is the user's own choice.
            _ = try await world.signIn(on: "phone")
            try await world.sendNotice()
            try await world.sendNotice("person2@example.com")
            #expect(try await world.isDeliverable(accounts[1]) == false)
            try await world.expectOutbox(refusedCount: 2)
        }
    }

    @Test("of an unregistered sender stays for the operator")
    func unregistered() async throws {
        try await RelayWorld.with(sender: "no-reply@unknown.example.com") { world in
            let maya = try await world.signIn(on: "phone").account
            try await world.sendNotice()
            #expect(try await world.isDeliverable(maya))
            try await world.expectOutbox(refusedCount: 1)
        }
    }
}

/// An accounts service whose mail goes through the emulator's relay, over SMTP.
private struct RelayWorld: Sendable {
    let relay: MailRelay
    let store: AccountStore
    let service: AccountsService
    let worker: OutboxWorker
    let log: LogRecorder

    static func with(
        sender: String = "no-reply@juice.example.com",
        _ body: @escaping @Sendable (RelayWorld) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            try await MailRelay.with { relay in
                let store = try AccountStore(
                    SQLiteDatabase(path: folder.appending(path: "db").path())
                )
                defer { try? store.close() }
                let settings = try relay.settings(from: sender)
                let renderer = try MailRenderer(
                    appName: "Juice",
                    origin: .sample(),
                    sender: settings.sender
                )
                let log = LogRecorder()
                let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
                var configuration = AccountsConfiguration()
                configuration.hasMail = true
                let world = RelayWorld(
                    relay: relay,
                    store: store,
                    service: AccountsService(
                        store: store,
                        sealer: sealer,
                        configuration: configuration,
                        time: relay.apple.time.source,
                        logger: .quiet
                    ),
                    worker: OutboxWorker(
                        store: store,
                        apple: try relay.apple.signIn(),
                        mail: MailSender(SMTPTransport(to: settings.server), renderer),
                        sealer: sealer,
                        time: relay.apple.time.source,
                        logger: log.logger
                    ),
                    log: log
                )
                try await body(world)
            }
        }
    }

    @discardableResult
    func signIn(
        _ email: String = "maya@example.com",
        on device: String
    ) async throws -> SignInReceipt {
        // A token of the same second would count as one from before a refusal.
        relay.apple.time.advance(bySeconds: 1)
        let credential = try await relay.apple.credentials(for: email, hidesEmail: true)
        let identity = try await relay.apple.signIn().verify(
            credential.identityToken,
            expecting: IdentityTokenExpectation(nonce: .absent)
        )
        let check = try service.check(
            identity,
            credential.identityToken,
            nonce: nil,
            from: .serverOrApp,
            client: ClientDescription(device: device)
        )
        return try await service.onSignIn(check, grant: nil)
    }

    /// Signs in on another device, of which a mail tells the user, and sends that.
    func sendNotice(_ email: String = "maya@example.com") async throws {
        try await signIn(email, on: "device \(UUID().uuidString)")
        await worker.drain()
    }

    func setForwarding(_ isEnabled: Bool, _ email: String = "maya@example.com") async throws {
        relay.apple.time.advance(bySeconds: 1)
        try await relay.apple.emulator.setForwarding(
            email,
            clientID: "com.example.juice",
            enabled: isEnabled
        )
    }

    func isDeliverable(_ account: Account) async throws -> Bool {
        try #require(try await store.account(account.id)).emailDeliverable
    }

    func expectOutbox(refusedCount: Int) async throws {
        let backlog = try await store.outboxBacklog()
        #expect(backlog.waitingCount == 0 && backlog.refusedCount == refusedCount)
    }
}
