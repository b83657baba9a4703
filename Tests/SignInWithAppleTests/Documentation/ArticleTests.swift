import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import Logging
import SignInWithApple
import Testing

/// The code of the articles does what they say, against an emulated Apple.
@Suite struct ArticleTests {
    private let sealingKeys = TokenSealer.makeKey(identifier: "k1")

    @Test func verifyingFindsThePerson() async throws {
        try await withAppleEmulator { apple in
            let example = VerifyingExample(
                apple: try apple.signIn(clientIDs: ["com.example.juice"]),
                logger: Logger(label: "articles")
            )
            let hash = Hexadecimal.encode(Array(SHA256.hash(data: Data("the nonce".utf8))))
            let credential = try await apple.credentials(nonce: hash)
            let user = try await example.person(
                behind: credential.identityToken,
                code: credential.authorizationCode,
                nonce: "the nonce"
            )
            #expect(user == credential.user)
            let refusal = await expectRefusal(.tokenNonceMismatch) {
                try await example.person(
                    behind: credential.identityToken,
                    code: credential.authorizationCode,
                    nonce: "another"
                )
            }
            #expect(try example.answer(to: #require(refusal)).status == 401)
            #expect(VerifyingExample.makeApple().configuration.key == nil)
        }
    }

    @Test func webFlowEndsInAWelcome() async throws {
        try await withAppleEmulator { apple in
            let example = WebFlowExample(
                apple: try apple.signIn(),
                sealer: try TokenSealer(keys: sealingKeys)
            )
            let begun = try example.begin()
            let name = PersonName(givenName: "Maya", familyName: "Lindgren")
            let answer = try await apple.authorize(begun.page, name: name)
            let welcome = try await example.finish(form: answer.formBody, cookie: begun.cookie)
            #expect(welcome?.name == name)
            #expect(welcome?.refreshToken != nil)

            let other = try example.begin()
            await #expect(throws: WebFlowExample.ForeignCallback.self) {
                try await example.finish(form: answer.formBody, cookie: other.cookie)
            }
            let cancelled = try await apple.authorize(other.page, isContinuing: false)
            let nobody = try await example.finish(form: cancelled.formBody, cookie: other.cookie)
            #expect(nobody == nil)
        }
    }

    @Test func wrongKeyIsExplainedToTheLog() async throws {
        try await withAppleEmulator { apple in
            var configuration = try apple.signInConfiguration()
            configuration.key =
                try GoingLiveExample
                .configuration(p8: TestSecretKey().privateKey.pemRepresentation).key
            let signIn = AppleSignIn(
                configuration: configuration,
                transport: apple.transport,
                time: apple.time.source
            )
            let credential = try await apple.credentials()
            let refusal = await expectRefusal(.appleRefusedClient) {
                try await signIn.redeem(
                    code: credential.authorizationCode,
                    clientID: "com.example.juice",
                    redirectURI: nil
                )
            }
            let error = try #require(refusal)
            #expect(error.causes.contains { $0.code == .keyMismatch })
            GoingLiveExample.tell(error, to: Logger(label: "articles"))
        }
    }
}
