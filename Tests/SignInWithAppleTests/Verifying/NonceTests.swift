import AppleIdentity
import SignInWithApple
import Testing

@Suite struct NonceTests {
    private static let raw = "nfBEhHbts0kldEb7-qBQuFh2ve6g6IyB"
    private static let hashed = "4455db17edc8659238822d0717c6de8590e01fde3e0a426af95feff9eaa3b3b4"

    private let apple: ScriptedApple
    private let signIn: AppleSignIn

    init() throws {
        apple = ScriptedApple()
        try apple.publish([TestKey.first.published()])
        signIn = apple.signIn()
    }

    private func verify(
        claim: JSONValue?,
        isSupported: JSONValue? = true,
        _ expectation: NonceExpectation
    ) async throws -> VerifiedIdentity {
        let draft = TokenDraft(at: apple.time.now)
            .with("nonce", claim)
            .with("nonce_supported", isSupported)
        return try await signIn.verify(draft.signed(), expecting: .init(nonce: expectation))
    }

    @Test func eachPolicyAcceptsItsOwnForm() async throws {
        let raw = JSONValue.string(Self.raw)
        let hashed = JSONValue.string(Self.hashed)
        #expect(try await verify(claim: raw, .raw(Self.raw)).nonce == Self.raw)
        #expect(try await verify(claim: hashed, .sha256(Self.raw)).nonce == Self.hashed)
        _ = try await verify(claim: raw, .rawOrSHA256(Self.raw))
        _ = try await verify(claim: hashed, .rawOrSHA256(Self.raw))
        _ = try await verify(claim: nil, .absent)
        _ = try await verify(claim: raw, .unchecked)
        _ = try await verify(claim: nil, .unchecked)
    }

    @Test(
        arguments: [
            (hashed, .raw(raw)), (raw, .sha256(raw)), (hashed.uppercased(), .rawOrSHA256(raw)),
            ("", .rawOrSHA256(raw)), (raw, .absent),
        ] as [(String, NonceExpectation)]
    )
    func eachPolicyRefusesTheOtherForm(nonce: String, expectation: NonceExpectation) async {
        await expectRefusal(.tokenNonceMismatch) {
            try await verify(claim: .string(nonce), expectation)
        }
    }

    @Test(arguments: [true, "true", false, nil] as [JSONValue?])
    func aNonceThatWasSentMustBeThere(isSupported: JSONValue?) async {
        for expectation in [
            NonceExpectation.raw(Self.raw), .sha256(Self.raw), .rawOrSHA256(Self.raw),
        ] {
            await expectRefusal(.tokenNonceMissing) {
                try await verify(claim: nil, isSupported: isSupported, expectation)
            }
        }
    }
}
