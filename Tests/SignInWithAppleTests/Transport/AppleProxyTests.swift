import SignInWithApple
import Testing

/// The settings of a proxy, as curl reads them; `test_proxy.py` uses a real one.
@Suite struct AppleProxyTests {
    @Test(
        arguments: [
            ("", true), ("example.com", true), ("apple.com", false), (".Apple.com", false),
            ("local, appleid.apple.com", false), ("pple.com", true), ("*", false),
            ("10.0.0.0/8 id.apple.com", true),
        ]
    )
    func exceptionsAreHostsAndTheNamesBelowThem(_ exceptions: String, isUsed: Bool) throws {
        let proxy = try AppleProxy(url: "http://proxy.example.com:3128", exceptions: exceptions)
        #expect(proxy.applies(to: "appleid.apple.com") == isUsed)
    }

    @Test func smallNamesComeFirstAndEmptyValuesCountAsMissing() throws {
        func proxy(_ environment: [String: String]) throws -> String? {
            try AppleProxy(environment: environment).map { "\($0)" }
        }
        #expect(try proxy([:]) == nil && proxy(["HTTPS_PROXY": "", "http_proxy": "a:1"]) == nil)
        #expect(try proxy(["https_proxy": "a:1", "HTTPS_PROXY": "http://b:2"]) == "a:1")
        #expect(try proxy(["https_proxy": "", "HTTPS_PROXY": "http://b:2/"]) == "b:2")
        #expect(try proxy(["HTTPS_PROXY": "http://[::1]:3128"]) == "[::1]:3128")
        #expect(throws: SignInError.self) { try proxy(["https_proxy": "proxy"]) }
    }

    @Test func noPrintingShowsThePassword() throws {
        let proxy = try AppleProxy(url: "http://maya:secret@proxy.example.com:3128")
        var dumped = ""
        dump(proxy, to: &dumped)
        for text in ["\(proxy)", String(reflecting: proxy), dumped] {
            #expect(text.contains("proxy.example.com:3128") && !text.contains("secret"))
        }
        let error = #expect(throws: SignInError.self) {
            try AppleProxy(url: "ftp://maya:secret@proxy.example.com:3128")
        }
        #expect(error?.hint.contains("secret") == false)
    }
}
