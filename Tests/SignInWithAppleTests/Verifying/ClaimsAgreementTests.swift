import AppleIdentity
import Foundation
import SignedTokens
import Testing

/// Claims are equal to those that Foundation reads, or they are rejected.
@Suite struct ClaimsAgreementTests {
    private static let whole = TokenDraft(at: Date(timeIntervalSince1970: 1_769_000_000))
        .with("nbf", 1_769_000_001).with("nonce", "n").with("c_hash", "c").with("at_hash", "a")
        .with("is_private_email", "true").with("real_user_status", 2).with("transfer_sub", "t")
        .with("org_id", "o").with("new", "x").with("another_new_claim", 1)
        .claims.data

    /// Whether the claims were read; when they were, Foundation has to see the same.
    private func isRead(_ payload: Data) -> Bool {
        guard let claims = try? IdentityTokenClaims(parsing: payload) else { return false }
        let words = String(decoding: payload, as: UTF8.self)
        let object = try? JSONSerialization.jsonObject(with: payload) as? [String: Any]
        guard let object else {
            Issue.record("Foundation finds no object in \(words)")
            return true
        }
        expectTexts(of: claims, in: object, words)
        expectTimes(of: claims, in: object, words)
        #expect(object["events"] == nil, "\(words)")
        for (name, claim) in [
            ("email_verified", claims.emailVerified), ("is_private_email", claims.isPrivateEmail),
            ("nonce_supported", claims.nonceSupported),
        ] {
            let text = (object[name] as? String).map { $0 == "true" }
            #expect(claim == object[name] as? Bool ?? text, "\(name) in \(words)")
        }
        return true
    }

    private func expectTexts(
        of claims: IdentityTokenClaims,
        in object: [String: Any],
        _ words: String
    ) {
        let email = object["email"] as? String
        for (claim, other) in [
            (claims.issuer, object["iss"]), (claims.subject.rawValue, object["sub"]),
            (claims.nonce, object["nonce"]), (claims.codeHash, object["c_hash"]),
            (claims.accessTokenHash, object["at_hash"]), (claims.organizationID, object["org_id"]),
            (claims.transferSubject?.rawValue, object["transfer_sub"]),
            (claims.email, email == "" ? nil : email),
        ] as [(String?, Any?)] {
            #expect(claim == other as? String, "\(words)")
        }
        let clients = (object["aud"] as? String).map { [$0] } ?? object["aud"] as? [String]
        #expect(claims.audience.clients.map(\.rawValue) == clients, "\(words)")
    }

    private func expectTimes(
        of claims: IdentityTokenClaims,
        in object: [String: Any],
        _ words: String
    ) {
        for (claim, other) in [
            (claims.expirationTime, object["exp"]), (claims.issuedAt, object["iat"]),
            (claims.notBefore, object["nbf"]), (claims.authenticationTime, object["auth_time"]),
        ] as [(Date?, Any?)] {
            let seconds = (other as? NSNumber)?.doubleValue
            #expect((claim == nil) == (seconds == nil), "\(words)")
            guard let claim, let seconds else { continue }
            // Foundation rounds once for each power of ten, and a date counts from 2001.
            let difference = abs(claim.timeIntervalSince1970 - seconds)
            #expect(difference <= max(1e-3, abs(seconds) * 1e-12), "\(words)")
        }
    }

    @Test func everyClaimIsRead() {
        #expect(isRead(Self.whole))
    }

    @Test(arguments: Fixture.tokens)
    func realClaimsAreReadAlike(token: Fixture.Case) throws {
        let part = try #require(token.text().split(separator: ".").dropFirst().first)
        let payload = try #require(Base64URL.decode(String(part)))
        #expect(isRead(payload))
        var mutation = MutatedText(seed: 1)
        for _ in 0..<500 { _ = isRead(mutation.next(from: payload)) }
    }

    @Test(arguments: Fixture.notifications)
    func notificationsAreAnotherKind(notification: Fixture.Case) throws {
        let part = try #require(notification.text().split(separator: ".").dropFirst().first)
        let payload = try #require(Base64URL.decode(String(part)))
        #expect(throws: ClaimsError.otherKind) { try IdentityTokenClaims(parsing: payload) }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func mutatedClaimsAreReadAlikeOrNotAtAll(seed: UInt64) {
        var mutation = MutatedText(seed: seed)
        let readCount = (0..<2_000).count { _ in isRead(mutation.next(from: Self.whole)) }
        // A reader that gave up on everything would agree as well.
        #expect(readCount > 100)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func generatedClaimsAreReadAlikeOrNotAtAll(seed: UInt64) {
        var generator = SplitMix(state: seed)
        let names = [
            "iss", "aud", "exp", "iat", "nbf", "sub", "nonce", "nonce_supported", "c_hash",
            "at_hash", "auth_time", "email", "email_verified", "is_private_email",
            "real_user_status", "transfer_sub", "org_id", "events", "new", "", #"\u0069ss"#,
        ]
        let values = [
            #""x""#, #""true""#, #""false""#, #""True""#, #""""#, "0", "1", "2", "-1", "-0", "01",
            "1.5", "1e9", "999999999999999", "1000000000000000", "true", "false", "null", "[]",
            #"["a"]"#, "{}", #""\u0061""#, #""é""#, "tru", "+1", ".5", "\"\u{1}\"", "\"\u{7F}\"",
        ]
        let required = [
            #""iss":"i""#, #""aud":"a""#, #""exp":1"#, #""iat":1"#, #""sub":"s""#,
        ]
        var readCount = 0
        for _ in 0..<2_000 {
            var members = required.filter { _ in Int.random(in: 0..<20, using: &generator) > 0 }
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let name = names.randomElement(using: &generator) ?? ""
                let value = values.randomElement(using: &generator) ?? ""
                members.append("\"\(name)\":\(value)")
            }
            members.shuffle(using: &generator)
            if isRead(Data("{\(members.joined(separator: ","))}".utf8)) { readCount += 1 }
        }
        #expect((400..<1_600).contains(readCount))
    }

    @Test(
        arguments: [
            (#"{"iss":"i","aud":"a","exp":1,"iat":1}"#, .missing("sub")),
            (#"{"iss":"i","aud":"a","exp":null,"iat":1,"sub":"s"}"#, .missing("exp")),
            (#"{"iss":"i","aud":{},"exp":1,"iat":1,"sub":"s"}"#, .wrongType("aud")),
            (#"{"iss":"i","aud":"a","exp":"1","iat":true,"sub":"s"}"#, .wrongType("exp")),
            (#"{"iss":1,"events":"{}"}"#, .otherKind), (#"{"events":null}"#, .otherKind),
            (#"{"\u0065vents":{},"exp":"1"}"#, .otherKind),
        ] as [(String, ClaimsError)]
    )
    func whatIsWrongIsTold(payload: String, expected: ClaimsError) {
        #expect(throws: expected) { try IdentityTokenClaims(parsing: Data(payload.utf8)) }
    }
}
