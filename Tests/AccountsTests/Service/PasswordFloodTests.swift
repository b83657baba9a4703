import AppleIdentity
import ServerTestSupport
import TestSupport
import Testing

@testable import Accounts

@Suite("A flood of passwords", AccountsWorld.lending) struct PasswordFloodTests {
    private let world: AccountsWorld
    private let service: AccountsService
    private let hasher: PasswordHasher
    /// The accounts whose passwords are hashed, in their order.
    private let hashed: LockedValue<[String]>

    init() throws {
        let hashed = LockedValue<[String]>([])
        self.hashed = hashed
        world = try AccountsWorld.lentWithPasswords.0
        hasher = PasswordHasher(cost: .free, concurrentCount: 1) { client, _ in
            hashed.withLock { $0.append(client.account) }
        }
        service = world.service(hasher: hasher)
    }

    @Test("by one reset link is hashed once", arguments: [1, 200])
    func link(networkCount: Int) async throws {
        _ = try await service.createProved(in: world)
        try await service.requestPasswordReset(for: "maya", client: ClientDescription())
        let link = try await world.link(.passwordReset)
        let before = try await strangeHashes(of: 200) { number in
            try await service.resetPassword(
                token: link,
                to: "battery staple \(number)",
                client: ClientDescription(address: "\(number % networkCount)")
            )
        }
        #expect(before <= 4)
        #expect(hashed.withLock { $0.count { $0 == "maya" } } == 1)
    }

    @Test("by changes in sixteen accounts delays a newcomer by at most four hashes")
    func changes() async throws {
        var sessions: [Session] = []
        for number in 0..<16 { sessions.append(try await service.create("own\(number)").session) }
        let before = try await strangeHashes(of: 128) { [sessions] number in
            _ = try await service.changePassword(
                username: nil,
                from: AccountsWorld.password,
                to: "battery staple \(number)",
                requestedBy: sessions[number % 16],
                client: ClientDescription(address: "192.0.2.1")
            )
        }
        #expect(before <= 4)
    }

    @Test("by right passwords from three networks delays a newcomer by at most four hashes")
    func rightPasswords() async throws {
        for number in 0..<3 { _ = try await service.create("own\(number)") }
        let before = try await strangeHashes(of: 200) { number in
            try await service.signIn(
                "own\(number % 3)",
                from: ClientDescription(address: "192.0.2.\(number % 3)")
            )
        }
        #expect(before <= 4)
    }

    @Test("by sign-ups delays a newcomer by at most four hashes")
    func signUps() async throws {
        let before = try await strangeHashes(of: 200) { number in
            _ = try await service.create(
                "own\(number)",
                from: ClientDescription(address: "192.0.2.1")
            )
        }
        #expect(before <= 4)
    }

    @Test("from the networks of one provider or customer delays a newcomer by at most four hashes")
    func providers() async throws {
        let before = try await strangeHashes(of: 140) { number in
            try await service.signIn(
                "own\(number)",
                from: ClientDescription(address: "\(number)", widerNetwork: "2001:db8::/48")
            )
        }
        #expect(before <= 4)
    }

    @Test("by clients that hung up delays nobody")
    func hungUp() async throws {
        let before = try await strangeHashes(of: 100, hangingUp: true) { number in
            try await service.signIn(
                "own\(number)",
                from: ClientDescription(address: "192.0.2.\(number)")
            )
        }
        #expect(before == 0)
    }

    /// Sends a newcomer's password when a flood waits, and counts the hashes before it.
    private func strangeHashes(
        of count: Int,
        hangingUp: Bool = false,
        by request: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Int {
        _ = try await service.create("newcomer")
        var held = [try await hasher.turn()]
        hashed.withLock { $0 = [] }
        let flood = (0..<count).map { number in Task { try await request(number) } }
        try await waitUntil { hasher.waiting.count == min(count, PasswordQueue.maximumCount) }
        if hangingUp {
            for client in flood { client.cancel() }
            try await waitUntil { hasher.waiting.isEmpty }
        }
        let home = ClientDescription(address: "198.51.100.1")
        let newcomer = Task { try await service.signIn("newcomer", from: home) }
        try await waitUntil { hasher.waiting.contains { $0.account == "newcomer" } }
        held.removeAll()
        _ = try await newcomer.value
        for client in flood { _ = await client.result }
        return try #require(hashed.withLock { $0.firstIndex(of: "newcomer") })
    }
}
