import Foundation
import Testing

@testable import AppleIdentity

@Suite("Words on the wire") struct WireTests {
    @Test("A token response has Apple's names") func tokenResponse() throws {
        let text = #"""
            {"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r",
            "id_token":"i","new":1}
            """#
        let answer = try TokenResponse(parsing: Data(text.utf8))
        let expected = TokenResponse(
            accessToken: "a",
            tokenType: "Bearer",
            expiresIn: 3600,
            refreshToken: "r",
            identityToken: "i"
        )
        #expect(answer == expected)
        let short = #"{"access_token":"a","token_type":"Bearer","expires_in":3600}"#
        let refresh = try TokenResponse(parsing: Data(short.utf8))
        #expect(refresh.refreshToken == nil && refresh.identityToken == nil)
    }

    @Test("An error invented later survives") func errorResponse() throws {
        let text = #"{"error":"invalid_moon","error_description":"d","error_uri":"u"}"#
        let answer = try OAuthErrorResponse(parsing: Data(text.utf8))
        #expect(answer.error.rawValue == "invalid_moon" && answer.errorDescription == "d")
        let bare = try OAuthErrorResponse(parsing: Data(#"{"error":"invalid_grant"}"#.utf8))
        #expect(bare.error == .invalidGrant && bare.errorDescription == nil)
    }

    @Test("Team and key identifiers are ten capitals or digits") func identifiers() {
        for text in ["ABCDE12345", "0123456789"] {
            #expect(TeamID(text).isWellFormed && KeyID(text).isWellFormed)
        }
        for text in ["", "ABCDE1234", "ABCDE123456", "abcde12345", "ABCDE-1234", "ÄBCDE1234"] {
            #expect(!TeamID(text).isWellFormed && !KeyID(text).isWellFormed, "\(text)")
        }
    }

    @Test("Identifiers are compared exactly and written as plain strings")
    func comparison() throws {
        #expect(UserID("a") != UserID("A"))
        #expect(
            try JSONEncoder().encode([ClientID("com.example")]) == Data(#"["com.example"]"#.utf8)
        )
        #expect("\(UserID("u"))" == "u")
    }

    @Test("An empty part of a name is missing") func personName() {
        #expect(PersonName(givenName: "", familyName: "").isEmpty)
        #expect(PersonName(givenName: "", familyName: "Ng") == PersonName(familyName: "Ng"))
    }
}
