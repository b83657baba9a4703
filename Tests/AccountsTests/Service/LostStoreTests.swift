import Accounts
import AppleIdentity
import Foundation
import GRDB
import Synchronization
import Testing

@Suite("A store that fails in the middle of a first sign-in")
struct LostStoreTests {
    @Test("before the code is spent, costs nothing: the same request succeeds, with the name")
    func readOnly() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let request = try await world.nativeRequest()
            try await world.makeReadOnly(true)
            let error = await #expect(throws: AccountsError.self) {
                try await service.signInNative(request)
            }
            #expect(error?.code == .storeUnavailable)
            #expect(error?.status == 503)
            #expect(error?.isRetryable == true)
            #expect(error?.retryAfter != nil)
            let exchanges = await world.statuses(of: ApplePath.token)
            #expect(exchanges.isEmpty, "the code was spent although nothing could be stored")

            try await world.makeReadOnly(false)
            let receipt = try await service.signInNative(request)
            #expect(receipt.isNewAccount)
            #expect(receipt.account.name == "Maya Lindgren")
        }
    }

    @Test("by somebody else's lock, costs nothing either, in the browser")
    func locked() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let request = try await world.webRequest(nonce: "n")
            var unsafe = Configuration()
            unsafe.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(
                path: world.folder.databasePath,
                configuration: unsafe
            )
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
            await expect(.storeUnavailable, 503) { try await service.signInWeb(request) }
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try other.close()
            let receipt = try await service.signInWeb(request)
            #expect(receipt.account.name == "Maya Lindgren")
        }
    }

    @Test("after the code is spent, still lets the same request succeed, with all tokens")
    func afterRedeeming() async throws {
        try await AccountsWorld.with { world in
            let isBreaking = Mutex(true)
            let service = try world.service { path, _ in
                guard path == ApplePath.token, isBreaking.withLock({ $0 }) else { return }
                try await world.makeReadOnly(true)
            }
            let request = try await world.nativeRequest()
            await expect(.storeUnavailable, 503) { try await service.signInNative(request) }
            isBreaking.withLock { $0 = false }
            try await world.makeReadOnly(false)
            let receipt = try await service.signInNative(request)
            #expect(receipt.account.name == "Maya Lindgren")
            let exchanges = await world.statuses(of: ApplePath.token)
            #expect(exchanges == [200])
            try await service.deleteAccount(receipt.session)
            let backlog = try await service.revocationBacklog()
            #expect(backlog.waitingCount == 1)
        }
    }

    @Test("for good, leaves the name for the next sign-in, which Apple gives none")
    func lostProcess() async throws {
        try await AccountsWorld.with { world in
            let dying = try world.service { path, _ in
                if path == ApplePath.token { try await world.makeReadOnly(true) }
            }
            let request = try await world.nativeRequest()
            #expect(request.fullName != nil)
            await expect(.storeUnavailable, 503) { try await dying.signInNative(request) }
            try await world.makeReadOnly(false)

            let next = try await world.nativeRequest()
            #expect(next.fullName == nil)
            let receipt = try await world.service().signInNative(next)
            #expect(receipt.account.name == "Maya Lindgren")
        }
    }

    @Test("can't be told from one that works by who is signed in already")
    func signedIn() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let receipt = try await service.signInNative(world.nativeRequest())
            try await world.makeReadOnly(true)
            world.time.advance(bySeconds: 3600)
            let (session, _) = try await service.authenticate(receipt.token.text)
            #expect(session.id == receipt.session.id)
            await expect(.storeUnavailable, 503) { try await service.signOut(session) }
            await expect(.storeUnavailable, 503) { try await service.makeNonce() }
            try await world.makeReadOnly(false)
        }
    }
}
