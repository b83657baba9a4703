import Crypto
import CryptoExtras
import Foundation
import SignInWithApple

/// The costs of the steps of a verification, each measured with a token that fails at the next step.
///
/// The claims and their checks are the difference between the whole and the rows above it.
enum StepContest {
    static let title = "Steps of a verification"
    static let hashName = "SHA-256, within the signature"
    static let readName = "split, decode, header, SHA-256, key, refusal"

    static func make(apple: BenchApple) async throws -> Contest {
        let token = try apple.token(person: 1)
        let input = try BenchApple.parts(of: token).input
        // Base64url of one byte: no signature has that length, so nothing is computed.
        let unsigned = token.split(separator: ".").prefix(2).joined(separator: ".") + ".AA"
        let signIn = apple.signIn()
        return Contest(
            title: title,
            contenders: [
                try VerificationContest.signatureAlone(apple: apple, token: token),
                VerificationContest.turn(hashName) { _ = SHA256.hash(data: input) },
                VerificationContest.turn(readName) {
                    _ = try? await signIn.verify(unsigned, expecting: .init(nonce: .absent))
                },
                VerificationContest.signInWithApple(apple: apple, token: token),
            ],
            turnCount: VerificationContest.turnCount
        )
    }
}
