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
            #expect(identity.userID == credential.user)
            #expect(identity.email == "maya@example.com")
            #expect(identity.isEmailVerified)
            let grant = try await signIn.exchange(
                code: credential.authorizationCode,
                clientID: Self.app
            )
            #expect(grant.identity.userID == identity.userID)
            let refreshToken = try #require(grant.refreshToken)
            let refreshed = try await signIn.refresh(refreshToken, clientID: Self.app)
            #expect(refreshed.identity.userID == identity.userID)
            #expect(refreshed.refreshToken == nil)
            try await signIn.revoke(refreshToken, clientID: Self.app)
            await expectRefusal(.appleRefusedGrant) {
                try await signIn.refresh(refreshToken, clientID: Self.app)
            }
            try await signIn.revoke(refreshToken, clientID: Self.app)
        }
    }

    @Test("One call verifies what an app posts, and exchanges its code only then")
    func oneCall() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let credential = try await apple.credentials(clientID: Self.app, nonce: "n")
            let other = try await apple.credentials(clientID: Self.app, nonce: "n")
            func grant(_ code: String, nonce: String = "n") async throws -> AppleGrant {
                try await signIn.signIn(
                    identityToken: credential.identityToken,
                    code: code,
                    nonce: .raw(nonce)
                )
            }
            await expectRefusal(.tokenNonceMismatch) {
                try await grant(credential.authorizationCode, nonce: "another")
            }
            await expectRefusal(.tokenCodeHashMismatch) {
                try await grant(other.authorizationCode)
            }
            let grant = try await grant(credential.authorizationCode)
            #expect(grant.identity.userID == credential.user && grant.refreshToken != nil)
            // Only the app's token has it.
            #expect(grant.identity.realUserStatus != nil)
            let unspent = try await signIn.exchange(
                code: other.authorizationCode,
                clientID: Self.app
            )
            #expect(unspent.identity.userID == credential.user)
        }
    }

    @Test func managedAccountTellsItsOrganization() async throws {
        try await withAppleEmulator { apple in
            _ = try await apple.emulator.add(
                .person,
                ["email": "kim@school.example", "managed": true]
            )
            let credential = try await apple.credentials(for: "kim@school.example")
            let identity = try await apple.signIn().verify(credential.identityToken)
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
            let response = try await apple.transport.send(request, body: Data(form.utf8))
            #expect(response.head.status == .ok)
        }
    }

    @Test func rotatedSigningKeysAreFollowed() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            for _ in 0..<3 {
                let credential = try await apple.credentials(clientID: Self.app)
                try await signIn.verify(credential.identityToken)
                _ = try await apple.emulator.rotateSigningKeys([:])
            }
        }
    }

    @Test func stoppingAndDeletingAreTold() async throws {
        var seed = Seed.demo()
        seed.apps[0].notificationURL = "https://juice.example.com/apple/notifications"
        try await withAppleEmulator(seed: seed) { apple in
            let signIn = try apple.signIn()
            var received: [VerifiedNotification] = []
            for _ in 1...2 {
                let maya = try await apple.credentials()
                if received.isEmpty {
                    try await apple.emulator.stopUsing(
                        "maya@example.com",
                        clientID: Self.app
                    )
                } else {
                    try await apple.emulator.deletePerson("maya@example.com")
                }
                await apple.deliverNotifications { body in
                    received.append(try await signIn.notification(from: body))
                    return 200
                }
                #expect(received.last?.userID == maya.user)
            }
            #expect(received.first?.event.kind == .consentRevoked)
            #expect(received.map(\.event.kind.isAccountDeletion) == [false, true])
        }
    }

    @Test func theCodeOfAFailedExchangeWorksLater() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let code = try await apple.credentials(clientID: Self.app).authorizationCode
            _ = try await apple.emulator.addFault(["endpoint": "token", "status": 503, "count": 1])
            await expectRefusal(.appleUnavailable) {
                try await signIn.exchange(code: code, clientID: Self.app)
            }
            _ = try await signIn.exchange(code: code, clientID: Self.app)
        }
    }
}
