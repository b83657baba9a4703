import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import Testing

@Suite("A notification from Apple", AccountsWorld.lending) struct NotificationTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    private let maya = "maya@example.com"
    private let juice: ClientID = "com.example.juice"

    @Test("of the end of consent ends the sessions; a later sign-in is a new consent")
    func stopUsing() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        let other = try await service.signIn(world.nativeRequest())
        try await world.apple.emulator.stopUsing(maya, clientID: juice)
        #expect(await world.deliver(to: service) == [200])
        #expect(await !world.signedIn(receipt, in: service))
        #expect(await !world.signedIn(other, in: service))

        world.time.advance(bySeconds: 60)
        let back = try await service.signIn(world.nativeRequest())
        #expect(!back.isNewAccount)
        #expect(back.account.id == receipt.account.id)
        #expect(back.account.name?.text == "Maya Lindgren")
        #expect(back.account.apple?.linkedAt == world.time.now)
    }

    @Test("of an end of consent before the latest sign-in ends nothing, however late it arrives")
    func lateNotification() async throws {
        _ = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 60)
        try await world.apple.emulator.stopUsing(maya, clientID: juice)
        world.time.advance(bySeconds: 60)
        let back = try await service.signIn(world.nativeRequest())
        #expect(await world.deliver(to: service) == [200])
        #expect(await world.signedIn(back, in: service))
    }

    @Test("that is late does not let an older identity token sign in")
    func olderToken() async throws {
        var request = try await world.nativeRequest()
        // A code would be refused by Apple itself.
        request.code = nil
        world.time.advance(bySeconds: 60)
        try await world.apple.emulator.stopUsing(maya, clientID: juice)
        #expect(await world.deliver(to: service) == [200])
        await expect(.consentRevoked) { try await service.signIn(request) }
    }

    @Test(
        "of a deleted Apple Account deletes the account, with either of Apple's event names",
        arguments: ["account-deleted", "account-delete"]
    )
    func accountDeleted(word: String) async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        _ = try await world.apple.emulator.changeNotificationSettings([
            "account_deletion": .string(word)
        ])
        try await world.apple.emulator.deletePerson(maya)
        #expect(await world.deliver(to: service) == [200])
        #expect(await !world.signedIn(receipt, in: service))
        #expect(try await service.outboxBacklog().waitingCount == 0)
    }

    @Test("of a forwarding switch changes the account")
    func forwarding() async throws {
        let receipt = try await service.signIn(world.nativeRequest(hidesEmail: true))
        #expect(receipt.account.emailDeliverable)
        for isEnabled in [false, true] {
            world.time.advance(bySeconds: 60)
            try await world.apple.emulator
                .setForwarding(maya, clientID: juice, enabled: isEnabled)
            #expect(await world.deliver(to: service) == [200])
            let account = try await service.session(token: receipt.token.text).account
            #expect(account.emailDeliverable == isEnabled)
        }
    }

    @Test(
        "that is repeated, about an unknown user, or of unknown type is accepted and changes nothing"
    )
    func harmless() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        _ = try await world.nativeRequest(for: "noah@example.com")
        for order: JSONObject in [
            [
                "type": "passkey-added", "person": .string(maya),
                "client_id": .string(juice.rawValue),
            ],
            [
                "type": "consent-revoked", "person": "noah@example.com",
                "client_id": .string(juice.rawValue), "duplicates": 2,
            ],
            ["type": "account-deleted", "sub": "000009.eve", "client_id": .string(juice.rawValue)],
        ] {
            _ = try await world.apple.emulator.sendNotification(order)
        }
        #expect(await world.deliver(to: service) == [200, 200, 200, 200, 200])
        #expect(await world.signedIn(receipt, in: service))
        #expect(world.log.text.contains("notification of unknown type"))
        #expect(world.log.text.contains("passkey-added"))
        #expect(world.log.text.contains("notification already processed"))
        #expect(world.log.text.contains("notification ignored: the user has no account"))
    }

    @Test("is refused when forged, and sent again when the store fails")
    func refused() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        _ = try await world.apple.emulator.sendNotification([
            "type": "account-deleted", "person": .string(maya),
            "client_id": .string(juice.rawValue),
            "malformed": "bad_signature",
        ])
        #expect(await world.deliver(to: service) == [400])
        #expect(await world.signedIn(receipt, in: service))
        _ = try await world.apple.emulator.changeNotificationSettings(["retry_after_seconds": [60]])
        try await world.apple.emulator.stopUsing(maya, clientID: juice)
        try await world.makeReadOnly(true)
        #expect(await world.deliver(to: service).last == 503)
        try await world.makeReadOnly(false)
        #expect(await world.signedIn(receipt, in: service))
        world.time.advance(bySeconds: 60)
        #expect(await world.deliver(to: service).last == 200)
        #expect(await !world.signedIn(receipt, in: service))
    }

    @Test("leaves neither the user's identifier nor their email address in the log")
    func log() async throws {
        let request = try await world.nativeRequest(hidesEmail: true)
        _ = try await service.signIn(request)
        try await world.apple.emulator.setForwarding(maya, clientID: juice, enabled: false)
        try await world.apple.emulator.stopUsing(maya, clientID: juice)
        await world.deliver(to: service)
        let address = try #require(request.identity.email)
        #expect(world.log.text.contains("consent-revoked"))
        #expect(!world.log.text.contains(request.identity.userID.rawValue))
        #expect(!world.log.text.contains(address))
        #expect(!world.log.text.contains("eyJ"))
    }
}

extension AccountsWorld {
    /// Lets Apple deliver what is due; the statuses it heard.
    @discardableResult
    func deliver(to service: AccountsService) async -> [Int] {
        var statuses: [Int] = []
        await apple.deliverNotifications { body in
            var status = 200
            do {
                try await service.receive(apple.signIn().notification(from: body))
            } catch let error as AccountsError {
                status = error.isRetryable ? 503 : 500
            } catch {
                status = 400
            }
            statuses.append(status)
            return status
        }
        return statuses
    }
}
