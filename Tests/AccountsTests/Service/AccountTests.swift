import Accounts
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import Testing

@Suite("Accounts")
struct AccountTests {
    @Test("are renamed to what the person typed, within limits")
    func renaming() async throws {
        try await AccountsWorld.with { world, service in
            let session = try await service.signIn(world.nativeRequest()).session
            let renamed = try await service.rename(to: " Zoë 👩‍👩‍👧‍👦\u{0} ", askedBy: session)
            #expect(renamed.name == " Zoë 👩‍👩‍👧‍👦 ")
            let long = String(repeating: "x", count: 201)
            await expect(.nameTooLong) { try await service.rename(to: long, askedBy: session) }
            await expect(.nameEmpty) { try await service.rename(to: " \n", askedBy: session) }
            let longest = String(long.dropLast())
            let kept = try await service.rename(to: longest, askedBy: session)
            #expect(kept.name?.text == longest)
            let unnamed = try await service.rename(to: nil, askedBy: session)
            #expect(unnamed.name == nil)
        }
    }

    @Test("are deleted only within ten minutes of a sign-in")
    func freshness() async throws {
        try await AccountsWorld.with { world, service in
            let old = try await service.signIn(world.nativeRequest())
            world.time.advance(bySeconds: 601)
            await expect(.recentSignInRequired) { try await service.deleteAccount(old.session) }
            let isAlive = await world.signedIn(old, in: service)
            #expect(isAlive)
            let fresh = try await service.signIn(world.nativeRequest())
            world.time.advance(bySeconds: 600)
            try await service.deleteAccount(fresh.session)
            for receipt in [old, fresh] {
                let isAlive = await world.signedIn(receipt, in: service)
                #expect(!isAlive)
            }
            // Whoever asks twice wants the same.
            try await service.deleteAccount(fresh.session)
            await expect(.sessionInvalid) {
                try await service.rename(to: "Maya", askedBy: fresh.session)
            }
        }
    }

    @Test("leave no secret in clear in any file, and none in the log")
    func secretsAtRest() async throws {
        try await AccountsWorld.with { world, service in
            let nonce = service.makeNonce().nonce
            let request = try await world.nativeRequest(nonce: nonce)
            let webRequest = try await world.webRequest()
            let (native, nativeGrant) = try await signIn(request, service)
            let (web, webGrant) = try await signIn(webRequest, service)
            await expect(.tokenReplayed) { try await service.signIn(request) }

            var secrets = [native.token.text, web.token.text, nonce]
            secrets += [try #require(webRequest.candidate.nonce)]
            secrets += [request.candidate.identityToken, try #require(request.code)]
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
    }

    private func signIn(
        _ request: SignInRequest,
        _ service: AccountsService
    ) async throws -> (SignInReceipt, AppleGrant) {
        try await service.beginSignIn(request.candidate)
        let grant = try #require(try await request.redeem())
        return (try await service.completeSignIn(request.candidate, grant: grant), grant)
    }
}
