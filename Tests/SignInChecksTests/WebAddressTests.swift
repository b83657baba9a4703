import Foundation
import Testing

@testable import SignInChecks

@Suite("URLs and pages in the check's browser") struct WebAddressTests {
    @Test(
        "URLs that browsers read as another site are another site",
        arguments: [
            "https://attacker.example/", "//attacker.example/", "/\\attacker.example/",
            "/\t/attacker.example/", "\\\\attacker.example/",
        ]
    )
    func foreign(reference: String) throws {
        let page = try #require(URL(string: "http://localhost:8080/callback"))
        #expect(WebAddress.resolve(reference, from: page)?.host() == "attacker.example")
    }

    @Test("A path stays on the site, and a query keeps its backslashes")
    func own() throws {
        let page = try #require(URL(string: "http://localhost:8080/a/callback"))
        #expect(
            WebAddress.resolve("me", from: page)?.absoluteString == "http://localhost:8080/a/me"
        )
        #expect(WebAddress.resolve("/me?x=1", from: page)?.query() == "x=1")
    }

    @Test(
        "An origin has the brackets of IPv6, and no default port",
        arguments: [
            ("http://[::1]:8080/a", "http://[::1]:8080"),
            ("https://shop.example:443/a", "https://shop.example"),
            ("http://shop.example:80/a", "http://shop.example"),
            ("http://shop.example:443/a", "http://shop.example:443"),
        ]
    )
    func origin(address: String, origin: String) throws {
        let url = try #require(URL(string: address))
        #expect(WebAddress.origin(of: url) == origin)
    }

    @Test("Fields survive a query and a form")
    func fields() throws {
        let fields = [WebField("a b", "1&2=3"), WebField("ü", ""), WebField("a b", "+")]
        #expect(WebAddress.fields(of: fields.encoded) == fields)
        var changed = fields
        changed["a b"] = "4"
        #expect(changed == [WebField("a b", "4"), WebField("ü", "")])
        changed["ü"] = nil
        #expect(changed == [WebField("a b", "4")])
    }

    @Test("Forms and links are found, with escaped characters")
    func page() {
        let page = WebPage(
            """
            <p><a class='x' href="/apple?a=1&amp;b=2">Sign in with Apple</a></p>
            <form method="post" action="http://localhost:8080/callback">
            <input type="hidden" name="user" value="{&quot;name&quot;:1}">
            <input type=hidden name=state value=s-1><button>Go</button></form>
            """
        )
        #expect(page.links.map(\.address) == ["/apple?a=1&b=2"])
        #expect(page.forms.count == 1)
        #expect(page.forms.first?.method == "POST")
        #expect(
            page.forms.first?.fields == [
                WebField("user", "{\"name\":1}"), WebField("state", "s-1"),
            ]
        )
    }
}
