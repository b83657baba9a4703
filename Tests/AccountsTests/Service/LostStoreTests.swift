import Accounts
import AppleIdentity
import Foundation
import GRDB
import Testing

@Suite("A store that fails in the middle of a first sign-in", AccountsWorld.lending)
struct LostStoreTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    @Test("before the code is exchanged, loses nothing: the same request succeeds, with the name")
    func readOnly() async throws {
        let request = try await world.nativeRequest()
        try await world.makeReadOnly(true)
        let error = await #expect(throws: AccountsError.self) { try await service.signIn(request) }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.isRetryable == true)
        let exchanges = await world.statuses(of: ApplePath.token)
        #expect(exchanges.isEmpty, "the code was spent although nothing could be stored")

        try await world.makeReadOnly(false)
        let receipt = try await service.signIn(request)
        #expect(receipt.isNewAccount)
        #expect(receipt.account.name?.text == "Maya Lindgren")
    }

    @Test("because of another process's lock, loses nothing either, in the browser")
    func locked() async throws {
        let request = try await world.webRequest()
        var unsafe = Configuration()
        unsafe.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: world.folder.databasePath, configuration: unsafe)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        await expect(.storeUnavailable) { try await service.signIn(request) }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try other.close()
        #expect(try await service.signIn(request).account.name?.text == "Maya Lindgren")
    }

    @Test(
        "after the code is exchanged, keeps the name for the next sign-in, which gets none from Apple"
    )
    func lostProcess() async throws {
        let request = try await world.nativeRequest()
        #expect(request.name != nil)
        try await service.beforeExchange(service.check(request))
        let grant = try await request.redeem()
        try await world.makeReadOnly(true)
        await expect(.storeUnavailable) {
            try await service.onSignIn(service.check(request), grant: grant)
        }
        try await world.makeReadOnly(false)

        let next = try await world.nativeRequest()
        #expect(next.name == nil)
        #expect(try await world.service().signIn(next).account.name?.text == "Maya Lindgren")
    }

    @Test("keeps users signed in")
    func signedIn() async throws {
        let receipt = try await service.signIn(world.nativeRequest())
        try await world.makeReadOnly(true)
        world.time.advance(bySeconds: 3600)
        let session = try await service.session(token: receipt.token.text).session
        #expect(session.id == receipt.session.id)
        await expect(.storeUnavailable) { try await service.signOut(session) }
        try await world.makeReadOnly(false)
    }
}
