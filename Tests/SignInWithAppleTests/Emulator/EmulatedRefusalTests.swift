import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import HTTPTypes
import SignInWithApple
import Testing

/// The emulator's errors, and the causes that the library finds for them from outside.
@Suite struct EmulatedRefusalTests {
    private static let app: ClientID = "com.example.juice"
    private static let web: ClientID = "com.example.juice.web"
    private static let redirectURI = "https://juice.example.com/sign-in/apple/callback"

    private func refusal(
        _ code: SignInError.Code,
        of signIn: AppleSignIn,
        _ authorizationCode: String,
        clientID: ClientID = Self.app,
        redirectURI: String? = nil
    ) async throws -> [RefusalCause] {
        let error = await expectRefusal(code) {
            try await signIn.exchange(
                code: authorizationCode,
                clientID: clientID,
                redirectURI: redirectURI
            )
        }
        return try #require(error).causes
    }

    @Test func codeUsedTwice() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let code = try await apple.credentials().authorizationCode
            _ = try await signIn.exchange(code: code, clientID: Self.app)
            let causes = try await refusal(.appleRefusedGrant, of: signIn, code)
            #expect(causes.map(\.code) == [.codeSentBefore, .codeAlreadyUsed])
        }
    }

    @Test func lateCode() async throws {
        try await withAppleEmulator { apple in
            let code = try await apple.credentials().authorizationCode
            apple.time.advance(bySeconds: 301)
            let causes = try await refusal(.appleRefusedGrant, of: apple.signIn(), code)
            #expect(causes.first?.code == .codeLate)
        }
    }

    @Test func codeThatIsOlderThanItsTokenSaysIsEvidentlyLate() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let credential = try await apple.credentials()
            let identity = try await signIn.verify(credential.identityToken)
            apple.time.advance(bySeconds: 301)
            let error = await expectRefusal(.appleRefusedGrant) {
                try await signIn.exchange(
                    code: credential.authorizationCode,
                    clientID: Self.app,
                    receivedAt: identity.issuedAt
                )
            }
            #expect(error?.causes.first?.code == .codeLate)
            #expect(error?.causes.first?.isEvident == true)
        }
    }

    @Test func nativeCodeWithTheServicesID() async throws {
        try await withAppleEmulator { apple in
            let code = try await apple.credentials().authorizationCode
            let causes = try await refusal(
                .appleRefusedGrant,
                of: apple.signIn(),
                code,
                clientID: Self.web,
                redirectURI: Self.redirectURI
            )
            #expect(causes.first?.code == .clientMismatch)
        }
    }

    @Test func webCodeWithAnotherRedirectAddress() async throws {
        try await withAppleEmulator { apple in
            let signIn = try apple.signIn()
            let url = signIn.authorizationURL(
                clientID: Self.web,
                redirectURI: Self.redirectURI,
                scopes: [.email],
                state: "state",
                nonce: "nonce"
            )
            let callback = try await apple.authorize(url)
            let causes = try await refusal(
                .appleRefusedGrant,
                of: signIn,
                try #require(callback["code"]),
                clientID: Self.web,
                redirectURI: Self.redirectURI + "/"
            )
            #expect(causes.map(\.code) == [.redirectMismatch])
        }
    }

    @Test(arguments: [(nil, nil), ("UNKNOWNKEY", nil), (nil, "OTHERTEAM1")] as [(KeyID?, TeamID?)])
    func keyFileOfAnotherKey(keyID: KeyID?, teamID: TeamID?) async throws {
        try await withAppleEmulator { apple in
            var configuration = try apple.signInConfiguration()
            let key = try #require(configuration.key)
            configuration.key = try ClientSecretKey(
                pem: P256.Signing.PrivateKey().pemRepresentation,
                keyID: keyID ?? key.keyID,
                teamID: teamID ?? key.teamID
            )
            let signIn = apple.signIn(with: configuration)
            let code = try await apple.credentials().authorizationCode
            let causes = try await refusal(.appleRefusedClient, of: signIn, code)
            #expect(causes.first?.code == .keyMismatch)
        }
    }

    @Test func clockThatIsAMinuteFastIsAccepted() async throws {
        try await withAppleEmulator { apple in
            _ = try await apple.emulator.changeSwitches(["secret_skew_seconds": 0])
            let signIn = AppleSignIn(
                configuration: try apple.signInConfiguration(),
                transport: apple.transport,
                time: ManualTime(now: apple.time.now + 60).source
            )
            let code = try await apple.credentials().authorizationCode
            _ = try await signIn.exchange(code: code, clientID: Self.app)
        }
    }

    @Test(
        arguments: [(-900, .secretExpired), (900, .secretNotYetValid)]
            as [(TimeInterval, RefusalCause.Code)]
    )
    func wrongClockIsToldByApplesDate(ahead: TimeInterval, next: RefusalCause.Code) async throws {
        try await withAppleEmulator { apple in
            let time = ManualTime(now: apple.time.now + ahead)
            let signIn = AppleSignIn(
                configuration: try apple.signInConfiguration(),
                transport: apple.transport,
                time: time.source
            )
            let code = try await apple.credentials().authorizationCode
            let causes = try await refusal(.appleRefusedClient, of: signIn, code)
            #expect(causes.prefix(2).map(\.code) == [.clockWrong, next])
        }
    }

    @Test func clientWithACapitalTooMany() async throws {
        try await withAppleEmulator { apple in
            var configuration = try apple.signInConfiguration()
            configuration.appIDs.append("com.example.Juice")
            let signIn = apple.signIn(with: configuration)
            let first = try await apple.credentials().authorizationCode
            _ = try await signIn.exchange(code: first, clientID: Self.app)
            let code = try await apple.credentials().authorizationCode
            let causes = try await refusal(
                .appleRefusedClient,
                of: signIn,
                code,
                clientID: "com.example.Juice"
            )
            #expect(causes.map(\.code) == [.keyOfAnotherGroup, .clientUnknown])
        }
    }
}
