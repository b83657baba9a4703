import Accounts
import AppleIdentity
import Foundation
import Testing

@Suite("Web sign-in")
struct WebSignInTests {
    @Test("and native sign-in of one person lead to one account")
    func oneAccount() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let web = try await service.signInWeb(world.webRequest(nonce: "n1"))
            #expect(web.isNewAccount)
            #expect(web.account.name == "Maya Lindgren")
            #expect(web.account.apple?.clientID == AccountsWorld.servicesID)
            let native = try await service.signInNative(world.nativeRequest())
            #expect(native.account.id == web.account.id)
        }
    }

    @Test("takes the name from the unsigned field and never its address")
    func forgedUser() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let name = PersonName(givenName: "Zoë", familyName: "<b>& Co")
            let receipt = try await service.signInWeb(world.webRequest(nonce: "n1", name: name))
            #expect(receipt.account.name == "Zoë <b>& Co")
            #expect(receipt.account.email == "maya@example.com")
        }
    }

    @Test("cuts a name that is too long, because Apple tells it only once")
    func longName() async throws {
        try await AccountsWorld.with { world in
            var world = world
            world.configuration.maximumNameCharacterCount = 5
            let service = try world.service()
            let name = PersonName(givenName: "Zoë 👩‍👩‍👧‍👦", familyName: "Lindgren")
            let receipt = try await service.signInWeb(world.webRequest(nonce: "n1", name: name))
            #expect(receipt.account.name == "Zoë 👩‍👩‍👧‍👦")
        }
    }

    @Test("refuses the nonce of another ceremony, and a ceremony used twice")
    func nonces() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            var other = try await world.webRequest(nonce: "n1")
            other.nonce = "n2"
            await expect("token_nonce_mismatch", 401) { [other] in
                try await service.signInWeb(other)
            }
            let first = try await world.webRequest(nonce: "n3")
            _ = try await service.signInWeb(first)
            let second = try await world.webRequest(nonce: "n3")
            await expect(.nonceUsed, 401) { try await service.signInWeb(second) }
            await expect(.tokenReplayed, 401) { try await service.signInWeb(first) }
        }
    }

    @Test("tells that the person pressed Cancel")
    func cancelled() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            let request = try await world.webRequest(nonce: "n", isContinuing: false)
            await expect("authorization_cancelled", 400) { try await service.signInWeb(request) }
        }
    }

    @Test("refuses a token made for the app")
    func foreignAudience() async throws {
        try await AccountsWorld.with { world in
            let service = try world.service()
            var request = try await world.webRequest(nonce: "n")
            request.servicesID = "com.example.juice"
            await expect("token_audience_mismatch", 401) { [request] in
                try await service.signInWeb(request)
            }
        }
    }
}
