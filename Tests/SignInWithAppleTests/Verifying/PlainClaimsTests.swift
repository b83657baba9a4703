import AppleIdentity
import Foundation
import SignedTokens
import Testing

@testable import SignInWithApple

/// The quick reader never sees in claims what the decoder does not see in them.
@Suite struct PlainClaimsTests {
    private static let now = Date(timeIntervalSince1970: 1_769_000_000)

    private static let whole = TokenDraft(at: now)
        .with("nbf", 1_769_000_001).with("nonce", "n").with("c_hash", "c").with("at_hash", "a")
        .with("is_private_email", "true").with("real_user_status", 2).with("transfer_sub", "t")
        .with("org_id", "o").with("new", "x").with("another_new_claim", 1)
        .claims.data

    private func decoded(_ payload: Data) -> IdentityTokenClaims? {
        try? SignedClaims(payload).identityTokenClaims()
    }

    private func plain(_ payload: Data) -> IdentityTokenClaims? {
        payload.withUnsafeBytes { PlainClaims.read($0.bindMemory(to: UInt8.self)) }
    }

    /// What is read is what is decoded; what is not read is nobody's concern here.
    private func expectAgreement(_ payload: Data) {
        guard let claims = plain(payload) else { return }
        #expect(claims == decoded(payload), "\(String(decoding: payload, as: UTF8.self))")
    }

    @Test func everyClaimIsRead() throws {
        let claims = try #require(plain(Self.whole))
        #expect(claims == decoded(Self.whole))
        #expect(claims.organizationID == "o" && claims.transferSubject == "t")
        #expect(claims.isPrivateEmail == true && claims.realUserStatus == .likelyReal)
        #expect(claims.notBefore == Date(timeIntervalSince1970: 1_769_000_001))
    }

    @Test func theSmallestClaimsAreRead() throws {
        let json = #"{"iss":"i","aud":"a","exp":0,"iat":999999999999999,"sub":""}"#
        let claims = try #require(plain(Data(json.utf8)))
        #expect(claims == decoded(Data(json.utf8)))
    }

    @Test(arguments: Fixture.tokens)
    func realClaimsAreReadAlike(token: Fixture.Case) throws {
        let part = try #require(token.text().split(separator: ".").dropFirst().first)
        let payload = try #require(Base64URL.decode(String(part)))
        #expect(plain(payload) != nil)
        expectAgreement(payload)
        var mutation = MutatedText(seed: 1)
        for _ in 0..<500 { expectAgreement(mutation.next(from: payload)) }
    }

    @Test(arguments: Fixture.notifications)
    func notificationsAreLeftToTheDecoder(notification: Fixture.Case) throws {
        let part = try #require(notification.text().split(separator: ".").dropFirst().first)
        #expect(plain(try #require(Base64URL.decode(String(part)))) == nil)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func mutatedClaimsAreReadAlikeOrNotAtAll(seed: UInt64) {
        var mutation = MutatedText(seed: seed)
        var readCount = 0
        for _ in 0..<2_000 {
            let payload = mutation.next(from: Self.whole)
            if plain(payload) != nil { readCount += 1 }
            expectAgreement(payload)
        }
        // A reader that gave up on everything would agree as well.
        #expect(readCount > 100)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func generatedClaimsAreReadAlikeOrNotAtAll(seed: UInt64) {
        var generator = SplitMix(state: seed)
        let names = [
            "iss", "aud", "exp", "iat", "nbf", "sub", "nonce", "nonce_supported", "c_hash",
            "at_hash", "auth_time", "email", "email_verified", "is_private_email",
            "real_user_status", "transfer_sub", "org_id", "events", "new", "",
        ]
        let values = [
            #""x""#, #""true""#, #""false""#, #""True""#, #""""#, "0", "1", "2", "-1", "-0", "01",
            "1.5", "1e9", "999999999999999", "1000000000000000", "true", "false", "null", "[]",
            #"["a"]"#, "{}", #""\u0061""#, #""é""#, "tru", "+1", ".5", "\"\u{1}\"", "\"\u{7F}\"",
        ]
        let required = [
            #""iss":"i""#, #""aud":"a""#, #""exp":1"#, #""iat":1"#, #""sub":"s""#,
        ]
        for _ in 0..<2_000 {
            var members = required.filter { _ in Int.random(in: 0..<20, using: &generator) > 0 }
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let name = names.randomElement(using: &generator) ?? ""
                let value = values.randomElement(using: &generator) ?? ""
                members.append("\"\(name)\":\(value)")
            }
            members.shuffle(using: &generator)
            expectAgreement(Data("{\(members.joined(separator: ","))}".utf8))
        }
    }

    @Test(arguments: [
        "", "{", "{}", "[]", "null", "{}x", "{\"iss\"", "{\"iss\":", "{\"iss\":\"", "{,}",
        #"{"iss":"i","aud":"a","exp":1,"iat":1,"sub":"s",}"#,
        #"{"iss":"i","aud":"a","exp":1,"iat":1,"sub":"s"}}"#,
        #"{"iss":"i","aud":"a","exp":1,"iat":1,"sub":"s"} "#,
        #"{"iss":"i","iss":"i","aud":"a","exp":1,"iat":1,"sub":"s"}"#,
        #"{"iss":"i","aud":"a","exp":1,"iat":1,"sub":"s","new":1,"newer":2,"new":1}"#,
        #"{"iss":"i","aud":["a"],"exp":1,"iat":1,"sub":"s"}"#,
        #"{"iss":"i","aud":"a","exp":1.0,"iat":1,"sub":"s"}"#,
        #"{"iss":"i","aud":"a","exp":01,"iat":1,"sub":"s"}"#,
        #"{"iss":"i","aud":"a","exp":"1","iat":1,"sub":"s"}"#,
        #"{"iss":"\u0069","aud":"a","exp":1,"iat":1,"sub":"s"}"#,
        #"{"iss":"i","aud":"a","exp":1,"iat":1,"sub":"s","events":"{}"}"#,
        #"{"iss":"i","aud":"a","exp":1,"iat":1,"sub":"s","new":{}}"#,
    ])
    func unusualFormsAreLeftToTheDecoder(json: String) {
        #expect(plain(Data(json.utf8)) == nil)
    }
}
