import AppleIdentity
import Foundation
import SignedTokens

/// Whoever has no key of Apple's makes no tokens.
extension SignInCheck {
    static let forgeries: [SignInCheck] = [
        forged(
            "signature-of-other-claims",
            [.keptSignature, .missingSignature],
            "under the signature of other claims, and under none"
        ),
        forged("foreign-key", [.foreignKey], "signed by an own key under the name of Apple's"),
        forged(
            "embedded-key",
            EmbeddedKey.allCases.map { .embeddedKey($0) },
            "signed by an own key that the header brings along (`jwk`, `x5c`, `jku`)"
        ),
        forged("unknown-key", [.unknownKey], "signed by a key that Apple does not publish"),
        forged(
            "algorithm-none",
            unsignedNames.map { .unsigned($0) },
            "with the algorithm `none`, in small and capital letters, and no signature"
        ),
        forged(
            "algorithm-hs256",
            PublicKeySecret.allCases.map { .publicKeyAsSecret($0) },
            "as HS256 with Apple's public key as secret, as PEM, DER or number"
        ),
        tokenEndpoint,
    ]

    /// The spellings of the algorithm that is none, for servers that refuse the first alone.
    static let unsignedNames = ["none", "None", "NONE", "nOnE"]

    private static func forged(
        _ name: String,
        _ forgeries: [Forgery],
        _ words: String
    ) -> SignInCheck {
        SignInCheck(
            name: name,
            topic: .signature,
            attempt: "the attacker's own code, with a token about the victim \(words)",
            expectation: "the attacker is not signed in as the victim",
            fix: """
                Verify identity tokens with a library that is told RS256 and Apple's keys, and takes neither from the \
                token.
                """,
            source: .tokens
        ) { context throws(CheckError) in
            let own = try OwnKey(keySetAddress: context.usual.appleOrigin + publicationPath)
            return try await context.each(forgeries) { forgery throws(CheckError) in
                try await context.deliver(forgery, own)
            }
        }
    }

    /// An address at the emulator that no sign-in asks for, in place of an attacker's own server.
    fileprivate static let publicationPath = "/auth/usermigrationinfo"

    private static let tokenEndpoint = SignInCheck(
        name: "signature-for-the-code",
        topic: .signature,
        attempt: "identity tokens with a wrong signature, from Apple's page and for the code",
        expectation: "nobody is signed in",
        fix: "Verify the signature of the identity token from the token endpoint as well.",
        source: .verifying
    ) { context throws(CheckError) in
        let finding = try await context.defective("bad_signature")
        guard finding.verdict == .fails else { return finding }
        return .advice(
            "signed in by a token with a wrong signature; OpenID Connect lets TLS to the token"
                + " endpoint stand in for it, Apple asks for it"
        )
    }
}

extension CheckContext {
    fileprivate func deliver(
        _ forgery: Forgery,
        _ own: OwnKey
    ) async throws(CheckError) -> Finding {
        let (visit, answer, token) = try await prepared(own)
        var sent = answer
        sent.fields["id_token"] = try token.make(forgery)
        guard forgery == .embeddedKey(.address) else {
            return try await expectNoVictim(visit, sent)
        }
        try await apple.publish(own.keySet(as: token.keyID), at: SignInCheck.publicationPath)
        let finding = try await expectNoVictim(visit, sent)
        try await apple.clearFaults()
        return finding
    }

    /// Delivers a forged token about the victim, whatever comes of it.
    func forged(_ forgery: Forgery) async throws(CheckError) -> (visit: Visit, reply: WebAnswer) {
        let own = try OwnKey(keySetAddress: usual.appleOrigin + SignInCheck.publicationPath)
        var (visit, answer, token) = try await prepared(own)
        answer.fields["id_token"] = try token.make(forgery)
        let reply = try await visit.deliver(answer)
        return (visit, reply)
    }

    /// The attacker's own sign-in, and what a token about the victim is made of.
    fileprivate func prepared(
        _ own: OwnKey
    ) async throws(CheckError) -> (visit: Visit, answer: AppleAnswer, token: ForgedToken) {
        let (visit, answer) = try await visit(as: attacker)
        let token = ForgedToken(
            claims: claims(about: victim, visit, answer),
            applesKey: try await applesKey(of: answer.identityToken),
            genuine: answer.identityToken,
            own: own,
            now: time.now
        )
        return (visit, answer, token)
    }

    /// Claims that are right in all but who signs them.
    fileprivate func claims(
        about person: CheckPerson,
        _ visit: Visit,
        _ answer: AppleAnswer
    ) -> JSONObject {
        let now = Int(time.now.timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": "https://appleid.apple.com",
            "aud": .string(registration.clientID),
            "exp": .integer(now + 86_400), "iat": .integer(now - 1),
            "sub": .string(victimID),
        ]
        claims["nonce"] = visit.request["nonce"].map { .string($0) }
        claims["c_hash"] = answer.code.map { .string(HalfHash.make(of: $0)) }
        claims["email"] = .string(person.email)
        claims["email_verified"] = true
        claims["auth_time"] = .integer(now - 1)
        claims["nonce_supported"] = true
        return claims
    }

    /// The key that signed a token, or any of Apple's.
    fileprivate func applesKey(of token: String?) async throws(CheckError) -> JSONObject {
        let keys = try await publishedKeys()
        let header = token.flatMap { $0.split(separator: ".").first }
            .flatMap { Base64URL.decode(String($0)) }
            .flatMap { try? JSONObject(parsing: $0) }
        return keys.first { $0["kid"] == header?["kid"] } ?? keys.first ?? [:]
    }
}
