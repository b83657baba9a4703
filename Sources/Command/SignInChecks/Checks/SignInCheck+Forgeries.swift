import AppleIdentity
import Foundation
import SignedTokens

/// Checks with tokens that Apple did not sign.
extension SignInCheck {
    static let forgeries: [SignInCheck] = [
        forged(
            "signature-of-other-claims",
            [.keptSignature, .missingSignature],
            "carrying the signature of different claims, or no signature"
        ),
        forged("foreign-key", [.foreignKey], "signed with the attacker's key under Apple's `kid`"),
        forged(
            "embedded-key",
            EmbeddedKey.allCases.map { .embeddedKey($0) },
            "signed with the attacker's own key, which the header supplies (`jwk`, `x5c`, `jku`)"
        ),
        forged("unknown-key", [.unknownKey], "signed with a key that Apple does not publish"),
        forged(
            "algorithm-none",
            unsignedNames.map { .unsigned($0) },
            "with the algorithm `none`, in lower and upper case, and no signature"
        ),
        forged(
            "algorithm-hs256",
            PublicKeySecret.allCases.map { .publicKeyAsSecret($0) },
            "as HS256 with Apple's public key as the secret, as PEM, DER or number"
        ),
        tokenEndpoint,
    ]

    /// The spellings of the algorithm `none`, for servers that refuse only the first.
    static let unsignedNames = ["none", "None", "NONE", "nOnE"]

    private static func forged(
        _ name: String,
        _ forgeries: [Forgery],
        _ words: String
    ) -> SignInCheck {
        SignInCheck(
            name: name,
            attempt: "the attacker's own code, with a token about the victim, \(words)",
            expectation: "the attacker is not signed in as the victim",
            fix: """
                Verify identity tokens with a library that you configure with RS256 and Apple's keys. The library must \
                take neither the algorithm nor the key from the token.
                """,
            source: .tokens
        ) { context throws(CheckError) in
            let own = try OwnKey(keySetAddress: context.usual.appleOrigin + publicationPath)
            let finding = try await context.each(forgeries) { forgery throws(CheckError) in
                try await context.deliver(forgery, own)
            }
            return try await context.unlessIgnored(finding)
        }
    }

    /// A path of the emulator that no sign-in requests, in place of an attacker's own server.
    static let publicationPath = "/auth/usermigrationinfo"

    private static let tokenEndpoint = SignInCheck(
        name: "signature-for-the-code",
        attempt: "identity tokens with a wrong signature, from Apple's page and for the code",
        expectation: "no user is signed in",
        fix: "Verify the signature of the identity token from the token endpoint as well.",
        source: .verifying
    ) { context throws(CheckError) in
        let finding = try await context.defective("bad_signature")
        guard finding.verdict == .fails else { return finding }
        return .advice(
            "signed in with a token with a wrong signature; OpenID Connect allows relying on TLS to"
                + " the token endpoint instead, but Apple requires the signature check"
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
        let fault = try await apple.publish(
            own.keySet(as: [token.keyID]),
            at: SignInCheck.publicationPath
        )
        return try await apple.during(fault) { () throws(CheckError) in
            try await expectNoVictim(visit, sent)
        }
    }

    /// Delivers a forged token about the victim, and returns the server's response.
    func forged(_ forgery: Forgery) async throws(CheckError) -> (visit: Visit, reply: WebAnswer) {
        let own = try OwnKey(keySetAddress: usual.appleOrigin + SignInCheck.publicationPath)
        var (visit, answer, token) = try await prepared(own)
        answer.fields["id_token"] = try token.make(forgery)
        let reply = try await visit.deliver(answer)
        return (visit, reply)
    }

    /// The attacker's own sign-in, and the parts of a token about the victim.
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

    /// Claims that are all correct, for a token with a wrong signature.
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
        let keys = try await apple.publishedKeys(at: usual.appleOrigin)
        let header = token.flatMap { $0.split(separator: ".").first }
            .flatMap { Base64URL.decode(String($0)) }
            .flatMap { try? JSONObject(parsing: $0) }
        return keys.first { $0["kid"] == header?["kid"] } ?? keys.first ?? [:]
    }
}
