import Crypto
import CryptoExtras
import Foundation
import SignInWithApple

/// What the steps of a verification cost, each told by a token that gets just so far.
///
/// The claims and their checks are the difference between the whole and the rows above it.
enum StepContest {
    /// How often each step is taken in one round.
    private static let stepCount = 5_000

    static func make(apple: BenchApple) async throws -> Contest {
        let token = try apple.token(person: 1)
        let input = try BenchApple.parts(of: token).input
        // Base64url of one byte: no signature has that length, so that no number is computed.
        let unsigned = token.split(separator: ".").prefix(2).joined(separator: ".") + ".AA"
        let signIn = AppleSignIn(
            configuration: SignInWithAppleConfiguration(clientIDs: [.init(BenchApple.clientID)]),
            transport: apple.transport
        )
        return Contest(
            title: "Steps of a verification",
            contenders: [
                try VerificationContest.signatureAlone(apple: apple, token: token),
                step("SHA-256, within the signature") { _ = SHA256.hash(data: input) },
                step("split, decode, header, SHA-256, key, refusal") {
                    _ = try? await signIn.verify(unsigned, expecting: .init(nonce: .absent))
                },
                step("the whole") {
                    _ = try await signIn.verify(token, expecting: .init(nonce: .absent))
                },
            ]
        )
    }

    private static func step(
        _ name: String,
        _ body: @escaping () async throws -> Void
    ) -> Contest.Contender {
        Contest.Contender(name: name) {
            try await rate(count: stepCount) {
                for _ in 0..<stepCount { try await body() }
            }
        }
    }
}
