import Accounts
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import AccountsServer

/// The background work of the server: each part runs again when its claims have expired.
extension StoreFlow {
    static let background = [
        StoreFlow("revocations at Apple") { world in
            let token = try await world.server.token()
            _ = try await world.server.delete("/api/account", token)
            return world.work {
                await world.worker.drain()
            } check: {
                try await world.checkRevoked()
            }
        },
        StoreFlow("revocations that Apple has refused") { world in
            let token = try await world.server.token()
            _ = try await world.server.delete("/api/account", token)
            _ = try await world.apple.emulator.addFault([
                "endpoint": "revoke", "status": 400, "body": ["error": "invalid_client"],
            ])
            await world.worker.drain()
            try #require(try await world.appleState() == "authorized")
            return world.work {
                _ = await world.worker.requeueRefused(.revocation)
                await world.worker.drain()
            } check: {
                try await world.checkRevoked()
            }
        },
        StoreFlow("mail to who has made an account") { world in
            _ = try await world.unprovedAccount()
            return world.work(againAfter: FaultWorld.claim) {
                await world.worker.drain()
            } check: {
                #expect(world.inbox.orders.map(\.kind) == [.verification])
                try await world.checkOutboxIsEmpty()
            }
        },
        StoreFlow("mail to an account's address of then") { world in
            let token = try await world.provedAccount()
            let change: JSONObject = [
                "currentPassword": .string(TestServer.password),
                "newPassword": "battery staple",
            ]
            _ = try await world.server.put("/api/account/password", change, token)
            return world.work(againAfter: FaultWorld.claim) {
                await world.worker.drain()
            } check: {
                let changed = world.inbox.orders.filter { $0.kind == .passwordChanged }
                #expect(changed.map(\.address) == [FaultWorld.email])
                try await world.checkOutboxIsEmpty()
            }
        },
        StoreFlow("mail that a relay address refuses") { world in
            let hidden = try await world.apple.credentials(hidesEmail: true)
            let answer = try await world.server.signInNatively(hidden)
            let token = try #require(answer.json?["token"]?.stringValue)
            let password: JSONObject = ["username": "maya", "newPassword": "battery staple"]
            _ = try await world.server.put("/api/account/password", password, token)
            await world.worker.drain()
            let change: JSONObject = [
                "currentPassword": "battery staple", "newPassword": "correct horse",
            ]
            _ = try await world.server.put("/api/account/password", change, token)
            world.inbox.isForwarding.withLock { $0 = false }
            return world.work(againAfter: FaultWorld.claim) {
                await world.worker.drain()
            } check: {
                expectSame(try await world.server.account(token)["emailDeliverable"], false)
                try await world.checkOutboxIsEmpty()
            }
        },
        StoreFlow("the daily look at a refresh token that was revoked untold") { world in
            let token = try await world.server.token()
            world.apple.time.advance(bySeconds: FaultWorld.day)
            try await world.stopUsing()
            return world.work {
                await world.validation.validateDue()
            } check: {
                let answer = try await world.server.get("/api/account", token)
                #expect(answer.code == "session_invalid")
            }
        },
        StoreFlow("the daily look while Apple is down") { world in
            let token = try await world.server.token()
            world.apple.time.advance(bySeconds: FaultWorld.day)
            let down: JSONObject = ["endpoint": "token", "status": 503, "count": 1]
            _ = try await world.apple.emulator.addFault(down)
            return world.work {
                await world.validation.validateDue()
            } check: {
                let apple = try await world.server.account(token)["apple"]
                #expect(apple != .null)
            }
        },
        StoreFlow("the maintenance") { world in
            let token = try await world.server.token()
            world.apple.time.advance(bySeconds: 3_601)
            _ = try await world.server.account(token)
            let now = world.apple.time.now
            return world.work {
                await world.maintenance.lookAfter()
                await world.maintenance.cleanUp()
            } check: {
                let sql = "SELECT max(last_used_at) FROM sessions"
                #expect(try await world.number(sql) >= Int(now.timeIntervalSince1970) * 1_000_000)
                let health = try await world.server.send(.get, "/health/ready")
                #expect(health.status == .ok)
            }
        },
        StoreFlow("the first question whether the store can be written to") { world in
            Steps(
                act: { refused in
                    if refused != nil { await world.maintenance.lookAfter() }
                    return try await world.server.send(.get, "/health/ready")
                },
                check: {}
            )
        },
        StoreFlow("the count of queued outbox entries") { world in
            world.work {
                await world.sampler.sampleQueues()
            }
        },
    ]
}

extension FaultWorld {
    static let day: TimeInterval = 86_400
    /// Longer than a worker claims an entry, and shorter than an email is kept.
    static let claim: TimeInterval = 200

    /// Work without a waiting client; the rest after a fault is done some time later.
    func work(
        againAfter seconds: TimeInterval = day,
        _ work: @escaping @Sendable () async throws -> Void,
        check: @escaping @Sendable () async throws -> Void = {}
    ) -> StoreFlow.Steps {
        let isRepeated = LockedValue(false)
        return StoreFlow.Steps(
            act: { _ in
                let again = isRepeated.withLock { repeated in
                    defer { repeated = true }
                    return repeated
                }
                if again { apple.time.advance(bySeconds: seconds) }
                try await work()
                return nil
            },
            check: check
        )
    }
}
