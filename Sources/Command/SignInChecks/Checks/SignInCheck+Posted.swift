import AppleIdentity
import Foundation
import SignedTokens

/// Checks of an API that takes the identity tokens of apps and popups.
extension SignInCheck {
    private static let verify = """
        Verify the token's signature with Apple's keys and RS256, then `iss`, `aud`, `exp` and the nonce, before anything \
        else.
        """

    /// The checks that need no sign-in in a browser.
    package static let posted: [SignInCheck] = [
        postedForgery(
            "changed-claims",
            [.keptSignature],
            "with claims that Apple did not sign"
        ),
        postedForgery("unsigned", [.missingSignature], "without a signature"),
        postedForgery(
            "foreign-key",
            [.foreignKey],
            "signed with the attacker's key under Apple's `kid`"
        ),
        postedForgery(
            "embedded-key",
            // An unknown `kid` is sent once only: servers limit how often they fetch Apple's keys.
            EmbeddedKey.allCases.filter { $0 != .named }.map { .embeddedKey($0) },
            "signed with a key that the header supplies (`jwk`, `x5c`, `jku`)"
        ),
        postedForgery(
            "unknown-key",
            [.unknownKey],
            "signed with a key that Apple does not publish"
        ),
        postedForgery(
            "algorithm-none",
            unsignedNames.map { .unsigned($0) },
            "with the algorithm `none`"
        ),
        postedForgery(
            "algorithm-hs256",
            PublicKeySecret.allCases.map { .publicKeyAsSecret($0) },
            "as HS256 with Apple's public key as the secret"
        ),
        postedDefect("issuer", "wrong_issuer", "of another issuer"),
        postedAudience,
        postedDefect("expired", "expired", "that expired an hour ago"),
        postedDefect(
            "issued-in-the-future",
            "issued_in_the_future",
            "issued an hour from now",
            isAdvice: true
        ),
        postedNonce, postedTwice,
    ]

    private static func postedForgery(
        _ name: String,
        _ forgeries: [Forgery],
        _ words: String
    ) -> SignInCheck {
        SignInCheck(
            name: "api-" + name,
            attempt: "the attacker's code, with a token about the victim, \(words)",
            expectation: "no session is created",
            fix: verify,
            source: .tokens,
            api: { context throws(CheckError) in
                let address = try await context.apple.appleAddress()
                let keys = try await context.apple.publishedKeys(at: address)
                let own = try OwnKey(keySetAddress: address + publicationPath)
                let fault = try await context.apple.publish(
                    own.keySet(as: keys.compactMap { $0["kid"] }),
                    at: publicationPath
                )
                return try await context.apple.during(fault) { () throws(CheckError) in
                    try await context.expectRefusals(.victimsAddress) {
                        source,
                        form throws(CheckError) in
                        try await context.forged(forgeries, own, keys, source, form)
                    }
                }
            }
        )
    }

    private static func postedDefect(
        _ name: String,
        _ defect: String,
        _ words: String,
        isAdvice: Bool = false
    ) -> SignInCheck {
        SignInCheck(
            name: "api-" + name,
            attempt: "a token \(words)",
            expectation: "no session is created",
            fix: verify,
            source: .openIDConnect,
            api: { context throws(CheckError) in
                let finding = try await context.expectRefusals {
                    source,
                    form throws(CheckError) in
                    let switches: JSONObject = ["identity_token_defect": .string(defect)]
                    return [
                        try await context.credential(
                            of: context.victim,
                            source,
                            form,
                            switches: switches
                        )
                    ]
                }
                return isAdvice ? finding.asAdvice : finding
            }
        )
    }

    private static let postedAudience = SignInCheck(
        name: "api-audience",
        attempt: "a token for another app, and one for another client of the team",
        expectation: "no session is created",
        fix: "Accept identity tokens whose `aud` is one of this server's own IDs, and no others.",
        source: .verifying,
        api: { context throws(CheckError) in
            try await context.expectRefusals { source, form throws(CheckError) in
                [
                    try await context.credential(
                        of: context.victim,
                        source,
                        form,
                        switches: ["identity_token_defect": "wrong_audience"]
                    ),
                    try await context.credential(
                        of: context.victim,
                        source,
                        form,
                        for: context.otherClient(source)
                    ),
                ]
            }
        }
    )

