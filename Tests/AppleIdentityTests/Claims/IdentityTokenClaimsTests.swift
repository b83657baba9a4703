import Foundation
import Testing

@testable import AppleIdentity

/// Claims in every form Apple has sent since 2019 decode; anything else does not.
@Suite("The claims of an identity token") struct IdentityTokenClaimsTests {
    /// A whole token's claims; a change of nil removes a member.
    private func decode(_ changes: [String: JSONValue?] = [:]) throws -> IdentityTokenClaims {
        var object: JSONObject = [
            "iss": "https://appleid.apple.com", "aud": "com.example.juice",
            "exp": 1_769_003_600, "iat": 1_769_000_000,
            "sub": "001234.0123456789abcdef0123456789abcdef.0123",
            "nonce": "n", "nonce_supported": true, "c_hash": "c", "at_hash": "a",
            "auth_time": 1_768_999_999, "email": "maya@example.com", "email_verified": true,
        ]
        for (name, value) in changes { object[name] = value }
        return try IdentityTokenClaims(parsing: object.data)
    }

    @Test("Every claim arrives in its place") func everyClaim() throws {
        let claims = try decode([
            "nbf": 1_769_000_001, "is_private_email": true, "real_user_status": 2,
            "transfer_sub": "t", "org_id": "o",
        ])
        #expect(claims.issuer == "https://appleid.apple.com")
        #expect(claims.audience.clients == ["com.example.juice"])
        #expect(claims.expirationTime == Date(timeIntervalSince1970: 1_769_003_600))
        #expect(claims.issuedAt == Date(timeIntervalSince1970: 1_769_000_000))
        #expect(claims.notBefore == Date(timeIntervalSince1970: 1_769_000_001))
        #expect(claims.subject == "001234.0123456789abcdef0123456789abcdef.0123")
        #expect(claims.nonce == "n" && claims.nonceSupported == true)
        #expect(claims.codeHash == "c" && claims.accessTokenHash == "a")
        #expect(claims.authenticationTime == Date(timeIntervalSince1970: 1_768_999_999))
        #expect(claims.email == "maya@example.com" && claims.emailVerified == true)
        #expect(claims.isPrivateEmail == true && claims.realUserStatus == .likelyReal)
        #expect(claims.transferSubject == "t" && claims.organizationID == "o")
    }

    @Test("Truth values arrive as booleans or, until 2024, as strings") func booleans() throws {
        for (wire, value): (JSONValue, Bool) in [
            (true, true), (false, false), ("true", true), ("false", false),
        ] {
            let claims = try decode([
                "email_verified": wire, "is_private_email": wire, "nonce_supported": wire,
            ])
            #expect(claims.emailVerified == value)
            #expect(claims.isPrivateEmail == value)
            #expect(claims.nonceSupported == value)
        }
    }

    @Test(
        "Nothing else is a truth value",
        arguments: ["True", "1", "yes", ""] as [JSONValue] + [1]
    )
    func noBoolean(wire: JSONValue) {
        #expect(throws: ClaimsError.self) { try decode(["email_verified": wire]) }
    }

    @Test("A missing, null or empty email address is nil") func noAddress() throws {
        for value: JSONValue? in [nil, .null, ""] {
            #expect(try decode(["email": value]).email == nil)
        }
        let claims = try decode(["email": nil, "email_verified": nil, "nonce": nil])
        #expect(claims.emailVerified == nil && claims.nonce == nil && claims.isPrivateEmail == nil)
    }

    @Test("A status invented later survives, one of another type is left out") func status() throws
    {
        #expect(try decode(["real_user_status": 7]).realUserStatus?.rawValue == 7)
        #expect(try decode(["real_user_status": "2"]).realUserStatus == nil)
        #expect(try decode(["real_user_status": nil]).realUserStatus == nil)
    }

    @Test("An audience is a string or an array of strings") func audience() throws {
        #expect(try decode(["aud": ["a", "b"]]).audience.clients == ["a", "b"])
        #expect(try decode(["aud": []]).audience.clients.isEmpty)
        for value: JSONValue in [1, .null, ["a", 1], ["a": "b"]] {
            #expect(throws: ClaimsError.self) { try decode(["aud": value]) }
        }
    }

    @Test("Times may have fractions; texts are no times") func times() throws {
        let claims = try decode(["exp": .number(1.5), "iat": .number(1e9)])
        #expect(claims.expirationTime == Date(timeIntervalSince1970: 1.5))
        #expect(claims.issuedAt == Date(timeIntervalSince1970: 1_000_000_000))
        #expect(throws: ClaimsError.self) { try decode(["exp": "1769003600"]) }
    }

    @Test(
        "Claims that every token has must be there",
        arguments: ["iss", "aud", "exp", "iat", "sub"]
    )
    func missingClaim(name: String) {
        #expect(throws: ClaimsError.self) { try decode([name: nil]) }
        #expect(throws: ClaimsError.self) { try decode([name: .null]) }
    }

    @Test("Claims invented later are passed over") func unknownClaims() throws {
        #expect(throws: Never.self) { try decode(["new": ["a": 1]]) }
    }
}
