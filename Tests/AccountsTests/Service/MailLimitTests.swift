import AppleIdentity
import Testing

@testable import Accounts

@Suite("Mails that strangers request", AccountsWorld.lending) struct MailLimitTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lentWithPasswords }

    @Test("reach one mailbox three times, then after waits, from all clients")
    func recipient() async throws {
        let first = try await service.create("stranger0", email: "maya@example.com")
        _ = try await service.create("stranger1", email: " MAYA@example.com", from: client(1))
        try await service.requestVerification(by: first, client: client(2))
        _ = try await service.create("stranger3", email: "maya@Example.com", from: client(3))
        let other = try await service.create("stranger4")
        await expect(.tooManyAttempts) {
            try await service.changeEmail(to: "maya@example.com", by: other, client: client(4))
        }
        #expect(try await world.mails().count == 3)
        _ = try await service.create("noah", email: "noah@example.com", from: client(5))
        world.time.advance(bySeconds: 61)
        _ = try await service.create("maya", email: "maya@example.com", from: client(6))
    }

    @Test("are not counted while none is sent")
    func refusedSignUps() async throws {
        _ = try await service.create("taken")
        for number in 0..<4 {
            await expect(.usernameTaken) {
                try await service.create("taken", email: "maya@example.com", from: client(number))
            }
        }
        _ = try await service.create("maya", email: "maya@example.com", from: client(5))
        #expect(try await world.mails().count == 1)
    }

    @Test("to one mailbox are counted together, whatever tag its address has")
    func tags() async throws {
        for number in 0..<3 {
            _ = try await service.create(
                "stranger\(number)",
                email: "maya+\(number)@example.com",
                from: client(number)
            )
        }
        // The account is created without the mail, which its user requests later.
        let maya = try await service.create("maya", email: "Maya@example.com", from: client(3))
        #expect(maya.account.email?.isVerified == false && maya.account.pendingEmail == nil)
        #expect(try await world.mails().count == 3)
        await expect(.tooManyAttempts) {
            try await service.requestVerification(by: maya, client: client(3))
        }
        world.time.advance(bySeconds: 61)
        try await service.requestVerification(by: maya, client: client(3))
        let link = try await world.link(.verification)
        let verified = try await service.verifyEmail(token: link, requestedBy: maya.session)
        #expect(verified.email?.isVerified == true)
        _ = try await service.create("noah", email: "+maya@example.com", from: client(4))
    }

    // The second address can be no username.
    @Test(
        "about a password are counted by the normalized username or email address",
        arguments: ["maya@example.com", "maya!@example.com"]
    )
    func spellings(address: String) async throws {
        _ = try await service.createProved(email: address, in: world)
        for number in 0..<3 {
            try await service.requestPasswordReset(
                for: String(repeating: " ", count: number) + address,
                client: client(number)
            )
        }
        for spelling in ["    \(address)", "\t\(address.uppercased())\n"] {
            await expect(.tooManyAttempts) {
                try await service.requestPasswordReset(for: spelling, client: client(9))
            }
        }
        #expect(try await world.mails().count == 3)
    }

    private func client(_ number: Int) -> ClientDescription {
        ClientDescription(device: "a laptop", address: "192.0.2.\(number)")
    }
}
