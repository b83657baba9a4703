import AppleIdentity
import Foundation
import SignInWithApple
import SignedTokens
import Testing

/// Notifications and client secrets are recognized, and explained in their own way.
@Suite struct OtherTokenExplanationTests {
    private let now = ManualTime().now
    private let key = TestSecretKey()

    private func explain(
        _ token: String,
        audience: [ClientID] = [TokenDraft.clientID],
        at time: Date? = nil
    ) throws -> TokenExplanation {
        TokenExplanation.explain(
            token,
            keys: JSONWebKeySet(keys: [try TestKey.first.published()]),
            audience: audience,
            at: time ?? now
        )
    }

    private func notification(_ kind: String = "consent-revoked") -> TokenDraft {
        let seconds = Int(now.timeIntervalSince1970)
        let event: JSONObject = [
            "type": .string(kind), "sub": "000123.abc.0123",
            "event_time": .integer(seconds * 1000),
        ]
        return TokenDraft(at: now).with("jti", "abcdefghijklmnopqrstuv")
            .with("events", .string(event.text))
    }

    private func secret(lifetimeSeconds: Int = 600) throws -> String {
        try key.key().clientSecret(for: TokenDraft.clientID, lifetime: .seconds(lifetimeSeconds))
    }

    /// The claims of a valid client secret, with changes; null removes one.
    private func claims(_ changes: JSONObject = [:]) -> JSONObject {
        let issuedAt = Int(now.timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": "DEF123GHIJ", "sub": "com.example.juice", "aud": "https://appleid.apple.com",
            "iat": .integer(issuedAt), "exp": .integer(issuedAt + 600),
        ]
        for member in changes.members {
            claims[member.name] = member.value.isNull ? nil : member.value
        }
        return claims
    }

    private func sign(_ claims: JSONObject) throws -> String {
        let header: JSONObject = ["alg": "ES256", "kid": "ABC123DEFG"]
        return try SigningKey(key.privateKey).sign(header: header.data, payload: claims.data)
    }

    @Test func notificationIsTold() throws {
        let explanation = try explain(notification().signed())
        #expect(explanation.isAccepted)
        let text = explanation.text
        #expect(text.contains("      events event_time: 2026-01-21T12:53:20Z\n"))
        #expect(text.contains("pass  event: the user stopped using the app, at 2026-01-21"))
        #expect(text.contains("pass  audience: issued for com.example.juice\n"))
        #expect(text.hasSuffix("\naccepted as a notification"))
    }

    @Test func bodyOfANotificationIsTakenAsItCame() throws {
        let body: JSONObject = ["payload": .string(try notification("account-delete").signed())]
        let explanation = try explain(body.text)
        #expect(explanation.isAccepted)
        #expect(explanation.text.contains("the user deleted the Apple Account"))
        #expect(try explain("{").refusal == .notificationMalformed)
        #expect(try explain(#"{"payload":1}"#).refusal == .notificationMalformed)
    }

    @Test func unknownEventIsToldInApplesWord() throws {
        let text = try explain(notification("account-\u{1B}new").signed()).text
        #expect(text.contains("of a kind unknown to this version, \"account-?new\""))
    }

