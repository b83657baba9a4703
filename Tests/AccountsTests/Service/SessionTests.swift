import Accounts
import AppleIdentity
import Foundation
import Testing

@Suite("Sessions", AccountsWorld.lending) struct SessionTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    private let day: TimeInterval = 86_400

    @Test("expire after sixty days without use")
    func idle() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 60 * day - 1)
        _ = try await service.session(token: receipt.token.text)
        await world.maintenance().lookAfter()
        let session = try await service.session(token: receipt.token.text).session
        #expect(session.expiresAt == world.time.now.addingTimeInterval(60 * day))
        world.time.advance(bySeconds: 60 * day)
        await expect(.sessionInvalid) { try await service.session(token: receipt.token.text) }
    }

    @Test("expire after a year with any use")
    func absolute() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        for _ in 0..<8 {
            world.time.advance(bySeconds: 45 * day)
            _ = try await service.session(token: receipt.token.text)
            await world.maintenance().lookAfter()
        }
        world.time.advance(bySeconds: 5 * day - 1)
        let session = try await service.session(token: receipt.token.text).session
        #expect(session.expiresAt == session.createdAt.addingTimeInterval(365 * day))
        world.time.advance(bySeconds: 1)
        await expect(.sessionInvalid) { try await service.session(token: receipt.token.text) }
    }

    @Test("have their last use saved once an hour")
    func lastUse() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        let start = world.time.now
        var written: [TimeInterval] = []
        for _ in 0..<5 {
            world.time.advance(bySeconds: 25 * 60)
            _ = try await service.session(token: receipt.token.text)
            await world.maintenance().lookAfter()
            let listed = try await service.sessions(of: receipt.session)
            written.append(contentsOf: listed.map { $0.lastUsedAt.timeIntervalSince(start) })
        }
        #expect(written == [0, 0, 4500, 4500, 4500])
    }

    @Test("that are used stay active, even with a short idle limit")
    func shortIdleLimit() async throws {
        var world = world
        world.configuration.sessionIdleLimit = 300
        #expect(world.configuration.sessionUseInterval == 3)
        let service = world.service()
        let receipt = try await service.signIn(world.nativeRequest())
        for _ in 0..<5 {
            world.time.advance(bySeconds: 200)
            _ = try await service.session(token: receipt.token.text)
            await world.maintenance().lookAfter()
        }
        world.time.advance(bySeconds: 300)
        await expect(.sessionInvalid) { try await service.session(token: receipt.token.text) }
    }

    @Test("that never existed are all refused alike", arguments: ["", "x", SessionToken().text])
    func unknown(_ token: String) async throws {
        await expect(.sessionInvalid) { try await service.session(token: token) }
    }

    @Test("do not accept any of their public values as a token")
    func publicIdentifier() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        let shown = [
            receipt.session.id.rawValue, receipt.account.id.rawValue,
            receipt.token.hash.bytes.base64EncodedString(),
        ]
        for text in shown {
            await expect(.sessionInvalid) { try await service.session(token: text) }
        }
    }

    @Test("end at once when signed out, ended from another session, or ended together")
    func ending() async throws {
        var receipts: [SignInReceipt] = []
        for _ in 0..<4 { receipts.append(try await service.signIn(world.nativeRequest())) }
        try await service.signOut(receipts[0].session)
        try await service.endSession(receipts[1].session.id, requestedBy: receipts[2].session)
        #expect(try await service.endOtherSessions(than: receipts[2].session) == 1)
        for (index, isAlive) in [false, false, true, false].enumerated() {
            let found = await world.signedIn(receipts[index], in: service)
            #expect(found == isAlive, "session \(index)")
        }
        await expect(.sessionNotFound) {
            try await service.endSession(receipts[0].session.id, requestedBy: receipts[2].session)
        }
    }

    @Test("can't be reached by another user")
    func anotherPersonsSession() async throws {
        let maya = try await service.signIn(world.nativeRequest())
        let noah = try await service.signIn(world.nativeRequest(for: "noah@example.com"))
        await expect(.sessionNotFound) {
            try await service.endSession(noah.session.id, requestedBy: maya.session)
        }
        _ = try await service.endOtherSessions(than: maya.session)
        #expect(try await service.sessions(of: maya.session).map(\.id) == [maya.session.id])
        #expect(await world.signedIn(noah, in: service))
    }
}
