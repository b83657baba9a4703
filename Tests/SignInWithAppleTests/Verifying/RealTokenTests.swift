import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// Tokens and notifications that Apple signed since 2019, with the keys Apple published then.
@Suite struct RealTokenTests {
    private static let all = Fixture.tokens + Fixture.notifications

    @Test(arguments: Fixture.tokens)
    func verifiesInItsTime(token: Fixture.Case) async throws {
        let apple = try ScriptedApple.real(at: token.validTime)
        let identity = try await apple.signIn(clientIDs: ["com.other", ClientID(token.aud)])
            .verify(token.text(), expecting: .init(nonce: .unchecked))
        #expect(identity.clientID == ClientID(token.aud))
        #expect(identity.issuer == "https://appleid.apple.com")
        #expect(identity.userID.rawValue.utf8.count == 44)
        #expect(identity.isPrivateEmail == (identity.email != nil))
        #expect(identity.isEmailVerified == (identity.email != nil))
        #expect(apple.keyRequestCount == 1)
    }

    @Test(arguments: Fixture.notifications)
    func notificationVerifiesInItsTime(notification: Fixture.Case) async throws {
        let client = ClientID(notification.aud)
        let verified = try await notification.signIn(clientIDs: ["com.other", client])
            .notification(from: notificationBody(notification.text()))
        #expect(verified.clientID == client)
        #expect(verified.issuer == "https://appleid.apple.com")
        #expect(verified.event.kind == .consentRevoked)
        let event = try #require(try notification.event())
        #expect(verified.userID.rawValue == event["sub"]?.stringValue)
        let milliseconds = try #require(event["event_time"]?.integerValue)
        let time = Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1_000)
        #expect(verified.event.eventTime == time)
        #expect(verified.issuedAt == notification.validTime.addingTimeInterval(-1))
    }

    @Test(arguments: all)
    func isRefusedAfterItsTime(token: Fixture.Case) async throws {
        let signIn = try token.signIn(at: token.expiredTime)
        await expectRefusal(.tokenExpired) { try await token.verify(by: signIn) }
    }

    @Test(arguments: Fixture.notifications)
    func notificationIsRefusedBeforeItsTime(notification: Fixture.Case) async throws {
        let signIn = try notification.signIn(at: notification.validTime.addingTimeInterval(-3600))
        await expectRefusal(.tokenNotYetValid) { try await notification.verify(by: signIn) }
    }

    @Test(arguments: all)
    func isRefusedForAnotherClient(token: Fixture.Case) async throws {
        for other in [token.aud + "x", token.aud.uppercased(), String(token.aud.dropLast())] {
            let signIn = try token.signIn(clientIDs: [ClientID(other)])
            await expectRefusal(.tokenAudienceMismatch) { try await token.verify(by: signIn) }
        }
    }

    @Test(arguments: all)
    func isRefusedWithOneBitChanged(token: Fixture.Case) async throws {
        let signIn = try token.signIn()
        let parts = try token.text().split(separator: ".").map(String.init)
        for part in [1, 2] {
            let bytes = try #require(Base64URL.decode(parts[part]))
            for bit in [0, 7, bytes.count * 4, bytes.count * 8 - 1] {
                var changedBytes = bytes
                changedBytes[bit / 8] ^= 1 << UInt8(bit % 8)
                var changed = parts
                changed[part] = Base64URL.encode(changedBytes)
                await expectRefusal(.tokenSignatureInvalid) { [changed] in
                    try await token.verify(changed.joined(separator: "."), by: signIn)
                }
            }
        }
    }

    @Test func noCharacterCanBeExchanged() async throws {
        let token = try #require(Fixture.tokens.first)
        let signIn = try token.signIn()
        let characters = try Array(token.text())
        for index in characters.indices {
            for other in ["A", "B", ".", "="] as [Character] where other != characters[index] {
                var changed = characters
                changed[index] = other
                let isAccepted = (try? await token.verify(String(changed), by: signIn)) != nil
                #expect(!isAccepted, "\(other) at \(index)")
            }
        }
    }

    @Test(arguments: Fixture.notifications)
    func notificationIsNoIdentityToken(notification: Fixture.Case) async throws {
        await expectRefusal(.tokenWrongKind) {
            try await notification.signIn()
                .verify(notification.text(), expecting: .init(nonce: .unchecked))
        }
    }

    @Test(arguments: Fixture.tokens)
    func identityTokenIsNoNotification(token: Fixture.Case) async throws {
        await expectRefusal(.tokenWrongKind) {
            try await token.signIn().notification(from: notificationBody(token.text()))
        }
    }

    @Test func claimsArriveWhole() async throws {
        let token = try #require(Fixture.tokens.first { $0.file.contains("/12-") })
        let identity = try await token.signIn().verify(token.text())
        #expect(identity.email == "8ysbchvc2m@privaterelay.appleid.com")
        #expect(identity.realUserStatus == .likelyReal)
        #expect(identity.issuedAt == Date(timeIntervalSince1970: 1_649_423_733))
        #expect(identity.authenticationTime == identity.issuedAt)
        #expect(identity.nonce == nil)
        #expect(identity.transferUser == nil)
    }

    @Test func identifierOfATransferArrives() async throws {
        let token = try #require(Fixture.tokens.first { $0.file.contains("/16-") })
        let identity = try await token.signIn().verify(token.text())
        #expect(identity.userID == "000361.2a3107c6f9e24ebb9c8e3423a2804f40.0349")
        #expect(identity.transferUser == "000361.r848b4e1e3a0c4e70a21255d6e1c7f25e")
    }

    @Test func realHashesOfCodesAndNoncesMatch() async throws {
        let apple = ScriptedApple()
        try apple.publish([TestKey.first.published()])
        let pairs = try Fixture.hashPairs()
        func verify(
            _ claim: String,
            _ hash: String?,
            _ expectation: IdentityTokenExpectation
        ) async throws {
            let draft = TokenDraft(at: apple.time.now)
                .with(claim, .string(try #require(hash)))
            _ = try await apple.signIn().verify(draft.signed(), expecting: expectation)
        }
        for pair in try #require(pairs["c_hash"]) {
            let code = try #require(pair["code"])
            try await verify(
                "c_hash",
                pair["c_hash"],
                .init(nonce: .absent, authorizationCode: code)
            )
        }
        for pair in try #require(pairs["at_hash"]) {
            let token = try #require(pair["access_token"])
            try await verify("at_hash", pair["at_hash"], .init(nonce: .absent, accessToken: token))
        }
        for pair in try #require(pairs["nonce_sha256_hex"]) {
            let raw = try #require(pair["raw"])
            try await verify("nonce", pair["claim"], .init(nonce: .sha256(raw)))
        }
    }
}