    @Test func everyFailedCheckOfANotificationIsTold() throws {
        let draft = notification().with("iss", "https://evil.example")
            .with("iat", .integer(Int(now.timeIntervalSince1970) + 3600))
        let explanation = try explain(draft.signed(by: .second), audience: ["com.example.other"])
        #expect(
            explanation.lines.compactMap(\.code) == [
                .tokenSignatureInvalid, .tokenIssuerMismatch, .tokenAudienceMismatch,
                .tokenNotYetValid,
            ]
        )
        let broken = try explain(notification().with("jti", nil).signed())
        #expect(broken.refusal == .tokenMalformed)
        #expect(try !explain(notification().signed(), audience: []).isAccepted)
    }

    @Test func clientSecretIsTold() throws {
        let secret = try secret()
        let explanation = try explain(secret, at: TimeSource.live.now)
        #expect(explanation.isAccepted, "\(explanation.text)")
        #expect(explanation.text.contains("lifetime: 660 seconds; Apple accepts"))
        #expect(explanation.text.contains("pass  names: key ABC123DEFG of team DEF123GHIJ"))
        #expect(explanation.text.contains("skip  signature: only Apple has the team's public key"))
        #expect(explanation.verdict.hasPrefix("no error in this client secret"))
    }

    @Test func clientSecretIsHeldAgainstApplesRules() throws {
        let secret = try secret()
        let other = try explain(secret, audience: ["com.example.other"], at: TimeSource.live.now)
        #expect(other.refusal == .appleRefusedClient)
        #expect(other.verdict == "refused: Apple would respond with invalid_client")
        #expect(other.text.contains("FAIL  client: The client secret is for"))
        let late = try explain(secret, at: TimeSource.live.now + 601)
        #expect(late.text.contains("FAIL  expiry: The client secret expired"))
        let early = try explain(secret, at: TimeSource.live.now - 3600)
        #expect(early.text.contains("FAIL  issue time: The client secret is dated"))
    }

    @Test func issuerOfAnotherFormIsTold() throws {
        let end = Int(now.timeIntervalSince1970) + 15_777_001
        let secret = try sign(claims(["iss": "juice", "exp": .integer(end)]))
        let text = try explain(secret).text
        #expect(text.contains("FAIL  names: The client secret's iss is \"juice\"."))
        #expect(text.contains("FAIL  lifetime: The client secret expires in 15777001 seconds"))
    }

    @Test(
        "A broken client secret is not explained as an identity token",
        arguments: [
            ("aud", "https://appleid.apple.com/", "audience"),
            ("aud", "https://account.apple.com", "audience"),
            ("aud", "com.example.juice", "audience"), ("aud", .null, "audience"),
            ("iss", "com.example.juice", "names"), ("iss", .null, "names"),
            ("sub", "DEF123GHIJ", "client"),
        ] as [(String, JSONValue, String)]
    )
    func brokenSecret(claim: String, value: JSONValue, failing: String) throws {
        let secret = try sign(claims([claim: value]))
        let explanation = try explain(secret)
        #expect(explanation.verdict == "refused: Apple would respond with invalid_client")
        let failed = explanation.lines.filter { $0.mark == .failed }
        #expect(failed.map(\.subject) == [failing], "\(explanation.text)")
    }

    @Test("A client secret with another algorithm than ES256 is still one")
    func secretOfAnotherAlgorithm() throws {
        let claims = claims().data
        let header: JSONObject = ["alg": "RS256", "kid": "ABC123DEFG"]
        let signed = try TestKey.first.signingKey.sign(header: header.data, payload: claims)
        let hashed = Base64URL.encode(#"{"alg":"HS256","typ":"JWT"}"#.utf8)
        for (name, secret) in [
            ("RS256", signed), ("HS256", "\(hashed).\(Base64URL.encode(claims)).AAAA"),
        ] {
            let explanation = try explain(secret)
            let failed = explanation.lines.filter { $0.mark == .failed }
            #expect(
                failed.map(\.description) == [
                    "FAIL  algorithm: its header names \"\(name)\"; Apple requires ES256"
                ]
            )
            #expect(explanation.text.contains("pass  kind: a client secret"))
            #expect(explanation.verdict == "refused: Apple would respond with invalid_client")
        }
    }

    @Test("Without an audience a client secret is valid as far as it could be checked")
    func secretWithoutAudience() throws {
        let explanation = try explain(try secret(), audience: [], at: TimeSource.live.now)
        #expect(explanation.openLines.map(\.subject) == ["client"])
        #expect(explanation.verdict == "valid, as far as it could be checked")
    }

    @Test("Signed data of the App Store is recognized")
    func appStoreData() throws {
        let header: JSONObject = ["alg": "ES256", "x5c": ["AAAA"]]
        let claims: JSONObject = ["notificationType": "TEST", "signedDate": 1_769_000_000_000]
        let signed = try SigningKey(key.privateKey).sign(header: header.data, payload: claims.data)
        let explanation = try explain(signed)
        #expect(explanation.refusal == .tokenWrongKind)
        #expect(explanation.text.contains("FAIL  kind: signed data of the App Store"))
        let body: JSONObject = ["signedPayload": .string(signed)]
        let whole = try explain(body.text)
        #expect(whole.refusal == .notificationMalformed)
        #expect(whole.text.contains("as App Store server notifications have"))
    }

    @Test(arguments: [Int.min, -1, 0, 1, Int.max], [Int.min, 0, 1, Int.max])
    func anyTimesOfAClientSecretAreTold(issuedAt: Int, end: Int) throws {
        let secret = try sign(claims(["iat": .integer(issuedAt), "exp": .integer(end)]))
        for time in [now, Date(timeIntervalSince1970: 1e300), Date(timeIntervalSince1970: -1e300)] {
            #expect(try explain(secret, at: time).refusal == .appleRefusedClient)
        }
    }

    @Test(arguments: ["ES256", "RS256"], 0..<4 as Range<UInt64>)
    func anyClaimsAreExplainedOnLinesOfTheirOwn(algorithm: String, seed: UInt64) throws {
        let header = Base64URL.encode(#"{"alg":"\#(algorithm)","kid":"ABC123DEFG"}"#.utf8)
        let claims = Data(
            #"""
            {"iss":"T","aud":"https://appleid.apple.com","iat":1e18,"exp":9223372036854775807,
            "nbf":-1e300,"email":"\u0007","events":"{\"event_time\":-9223372036854775808}"}
            """#.utf8
        )
        var mutation = MutatedText(seed: seed)
        for _ in 0..<200 {
            let payload = Base64URL.encode(mutation.next(from: claims))
            let explanation = try explain("\(header).\(payload).AAAA")
            let hasFailed = explanation.lines.contains { $0.mark == .failed }
            #expect(hasFailed == (explanation.refusal != nil), "\(payload)")
            let lines = explanation.lines.map(\.description)
            #expect(lines.allSatisfy { !$0.contains(where: \.isNewline) }, "\(payload)")
        }
    }

    @Test(
        "Apple's error response is explained without its request",
        arguments: [
            ("invalid_grant", nil, ["code_already_used", "code_verifier_mismatch"]),
            ("invalid_grant", "The code has already been used.", ["code_already_used"]),
            ("invalid_client", nil, ["client secret"]), ("invalid_scope", nil, []),
        ] as [(String, String?, [String])]
    )
    func errorResponse(error: String, description: String?, causes: [String]) throws {
        var response: JSONObject = ["error": .string(error)]
        response["error_description"] = description.map { .string($0) }
        let explanation = try explain(response.text, audience: [])
        #expect(explanation.verdict.hasPrefix("refused: apple_refused_"))
        let found = explanation.lines.filter { $0.mark == .fact }
        #expect(Set(found.map(\.subject)).isSuperset(of: causes))
        #expect(description == nil || found.count == 1)
        #expect(!explanation.text.contains("{") && !explanation.text.contains("\"\""))
    }

    @Test func otherES256TokensAreRefusedByTheirAlgorithm() throws {
        let token = try sign(TokenDraft(at: now).claims)
        #expect(try explain(token).refusal == .tokenUnsupportedAlgorithm)
    }
}
