import Accounts
import AppleIdentity
import Testing

@Suite("Web sign-in", AccountsWorld.lending) struct WebSignInTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    @Test("and native sign-in of a user lead to one account")
    func oneAccount() async throws {
        let web = try await service.signIn(world.webRequest())
        #expect(web.isNewAccount)
        #expect(web.account.name?.text == "Maya Lindgren")
        #expect(web.account.apple?.clientID == AccountsWorld.servicesID)
        #expect(try await service.signIn(world.nativeRequest()).account.id == web.account.id)
    }

    @Test("takes the name from the unsigned field, and never its email address")
    func forgedUser() async throws {
        let name = PersonName(givenName: "Zoë", familyName: "<b>& Co")
        let receipt = try await service.signIn(world.webRequest(name: name))
        #expect(receipt.account.name?.text == "Zoë <b>& Co")
        #expect(receipt.account.email?.text == "maya@example.com")
    }

    @Test("refuses a used token and a used nonce")
    func nonces() async throws {
        let first = try await world.webRequest()
        _ = try await service.signIn(first)
        await expect(.tokenReplayed) { try await service.signIn(first) }
        var second = try await world.webRequest()
        second.nonce = first.nonce
        await expect(.nonceUsed) { [second] in try await service.signIn(second) }
    }
}
