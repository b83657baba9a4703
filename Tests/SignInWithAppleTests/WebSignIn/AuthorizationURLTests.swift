import AppleIdentity
import Foundation
import SignInWithApple
import Testing

@Suite struct AuthorizationURLTests {
    private func url(at service: AppleService = .apple, scopes: [Scope] = [.name, .email]) -> URL {
        ScriptedApple().signIn(service: service).authorizationURL(
            clientID: "com.example.juice.web",
            redirectURI: "https://juice.example.com/sign-in/apple/callback?a=b&c=d",
            scopes: scopes,
            state: "s+t/a t&e",
            nonce: "n=1"
        )
    }

    @Test func spacesArePercentEncoded() {
        #expect(
            url().absoluteString
                == "https://appleid.apple.com/auth/authorize?client_id=com.example.juice.web"
                + "&redirect_uri=https%3A%2F%2Fjuice.example.com%2Fsign-in%2Fapple%2Fcallback"
                + "%3Fa%3Db%26c%3Dd&response_type=code%20id_token&response_mode=form_post"
                + "&scope=name%20email&state=s%2Bt%2Fa%20t%26e&nonce=n%3D1"
        )
    }

    /// Other servers and libraries read the same values, whatever they contain.
    @Test(arguments: ["plain", "s+t/a t&e=%20;#?", "Zoë 🍏", "\u{0}\r\n\"<>", "%2B%", ""])
    func strictReadersReadTheSame(text: String) throws {
        let url = ScriptedApple().signIn().authorizationURL(
            clientID: "com.example.juice.web",
            redirectURI: "https://juice.example.com/callback?a=\(text)",
            scopes: [.email, .name],
            state: text,
            nonce: text
        )
        let query = try StrictQuery(of: url.absoluteString)
        #expect(
            query.names == [
                "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state",
                "nonce",
            ]
        )
        #expect(query["redirect_uri"] == "https://juice.example.com/callback?a=\(text)")
        #expect(query["response_type"] == "code id_token")
        #expect(query["response_mode"] == "form_post")
        #expect(query["scope"] == "email name")
        #expect(query["state"] == text && query["nonce"] == text)
    }

    @Test func noScopesNoParameter() {
        #expect(!url(scopes: []).absoluteString.contains("scope"))
    }

    @Test func browsersAreSentToTheirOwnAddress() throws {
        let server = try #require(URL(string: "http://localhost:8081"))
        let browser = try #require(URL(string: "http://appleid.localhost:8081/"))
        let text = url(at: AppleService(url: server, browserURL: browser)).absoluteString
        #expect(text.hasPrefix("http://appleid.localhost:8081/auth/authorize?client_id="))
    }
}
