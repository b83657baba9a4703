import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignInWithApple
import Testing

/// The library against an Apple that shares no rule with it, only the spelling.
@Suite struct EmulatedAppleTests {
    private static let app: ClientID = "com.example.juice"
    private static let web: ClientID = "com.example.juice.web"
    private static let redirectURI = "https://juice.example.com/sign-in/apple/callback"

    @Test func nativeSignInFromDeviceToDeletion() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let hashed = SHA256.hash(data: Data("raw nonce".utf8))
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let credential = try await apple.credentials(clientID: Self.app, nonce: hashed)
            let identity = try await signIn.verify(
                credential.identityToken,
                expecting: .init(
                    nonce: .rawOrSHA256("raw nonce"),
                    clientIDs: [Self.app],
                    authorizationCode: credential.authorizationCode
                )
            )
            #expect(identity.user == credential.user)
            #expect(identity.email == "maya@example.com")
            #expect(identity.isEmailVerified)
            let grant = try await signIn.redeem(
                code: credential.authorizationCode,
                clientID: Self.app
            )
            #expect(grant.identity.user == identity.user)
            let refreshToken = try #require(grant.refreshToken)
            let refreshed = try await signIn.refresh(refreshToken, clientID: Self.app)
            #expect(refreshed.identity.user == identity.user)
            #expect(refreshed.refreshToken == nil)
            try await signIn.revoke(refreshToken, clientID: Self.app)
            await expectRefusal(.appleRefusedGrant) {
                try await signIn.refresh(refreshToken, clientID: Self.app)
            }
            try await signIn.revoke(refreshToken, clientID: Self.app)
        }
    }

    @Test func webSignInThroughThePage() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let url = signIn.authorizationURL(
                clientID: Self.web,
                redirectURI: Self.redirectURI,
                scopes: [.name, .email],
                state: "the state/+ &",
                nonce: "the nonce"
            )
            let page = try await apple.authorize(
                url,
                hidesEmail: true,
                name: PersonName(givenName: "Máyà", familyName: "O'Lindgren & Co")
            )
            let callback = try AuthorizationCallback(formBody: page.formBody)
            #expect(callback.state == "the state/+ &")
            #expect(callback.user?.name?.displayName == "Máyà O'Lindgren & Co")
            let authorization = try callback.authorization()
            let identity = try await signIn.verify(
                try #require(authorization.identityToken),
                expecting: .init(
                    nonce: .raw("the nonce"),
                    clientIDs: [Self.web],
                    authorizationCode: authorization.code
                )
            )
            #expect(identity.isPrivateEmail)
            #expect(identity.clientID == Self.web)
            let grant = try await signIn.redeem(
                code: authorization.code,
                clientID: Self.web,
                redirectURI: Self.redirectURI
            )
            #expect(grant.identity.user == identity.user)
            #expect(grant.identity.nonce == "the nonce")
            let again = try await apple.authorize(url)
            #expect(try AuthorizationCallback(formBody: again.formBody).user == nil)
        }
    }

    @Test func managedAccountTellsItsOrganization() async throws {
        try await withAppleEmulator { apple in
            _ = try await apple.emulator.add(
                .person,
                ["email": "kim@school.example", "managed": true]
            )
            let credential = try await apple.credentials(for: "kim@school.example")
            let identity = try await apple.signIn().verify(
                credential.identityToken,
                expecting: .init(nonce: .absent)
            )
            #expect(identity.organizationID?.isEmpty == false)
            #expect(!identity.isPrivateEmail)
        }
    }

    @Test func ownSecretIsAcceptedFromOtherClients() async throws {
        try await withAppleEmulator { apple in
            let secret = try apple.signIn().clientSecret(for: Self.app)
            let code = try await apple.credentials().authorizationCode
            var request = HTTPRequest(
                method: .post,
                scheme: "https",
                authority: "appleid.apple.com",
                path: ApplePath.token
            )
            request.headerFields[.contentType] = "application/x-www-form-urlencoded"
            let form =
                "client_id=\(Self.app)&client_secret=\(secret)&grant_type=authorization_code"
                + "&code=\(code)"
            let (response, _) = try await apple.transport.send(request, body: Data(form.utf8))
            #expect(response.status == .ok)
        }
    }

    @Test func cancelOnThePage() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let url = signIn.authorizationURL(
                clientID: Self.web,
                redirectURI: Self.redirectURI,
                scopes: [.email],
                state: "s",
                nonce: "n"
            )
            let page = try await apple.authorize(url, isContinuing: false)
            let callback = try AuthorizationCallback(formBody: page.formBody)
            #expect(callback.state == "s")
            await expectRefusal(.authorizationCancelled) { try callback.authorization() }
        }
    }

    @Test func codesAreGoodOnceAndForTheirClientOnly() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let first = try await apple.credentials(clientID: Self.app)
            await expectRefusal(.appleRefusedGrant) {
                try await signIn.redeem(
                    code: first.authorizationCode,
                    clientID: Self.web,
                    redirectURI: Self.redirectURI
                )
            }
            let second = try await apple.credentials(clientID: Self.app)
            _ = try await signIn.redeem(code: second.authorizationCode, clientID: Self.app)
            await expectRefusal(.appleRefusedGrant) {
                try await signIn.redeem(code: second.authorizationCode, clientID: Self.app)
            }
            let late = try await apple.credentials(clientID: Self.app)
            apple.time.advance(bySeconds: 301)
            await expectRefusal(.appleRefusedGrant) {
                try await signIn.redeem(code: late.authorizationCode, clientID: Self.app)
            }
        }
    }

    @Test func wrongSecretsAreRefusedAsClient() async throws {
        try await withAppleEmulator { apple in
            let good = try apple.signInConfiguration()
            let registered = try #require(good.key)
            let stranger = P256.Signing.PrivateKey().pemRepresentation
            let wrong = try [
                ClientSecretKey(pem: stranger, keyID: registered.keyID, teamID: registered.teamID),
                ClientSecretKey(pem: stranger, keyID: "UNKNOWNKEY", teamID: registered.teamID),
                ClientSecretKey(pem: stranger, keyID: registered.keyID, teamID: "OTHERTEAM1"),
            ]
            for key in wrong {
                var configuration = good
                configuration.key = key
                let signIn = apple.signIn(with: configuration)
                let credential = try await apple.credentials(clientID: Self.app)
                await expectRefusal(.appleRefusedClient) {
                    try await signIn.redeem(code: credential.authorizationCode, clientID: Self.app)
                }
            }
        }
    }

    @Test func secretIsStillGoodAfterADay() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            for _ in 0..<3 {
                let credential = try await apple.credentials(clientID: Self.app)
                let grant = try await signIn.redeem(
                    code: credential.authorizationCode,
                    clientID: Self.app
                )
                #expect(grant.accessTokenExpirationTime == apple.time.now.addingTimeInterval(3600))
                apple.time.advance(bySeconds: 86_400)
            }
        }
    }

    @Test func rotatedSigningKeysAreFollowed() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            for _ in 0..<3 {
                let credential = try await apple.credentials(clientID: Self.app)
                _ = try await signIn.verify(
                    credential.identityToken,
                    expecting: .init(nonce: .absent)
                )
                _ = try await apple.emulator.rotateSigningKeys([:])
            }
        }
    }

    @Test func faultsAreRetryable() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let credential = try await apple.credentials(clientID: Self.app)
            _ = try await apple.emulator.addFault(["endpoint": "token", "status": 503, "count": 1])
            _ = try await apple.emulator.addFault(["endpoint": "keys", "drop": true, "count": 1])
            let expectation = IdentityTokenExpectation(nonce: .absent)
            await expectRefusal(.appleKeysUnavailable) {
                try await signIn.verify(credential.identityToken, expecting: expectation)
            }
            apple.time.advance(bySeconds: 1)
            _ = try await signIn.verify(credential.identityToken, expecting: expectation)
            await expectRefusal(.appleUnavailable) {
                try await signIn.redeem(code: credential.authorizationCode, clientID: Self.app)
            }
            _ = try await signIn.redeem(code: credential.authorizationCode, clientID: Self.app)
        }
    }
}
