import AppleEmulator
import AppleIdentity
import Foundation
import SignInWithApple
import Testing

/// What Apple's documents announce never decides whose tokens are accepted.
///
/// In June 2025 Apple's discovery document named `account.apple.com` for some hours, and every
/// token still `appleid.apple.com`: who believed the document refused everybody.
@Suite struct IssuerOverHTTPTests {
    private static let newIssuer = "https://account.apple.com"

    private static let announced: JSONObject = [
        "issuer": .string(newIssuer),
        "jwks_uri": .string(newIssuer + ApplePath.keys),
        "token_endpoint": .string(newIssuer + ApplePath.token),
    ]

    @Test func anotherIssuerInDiscoveryChangesNothing() async throws {
        try await withServedApple { apple in
            try await apple.control(
                "faults",
                [
                    "endpoint": "discovery", "status": 200, "count": 10,
                    "body": .string(Self.announced.text),
                ]
            )
            let signIn = try apple.signIn()
            let credential = try await apple.credentials()
            let identity = try await signIn.verify(
                try #require(credential["identity_token"]?.stringValue),
                expecting: .init(nonce: .absent)
            )
            #expect(identity.issuer == AppleService.appleIssuer)
            let grant = try await signIn.redeem(
                code: try #require(credential["authorization_code"]?.stringValue),
                clientID: "com.example.juice",
                redirectURI: nil
            )
            #expect(grant.identity.user == identity.user)
            let asked = await apple.askedPaths()
            #expect(!asked.contains(ApplePath.discovery))
        }
    }

    @Test func tokensOfAnotherIssuerAreRefused() async throws {
        var configuration = EmulatorConfiguration()
        configuration.issuer = Self.newIssuer
        try await withServedApple(configuration: configuration) { apple in
            var own = try apple.signIn().configuration
            own.service.issuer = AppleService.appleIssuer
            let signIn = AppleSignIn(
                configuration: own,
                transport: .live(),
                time: apple.time.source
            )
            let credential = try await apple.credentials()
            let token = try #require(credential["identity_token"]?.stringValue)
            await expectRefusal(.tokenIssuerMismatch) {
                try await signIn.verify(token, expecting: .init(nonce: .absent))
            }
        }
    }
}
