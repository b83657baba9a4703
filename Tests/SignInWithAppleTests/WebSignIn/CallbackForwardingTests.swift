import AppleIdentity
import Crypto
import Foundation
import SignInWithApple
import Testing

@Suite("Posting a callback again from the own site") struct CallbackForwardingTests {
    private static let state = "0123456789abcdef.1700000000.0123456789abcdef0123456789abcdef"

    @Test("The page posts Apple's fields again, with a marker, and never twice")
    func fields() throws {
        let user = #"{"name":{"firstName":"A <b> & \"c\""}}"#
        let body = Self.form([
            ("state", Self.state), ("code", "c1"), ("id_token", "t"), ("user", user),
            ("locale", "en"),
        ])
        let forwarding = try #require(try CallbackForwarding(formBody: body))
        let values = Dictionary(
            uniqueKeysWithValues: forwarding.fields.map { ($0.name, $0.value) }
        )
        #expect(values["state"] == Self.state)
        #expect(values["code"] == "c1")
        #expect(values["id_token"] == "t")
        #expect(values["user"] == user)
        #expect(values["locale"] == nil)
        let again = Self.form(forwarding.fields.map { ($0.name, $0.value) })
        #expect(try CallbackForwarding(formBody: again) == nil)
        let callback = try AuthorizationCallback(formBody: again)
        #expect(callback.code == "c1")
        #expect(callback.user?.name?.givenName == "A <b> & \"c\"")
    }

    @Test("A cancelled sign-in is posted again too") func cancelled() throws {
        let body = Self.form([("state", Self.state), ("error", "user_cancelled_authorize")])
        let forwarding = try #require(try CallbackForwarding(formBody: body))
        let callback = try AuthorizationCallback(
            formBody: Self.form(forwarding.fields.map { ($0.name, $0.value) })
        )
        #expect(callback.error == .userCancelledAuthorize)
    }

    @Test("A state that this library did not create is not posted again")
    func foreignState() throws {
        for state in [[], [("state", "xyz")]] {
            #expect(try CallbackForwarding(formBody: Self.form(state + [("code", "c")])) == nil)
        }
    }

    @Test(
        "A malformed form is rejected",
        arguments: [
            ("", SignInError.Code.callbackMalformed),
            ("state=a&state=b&code=c", .stateDuplicate),
            ("code=%FF", .callbackMalformed),
        ]
    )
    func malformed(body: String, code: SignInError.Code) {
        #expect {
            try CallbackForwarding(formBody: Data(body.utf8))
        } throws: { ($0 as? SignInError)?.code == code }
    }

    @Test("Values are escaped in the page, and the policy names its script") func page() throws {
        let body = Self.form([("state", Self.state), ("code", "\"><script>alert(1)</script>")])
        let forwarding = try #require(try CallbackForwarding(formBody: body))
        let page = forwarding.page(action: "/a?b=\"c\"")
        #expect(page.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""))
        #expect(page.contains("action=\"/a?b=&quot;c&quot;\""))
        let script = try #require(page.firstMatch(of: /<script>(.*)<\/script>/)?.output.1)
        #expect(script.contains("[name=from_own_site]"), "a page can have other forms")
        let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
        #expect(CallbackForwarding.scriptSource == "'sha256-\(hash)'")
    }

    @Test("The texts are yours and escaped, the form stays") func appearance() throws {
        let body = Self.form([("state", Self.state), ("code", "c1")])
        let forwarding = try #require(try CallbackForwarding(formBody: body))
        var appearance = CallbackForwarding.Appearance()
        appearance.title = "Anmeldung <läuft>"
        appearance.sentence = "Falls nichts geschieht, drücke Weiter."
        appearance.button = "Weiter"
        appearance.language = "de"
        appearance.style = "body { color: teal }"
        let page = forwarding.page(action: "/a", appearance)
        for part in [
            "<html lang=\"de\">", "<title>Anmeldung &lt;läuft&gt;</title>",
            "<p>Falls nichts geschieht, drücke Weiter.</p>", ">Weiter</button>",
            "<style>body { color: teal }</style>", "name=\"code\" value=\"c1\"",
            CallbackForwarding.script,
        ] { #expect(page.contains(part), "\(part)") }
        let hash = Data(SHA256.hash(data: Data("body { color: teal }".utf8))).base64EncodedString()
        #expect(appearance.styleSource == "'sha256-\(hash)'")
    }

    private static func form(_ fields: [(String, String)]) -> Data {
        FormCoding.encode(fields.map { (name: $0.0, value: $0.1) }).data(using: .utf8) ?? Data()
    }
}
