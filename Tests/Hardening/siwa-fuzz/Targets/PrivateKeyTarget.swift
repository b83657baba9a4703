import AppleIdentity
import Crypto
import Foundation

@testable import SignInWithApple
@testable import SignedTokens

/// The text of a private key's file.
struct PrivateKeyTarget: FuzzTarget {
    /// Runs of Base64 from this length on are taken as a part of a key.
    private static let secretCharacterCountMin = 16

    func seeds() throws -> [Data] {
        let key = try P256.Signing.PrivateKey(rawRepresentation: Data(1...32))
        let other = try P384.Signing.PrivateKey(rawRepresentation: Data(1...48))
        let pem = key.pemRepresentation
        return [
            pem,
            pem + "\n",
            key.derRepresentation.base64EncodedString(),
            Data(pem.utf8).base64EncodedString(),
            pem.replacingOccurrences(of: "\n", with: #"\n"#),
            pem.replacingOccurrences(of: "PRIVATE", with: "EC PRIVATE"),
            pem.replacingOccurrences(of: "\n", with: "\r\n"),
            String(pem.prefix(100)),
            key.publicKey.pemRepresentation,
            other.pemRepresentation,
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----",
            "",
        ]
        .map { Data($0.utf8) }
    }

    func test(_ input: Data) {
        let text = String(decoding: input, as: UTF8.self)
        testPublicKey(text)
        do throws(SignInError) {
            let key = try ClientSecretKey(pem: text, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
            promise(text.utf8.count <= ClientSecretKey.maximumByteCount, "longer than the limit")
            testSigning(key)
            checkSecrecy(of: "\(key) \(String(reflecting: key))", text)
        } catch {
            promise(error.code == .clientSecretKeyInvalid, "\(error.code)")
            Refusals.check(error)
            checkSecrecy(of: error.hint, text)
        }
    }

    private func testSigning(_ key: ClientSecretKey) {
        let secret = try? key.clientSecret(
            for: "com.example.juice",
            lifetime: .seconds(600),
            audience: AppleService.appleIssuer,
            at: Date(timeIntervalSince1970: 1_769_000_000)
        )
        let token = secret.flatMap { try? UnverifiedToken($0) }
        let verified = try? token?.verified(with: key.signingKey.verificationKey)
        promise(verified != nil, "its own signature is not valid")
    }

    private func testPublicKey(_ text: String) {
        guard let key = try? VerificationKey(p256PEM: text), let pem = key.p256PEM else { return }
        promise((try? VerificationKey(p256PEM: pem))?.p256PEM == pem, "another PEM")
    }

    private func checkSecrecy(of words: String, _ text: String) {
        let alphabet = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "+/="))
        for run in text.components(separatedBy: alphabet.inverted)
        where run.utf8.count >= Self.secretCharacterCountMin {
            promise(!words.contains(run), "the hint shows \(run)")
        }
    }
}
