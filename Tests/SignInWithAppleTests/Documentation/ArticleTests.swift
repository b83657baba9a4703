import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import Logging
import SignInWithApple
import Testing

/// The code of the articles works as they say, with the emulator.
@Suite struct ArticleTests {
    private static let logger = Logger(label: "articles") { _ in SwiftLogNoOpLogHandler() }

    private let sealingKeys = TokenSealer.makeKey(identifier: "k1")

    @Test func verifyingFindsThePerson() async throws {
        try await withAppleEmulator { apple in
            let example = VerifyingExample(
                apple: try apple.signIn(clientIDs: ["com.example.juice"]),
                logger: Self.logger
            )
            let hash = Hexadecimal.encode(Array(SHA256.hash(data: Data("the nonce".utf8))))
            let credential = try await apple.credentials(nonce: hash)
            let user = try await example.person(
                behind: credential.identityToken,
                code: credential.authorizationCode,
                nonce: "the nonce"
            )
            #expect(user == credential.user)
            for (nonce, status) in [("the nonce", 200), ("another", 401)] {
                let answer = try await example.answer(
                    credential.identityToken,
                    code: credential.authorizationCode,
                    nonce: nonce
                )
                #expect(answer.status == status)
            }
            #expect(VerifyingExample.makeApple().configuration.key == nil)
        }
    }

    @Test func verifierOfTheHowToFindsThePersonOnce() async throws {
        try await withServedApple { served in
            let p8 = try #require(await served.inside.emulator.privateKeyPEM(of: "JUICEKEY01"))
            let appleURL = served.url
            let hash = Hexadecimal.encode(Array(SHA256.hash(data: Data("hello".utf8))))
            let credential = try await served.inside.credentials(nonce: hash)
            let (identityToken, code) = (credential.identityToken, credential.authorizationCode)
            let verifier = try AppleVerifier(p8: p8, appleURL: appleURL)
            let (user, refreshToken) = try await verifier.verify(
                identityToken: identityToken,
                code: code,
                nonce: "hello"
            )
            #expect(user == credential.user && refreshToken != nil)
            let answer = try await { () async throws -> (Int, String) in
                do {
                    let (user, _) = try await verifier.verify(
                        identityToken: identityToken,
                        code: code,
                        nonce: "hello"
                    )
                    return (200, "Signed in as \(user)")
                } catch let error as SignInError {
                    return (error.httpStatus.code, error.message)
                }
            }()
            #expect(answer.0 == 401)
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
            for cookie in [other.cookie, nil] {
                await expectRefusal(.stateMismatch) {
                    try await example.finish(form: answer.formBody, cookie: cookie)
                }
                let refused = try await example.answer(form: answer.formBody, cookie: cookie)
                #expect(refused.status == 400)
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
                try await signIn.exchange(
                    code: credential.authorizationCode,
                    clientID: "com.example.juice",
                    redirectURI: nil
                )
            }
            let error = try #require(refusal)
            #expect(error.causes.contains { $0.code == .keyMismatch })
            GoingLiveExample.tell(error, to: Self.logger)
        }
    }

    @Test func deletionReachesAppleAfterAnOutage() async throws {
        try await withAppleEmulator { apple in
            let example = try lifeCycle(apple)
            let user = try await signedIn(apple, example)
            await example.accounts.setDown(true)
            await #expect(throws: LifeCycleExample.Accounts.Down.self) {
                try await example.deleteAccount(user)
            }
            await example.accounts.setDown(false)
            _ = try await apple.emulator.addFault([
                "endpoint": "revoke", "status": 503, "count": 1,
            ])
            try await example.deleteAccount(user)
            #expect(await example.accounts.names.isEmpty)
            for count in 1...2 {
                await example.tokens.processDue()
                let requests = await apple.emulator.requests()
                #expect(requests.count { $0["path"] == "/auth/revoke" } == count)
                apple.advance(by: .seconds(300))
            }
        }
    }

    @Test func notificationsAreActedOnOnce() async throws {
        var seed = Seed.demo()
        seed.apps[0].notificationURL = "https://juice.example.com/apple/notifications"
        try await withAppleEmulator(seed: seed) { apple in
            let example = try lifeCycle(apple)
            let user = try await signedIn(apple, example)
            try await apple.emulator.stopUsing("maya@example.com", clientID: "com.example.juice")
            let count = await apple.deliverNotifications { body in
                await example.accounts.setDown(true)
                await #expect(throws: LifeCycleExample.Accounts.Down.self) {
                    try await example.receive(body)
                }
                // A notification that was not processed was not stored.
                await example.accounts.setDown(false)
                try await example.receive(body)
                try await example.receive(body)
                return 200
            }
            #expect(count == 1)
            #expect(await example.accounts.signedOut == [user])
            #expect(await example.accounts.names[user] == "Maya")
        }
    }

    @Test func peopleMoveWithTheApp() async throws {
        let recipient = TwoTeams.recipient
        try await withAppleEmulator(seed: TwoTeams.seed()) { apple in
            let giver = try lifeCycle(apple)
            let user = try await signedIn(apple, giver)
            var identifiers: [UserID: UserID] = [:]
            let progress = try await giver.send([user], to: recipient, leavingOut: []) {
                identifiers[$1] = $0
            }
            #expect(progress.succeededCount == 1)
            try await apple.transfer()
            let receiver = try LifeCycleExample(
                apple: apple.signIn(clientIDs: ["com.example.juice"], teamID: recipient),
                sealer: TokenSealer(keys: sealingKeys)
            )
            await receiver.accounts.name(user, "Maya")
            try await receiver.receive(identifiers)
            let again = try await apple.credentials()
            #expect(await receiver.accounts.names == [again.user: "Maya"])
        }
    }

    private func lifeCycle(_ apple: TestApple) throws -> LifeCycleExample {
        try LifeCycleExample(
            apple: apple.signIn(clientIDs: ["com.example.juice"]),
            sealer: TokenSealer(keys: sealingKeys)
        )
    }

    /// Signs Maya in, and stores her tokens.
    private func signedIn(_ apple: TestApple, _ example: LifeCycleExample) async throws -> UserID {
        let credential = try await apple.credentials()
        let grant = try await example.apple.exchange(
            code: credential.authorizationCode,
            clientID: "com.example.juice"
        )
        try await example.signIn(grant)
        return credential.user
    }
}
