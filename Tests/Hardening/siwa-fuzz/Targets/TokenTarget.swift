import AppleIdentity
import Foundation

@testable import SignInWithApple
@testable import SignedTokens

/// A compact JWS: split, decoded and verified as an identity token.
///
/// An input that begins with a brace is a header and, after a line break, a payload: the token is
/// made of them, with a real token's signature; mutations then reach the content that Base64 hides.
struct TokenTarget: FuzzTarget {
    private let apple: KnownApple
    private let realTokens: Set<String>
    private let realSignature: String

    init() throws {
        apple = try KnownApple()
        let tokens = try SeedFiles.tokens()
        realTokens = Set(tokens)
        realSignature = tokens.first?.split(separator: ".").last.map(String.init) ?? ""
    }

    func seeds() throws -> [Data] {
        let published = try SeedFiles.vectors("json_web_signature_test.json", member: "jws")
        let tokens = try SeedFiles.tokens() + SeedFiles.notifications() + published
        return tokens.map { Data($0.utf8) } + tokens.compactMap(Self.decoded)
    }

    private static func decoded(_ token: String) -> Data? {
        let parts = token.split(separator: ".").map { FoundationBase64.decode(String($0)) }
        guard parts.count == 3, let header = parts[0], let payload = parts[1] else { return nil }
        return header + Data("\n".utf8) + payload
    }

    private func text(of input: Data) -> String {
        guard input.first == UInt8(ascii: "{") else {
            return String(decoding: input, as: UTF8.self)
        }
        let lineBreak = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
        let parts = [input[..<lineBreak], input[lineBreak...].dropFirst()].map(Base64URL.encode)
        return "\(parts[0]).\(parts[1]).\(realSignature)"
    }

    func test(_ input: Data) {
        let text = text(of: input)
        testSplitting(text)
        let outcome = verify(text)
        Refusals.checkSame(outcome, verify(text))
        switch outcome {
        case .success:
            let isReal = realTokens.contains { $0.utf8.elementsEqual(text.utf8) }
            promise(isReal, "Apple never signed this token")
        case .failure(let error):
            Refusals.check(error)
            checkSecrecy(of: error.hint, text)
        }
    }

    private func verify(_ text: String) -> Result<VerifiedIdentity, SignInError> {
        let verifier = apple.verifier(at: UnverifiedClaims(text).time)
        return InlineTask.run {
            do {
                return .success(
                    try await verifier.verify(
                        text,
                        expecting: IdentityTokenExpectation(nonce: .unchecked)
                    )
                )
            } catch {
                return .failure(Refusals.signInError(error))
            }
        }
    }

    /// What splits is spelled in the one way there is, and Foundation decodes it alike.
    private func testSplitting(_ text: String) {
        guard let token = try? UnverifiedToken(text) else { return }
        promise(text.utf8.count <= UnverifiedToken.maximumByteCount, "longer than the limit")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        promise(parts.count == 3, "\(parts.count) parts")
        for part in parts {
            let decoded = Base64URL.decode(part)
            promise(
                decoded == FoundationBase64.decode(part),
                "Foundation decodes \(part) otherwise"
            )
            promise(decoded.map { Base64URL.encode($0) } == part, "\(part) has another spelling")
        }
        promise(token.unverifiedPayload == Base64URL.decode(parts[1]), "another payload")
        promise(["RS256", "ES256"].contains(token.header.algorithm), "another algorithm")
        promise(token.header.criticalExtensions == nil, "a critical extension")
    }

    private func checkSecrecy(of hint: String, _ text: String) {
        guard let signature = text.split(separator: ".").last, signature.utf8.count >= 64 else {
            return
        }
        promise(!hint.contains(signature), "the hint shows the signature")
    }
}