    private static let postedNonce = SignInCheck(
        name: "api-nonce",
        attempt: "a token with a nonce of the attacker's own; of a popup, also one without a nonce",
        expectation: "no session is created",
        fix: """
            Accept a token only with a nonce that this server issued, unused, whose SHA-256 is in the token.
            """,
        source: .openIDConnect,
        api: { context throws(CheckError) in
            guard context.target.nonces != nil else {
                return .notExamined("the request for a nonce is unknown: give --nonces")
            }
            return try await context.expectRefusals { source, form throws(CheckError) in
                let without = try await context.credential(of: context.victim, source, nil)
                // A popup's token must have a nonce, because any page can get one; a device's need not.
                if source != .popup, context.accepts(try await context.send(without), source) {
                    return []
                }
                let invented = try await context.withInventedNonce(source, form)
                // A server may compare only the posted nonce with those that it issued.
                var mixed = try await context.withInventedNonce(source, form)
                mixed.nonce = try await context.issuedNonce() ?? ""
                return source == .popup ? [invented, mixed, without] : [invented, mixed]
            }
        }
    )

    private static let postedTwice = SignInCheck(
        name: "api-replayed",
        attempt: "an accepted request a second time",
        expectation: "no session is created",
        fix: """
            Issue a nonce for each sign-in and accept it once, or exchange the code before you create the session: Apple \
            accepts a code once.
            """,
        source: .injection,
        api: { context throws(CheckError) in
            try await context.expectRefusals(.acceptance) { source, form throws(CheckError) in
                let used = try await context.credential(of: context.victim, source, form)
                let first = try await context.send(used)
                guard context.accepts(first, source) else { throw .noUsualSignIn() }
                guard let nonce = try await context.issuedNonce() else { return [used] }
                var renewed = used
                renewed.nonce = nonce
                return [used, renewed]
            }
        }
    )
}

extension APIContext {
    /// A genuine token with a nonce that the server has not issued.
    fileprivate func withInventedNonce(
        _ source: TokenSource,
        _ form: NonceForm
    ) async throws(CheckError) -> PostedCredential {
        try await credential(of: victim, source, form, nonce: CheckPerson.letters(32))
    }

    /// Tokens about the victim with the attacker's code, each with a new nonce of the server.
    fileprivate func forged(
        _ forgeries: [Forgery],
        _ own: OwnKey,
        _ keys: [JSONObject],
        _ source: TokenSource,
        _ form: NonceForm
    ) async throws(CheckError) -> [PostedCredential] {
        let genuine = try await credential(of: victim, source, form)
        let victims = Self.part(1, of: genuine.token)
        var made: [PostedCredential] = []
        for forgery in forgeries {
            var credential = try await credential(of: attacker, source, form)
            let kid = Self.part(0, of: credential.token)["kid"]
            var claims = Self.part(1, of: credential.token)
            for name in ["sub", "email"] { claims[name] = victims[name] }
            let token = ForgedToken(
                claims: claims,
                applesKey: keys.first { $0["kid"] == kid } ?? keys.first ?? [:],
                genuine: credential.token,
                own: own,
                now: time.now
            )
            credential.token = try token.make(forgery)
            made.append(credential)
        }
        return made
    }

    private static func part(_ index: Int, of token: String) -> JSONObject {
        let parts = token.split(separator: ".")
        guard parts.count > index, let data = Base64URL.decode(String(parts[index])) else {
            return [:]
        }
        return (try? JSONObject(parsing: data)) ?? [:]
    }

    /// A client of the same team that the server does not know.
    fileprivate func otherClient(_ source: TokenSource) async throws(CheckError) -> String {
        let name = "com.example.check.\(CheckPerson.letters(8))"
        switch source {
        case .device(let app):
            let team = try await apple.registration(of: app).teamID
            try await apple.addApp(name, team: team)
        case .popup:
            try await apple.addService(
                name,
                primary: web?.registration.primaryID ?? "",
                returnURL: web?.usual.request["redirect_uri"] ?? ""
            )
        }
        return name
    }
}
