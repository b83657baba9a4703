import Accounts
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import Testing

@Suite("Accounts", AccountsWorld.lending) struct AccountTests {
    private let (world, service): (AccountsWorld, AccountsService)
    init() throws { (world, service) = try AccountsWorld.lent }

    @Test("are renamed as the user typed, within limits")
    func renaming() async throws {
        let session = try await service.signIn(world.nativeRequest()).session
        let renamed = try await service.rename(session, to: " Zoë 👩‍👩‍👧‍👦\u{0} ")
        #expect(renamed.name == " Zoë 👩‍👩‍👧‍👦 ")
        let long = String(repeating: "x", count: 201)
        await expect(.nameTooLong) { try await service.rename(session, to: long) }
        await expect(.nameEmpty) { try await service.rename(session, to: " \n") }
        let longest = String(long.dropLast())
        #expect(try await service.rename(session, to: longest).name?.text == longest)
        #expect(try await service.rename(session, to: nil).name == nil)
    }

    @Test("are deleted only within ten minutes of a sign-in")
    func freshness() async throws {
        let old = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 601)
        await expect(.recentSignInRequired) { try await service.deleteAccount(old.session) }
        #expect(await world.signedIn(old, in: service))
        let fresh = try await service.signIn(world.nativeRequest())
        world.time.advance(bySeconds: 600)
        try await service.deleteAccount(fresh.session)
        for receipt in [old, fresh] { #expect(await !world.signedIn(receipt, in: service)) }
        // Whoever asks twice wants the same.
        try await service.deleteAccount(fresh.session)
        await expect(.sessionInvalid) {
            try await service.rename(fresh.session, to: "Maya")
        }
    }

    @Test("leave no unencrypted secret in any file, and none in the log")
    func secretsAtRest() async throws {
        let nonce = service.makeNonce().nonce
        let request = try await world.nativeRequest(nonce: nonce)
        let webRequest = try await world.webRequest()
        let (native, nativeGrant) = try await signIn(request)
        let (web, webGrant) = try await signIn(webRequest)
        await expect(.tokenReplayed) { try await service.signIn(request) }

        var secrets = [native.token.text, web.token.text, nonce]
        secrets += [try #require(webRequest.nonce)]
        secrets += [request.identityToken, try #require(request.code)]
        for grant in [nativeGrant, webGrant] {
            secrets.append(try #require(grant.refreshToken))
            secrets.append(grant.accessToken)
        }
        #expect(secrets.count == 10)
        let bytes = try world.folder.everything()
        for secret in secrets {
            #expect(bytes.range(of: Data(secret.utf8)) == nil)
            #expect(!world.log.text.contains(secret))
        }
        #expect(!world.log.text.contains("maya@example.com"))
        #expect(bytes.range(of: Data(native.account.id.rawValue.utf8)) != nil)
    }

    private func signIn(_ request: SignInRequest) async throws -> (SignInReceipt, AppleGrant) {
        try await service.beforeExchange(service.check(request))
        let grant = try #require(try await request.redeem())
        return (try await service.onSignIn(service.check(request), grant: grant), grant)
    }
}
