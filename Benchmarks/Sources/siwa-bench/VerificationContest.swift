import Crypto
import CryptoExtras
import Foundation
import JWTKit
import SignInWithApple

/// Verifying an identity token, against nothing but its RSA signature and against other libraries.
enum VerificationContest {
    /// How often each contender verifies in one turn: a few milliseconds, because disturbed turns
    /// then stand out.
    static let verificationCount = 100
    /// The same for the slower ones, and for two tasks at the same time, whose start takes time.
    static let slowVerificationCount = 20
    static let parallelVerificationCount = 500
    /// How many turns make a round.
    static let turnCount = 40

    static let signatureName = "the signature alone (swift-crypto)"
    static let wholeName = "SignInWithApple, every check"

    static func make(apple: BenchApple) async throws -> Contest {
        let token = try apple.token(person: 1)
        return Contest(
            title: "Identity-token verification (RSA 2048, three keys, one of them named)",
            contenders: [
                try signatureAlone(apple: apple, token: token),
                signInWithApple(apple: apple, token: token),
                try signInWithAppleBound(apple: apple),
                try await jwtKit(apple: apple, token: token),
            ] + (try pythonPeers(apple: apple, token: token)),
            turnCount: turnCount
        )
    }

    /// The floor: hash and RSA operation, with the key and the signature parsed before.
    static func signatureAlone(
        apple: BenchApple,
        token: String,
        count: Int = verificationCount,
        taskCount: Int = 1
    ) throws -> Contest.Contender {
        let key = apple.publicKey
        let parts = try BenchApple.parts(of: token)
        let signature = _RSA.Signing.RSASignature(rawRepresentation: parts.signature)
        return turn(signatureName, count: count, taskCount: taskCount) {
            let digest = SHA256.hash(data: parts.input)
            guard key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
            else { throw BenchError("the signature is invalid") }
        }
    }

    static func signInWithApple(
        _ name: String = wholeName,
        apple: BenchApple,
        token: String,
        clientCount: Int = 1,
        keyCount: Int = BenchApple.keyCount,
        count: Int = verificationCount,
        taskCount: Int = 1
    ) -> Contest.Contender {
        let signIn = apple.signIn(clientCount: clientCount, keyCount: keyCount)
        return turn(name, count: count, taskCount: taskCount) {
            _ = try await signIn.verify(token, expecting: .init(nonce: .absent))
        }
    }

    private static func signInWithAppleBound(apple: BenchApple) throws -> Contest.Contender {
        let (nonce, code) = ("n-0S6_WzA2Mj-7a1c", "c6e4d1a0b2f34c5e8f9a0b1c2d3e4f506.0.nsu.AbCd")
        let token = try apple.token(person: 1, nonce: nonce, code: code)
        let signIn = apple.signIn()
        return turn("SignInWithApple, nonce and code hash too") {
            _ = try await signIn.verify(
                token,
                expecting: .init(nonce: .sha256(nonce), authorizationCode: code)
            )
        }
    }

    private static func jwtKit(apple: BenchApple, token: String) async throws -> Contest.Contender {
        let keys = try await JWTKeyCollection().add(jwksJSON: apple.keySetJSON())
        return turn("jwt-kit, signature and expiry", count: slowVerificationCount) {
            _ = try await keys.verify(token, as: AppleIdentityToken.self)
        }
    }

    private static func pythonPeers(
        apple: BenchApple,
        token: String
    ) throws -> [Contest.Contender] {
        guard let peers = try PythonPeers(apple: apple, token: token) else {
            Output.line("(no Python was named: its libraries are left out; see `make bench`)")
            return []
        }
        return PythonPeers.libraries.map { library in
            Contest.Contender(name: "\(library), signature, times, audience, issuer") {
                try peers.rate(of: library, count: slowVerificationCount)
            }
        }
    }

    /// One turn, in one task or in several at the same time.
    static func turn(
        _ name: String,
        count: Int = verificationCount,
        taskCount: Int = 1,
        _ body: @escaping @Sendable () async throws -> Void
    ) -> Contest.Contender {
        Contest.Contender(name: name) {
            try await rate(count: count * taskCount) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<taskCount {
                        group.addTask {
                            for _ in 0..<count { try await body() }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}
