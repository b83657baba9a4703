import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// Tokens that Apple signed between 2019 and 2022, with the keys Apple published then.
@Suite struct RealTokenTests {
    @Test(arguments: Fixture.tokens)
    func verifiesInItsTime(token: Fixture.Case) async throws {
        let apple = try ScriptedApple.real(at: token.validTime)
        let identity = try await apple.signIn(clientIDs: ["com.other", ClientID(token.aud)])
            .verify(token.text(), expecting: .init(nonce: .unchecked))
        #expect(identity.clientID == ClientID(token.aud))
        #expect(identity.issuer == "https://appleid.apple.com")
        #expect(identity.user.rawValue.utf8.count == 44)
        #expect(identity.isPrivateEmail == (identity.email != nil))
        #expect(identity.isEmailVerified == (identity.email != nil))
        #expect(apple.keyRequestCount == 1)
    }

    @Test(arguments: Fixture.tokens)
    func isRefusedAfterItsTime(token: Fixture.Case) async throws {
        let apple = try ScriptedApple.real(at: token.expiredTime)
        await expectRefusal(.tokenExpired) {
            try await apple.signIn(clientIDs: [ClientID(token.aud)])
                .verify(token.text(), expecting: .init(nonce: .unchecked))
        }
    }

    @Test(arguments: Fixture.tokens)
    func isRefusedForAnotherClient(token: Fixture.Case) async throws {
        let apple = try ScriptedApple.real(at: token.validTime)
        for other in [token.aud + "x", token.aud.uppercased(), String(token.aud.dropLast())] {
            await expectRefusal(.tokenAudienceMismatch) {
                try await apple.signIn(clientIDs: [ClientID(other)])
                    .verify(token.text(), expecting: .init(nonce: .unchecked))
            }
        }
    }

    @Test(arguments: Fixture.tokens)
    func isRefusedWithOneBitChanged(token: Fixture.Case) async throws {
        let apple = try ScriptedApple.real(at: token.validTime)
        let signIn = apple.signIn(clientIDs: [ClientID(token.aud)])
        let parts = try token.text().split(separator: ".").map(String.init)
        for (part, code) in [
            (1, SignInError.Code.tokenSignatureInvalid), (2, .tokenSignatureInvalid),
        ] {
            var bytes = try #require(Base64URL.decode(parts[part]))
            for bit in [0, 7, bytes.count * 4, bytes.count * 8 - 1] {
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                var changed = parts
                changed[part] = Base64URL.encode(bytes)
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                await expectRefusal(code) {
                    try await signIn.verify(
                        changed.joined(separator: "."),
                        expecting: .init(nonce: .unchecked)
                    )
                }
            }
        }
    }

    @Test func noCharacterCanBeExchanged() async throws {
        let token = try #require(Fixture.tokens.first)
        let signIn = try ScriptedApple.real(at: token.validTime).signIn(clientIDs: [
            ClientID(token.aud)
        ])
        let characters = try Array(token.text())
        for index in characters.indices {
            for other in ["A", "B", ".", "="] as [Character] where other != characters[index] {
                var changed = characters
                changed[index] = other
                let identity = try? await signIn.verify(
                    String(changed),
                    expecting: .init(nonce: .unchecked)
                )
                #expect(identity == nil, "\(other) at \(index)")
            }
        }
    }

    @Test(arguments: Fixture.notifications)
    func notificationIsNoIdentityToken(notification: Fixture.Case) async throws {
        let apple = try ScriptedApple.real(at: notification.validTime)
        await expectRefusal(.tokenWrongKind) {
            try await apple.signIn(clientIDs: [ClientID(notification.aud)])
                .verify(notification.text(), expecting: .init(nonce: .unchecked))
        }
    }

    @Test func claimsArriveWhole() async throws {
        let token = try #require(Fixture.tokens.first { $0.file.contains("/12-") })
        let identity = try await ScriptedApple.real(at: token.validTime)
            .signIn(clientIDs: [ClientID(token.aud)])
            .verify(token.text(), expecting: .init(nonce: .absent))
        #expect(identity.email == "8ysbchvc2m@privaterelay.appleid.com")
        #expect(identity.realUserStatus == .likelyReal)
        #expect(identity.issuedAt == Date(timeIntervalSince1970: 1_649_423_733))
        #expect(identity.authenticationTime == identity.issuedAt)
        #expect(identity.nonce == nil)
        #expect(identity.transferUser == nil)
    }

    @Test func identifierOfATransferArrives() async throws {
        let token = try #require(Fixture.tokens.first { $0.file.contains("/16-") })
        let identity = try await ScriptedApple.real(at: token.validTime)
            .signIn(clientIDs: [ClientID(token.aud)])
            .verify(token.text(), expecting: .init(nonce: .absent))
        #expect(identity.user == "000361.2a3107c6f9e24ebb9c8e3423a2804f40.0349")
        #expect(identity.transferUser == "000361.r848b4e1e3a0c4e70a21255d6e1c7f25e")
    }

    @Test func realHashesOfCodesAndNoncesMatch() async throws {
        let apple = ScriptedApple()
        try apple.publish([TestKey.first.published()])
        let signIn = apple.signIn()
        let pairs = try Fixture.hashPairs()
        let draft = TokenDraft(at: apple.time.now)
        for pair in pairs.codes {
            _ = try await signIn.verify(
                draft.with("c_hash", .string(pair.hash)).signed(),
                expecting: .init(nonce: .absent, authorizationCode: pair.code)
            )
        }
        for pair in pairs.accessTokens {
            _ = try await signIn.verify(
                draft.with("at_hash", .string(pair.hash)).signed(),
                expecting: .init(nonce: .absent, accessToken: pair.token)
            )
        }
        for pair in pairs.nonces {
            _ = try await signIn.verify(
                draft.with("nonce", .string(pair.claim)).signed(),
                expecting: .init(nonce: .sha256(pair.raw))
            )
        }
    }
}
