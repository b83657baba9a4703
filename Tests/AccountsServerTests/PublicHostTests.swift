import HTTPTypes
import HummingbirdTesting
import Testing

/// A sign-in that begins under another host name than the public URL's.
@Suite struct PublicHostTests {
    private func begin(
        at host: String,
        _ query: String,
        _ check: @escaping @Sendable (TestResponse) -> Void
    ) async throws {
        try await withAccountsServer(host: host) { server in
            check(try await TestBrowser(server).get("/sign-in/apple" + query))
        }
    }

    @Test(arguments: ["127.0.0.1:8080", "www.juice.example.com", "juice.example.com:8443"])
    func otherHostLeadsToThePublicURL(_ host: String) async throws {
        try await begin(at: host, "?return_to=%2Faccount%2Fdelete") { answer in
            #expect(answer.status == .seeOther)
            #expect(
                answer.headers[.location]
                    == "https://juice.example.com/sign-in/apple?return_to=%2Faccount%2Fdelete&redirected=1"
            )
            #expect(answer.headers[.setCookie] == nil)
        }
        try await begin(at: host, "") { answer in
            let location = answer.headers[.location]
            #expect(location == "https://juice.example.com/sign-in/apple?redirected=1")
        }
    }

    @Test("A proxy that replaces Host gets a page with the host and the setting, not a loop")
    func replacedHost() async throws {
        try await begin(at: "siwa_kept", "?redirected=1") { answer in
            #expect(answer.status == .misdirectedRequest)
            #expect(answer.code == "host_mismatch")
            #expect(answer.text.contains("&quot;siwa_kept&quot;"), "\(answer.text)")
            #expect(answer.text.contains("https://juice.example.com"))
            #expect(answer.text.contains("proxy_set_header Host $http_host"))
            #expect(answer.text.contains("SIWA_PUBLIC_URL"))
        }
    }

    @Test("The redirected request leads to Apple")
    func publicHost() async throws {
        try await begin(at: "juice.example.com", "?redirected=1") { answer in
            let location = answer.headers[.location] ?? ""
            #expect(location.hasPrefix("https://appleid.apple.com/auth/authorize?"))
        }
    }

    @Test("A link or a confirmation needs a session of the public host first")
    func purpose() async throws {
        try await begin(at: "juice.example.com", "?purpose=link&redirected=1") { answer in
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/")
        }
    }

    @Test("The sign-in to an app leads to the public URL, once")
    func app() async throws {
        try await withAccountsServer(host: "127.0.0.1:8080") { server in
            let (app, browser) = (AppClient(), TestBrowser(server))
            let answer = try await browser.get(app.path)
            let path = app.path + "&redirected=1"
            #expect(answer.headers[.location] == TestServer.publicURL + path)
            #expect(answer.headers[.setCookie] == nil)
            let repeated = try await browser.get(path).headers[.location] ?? ""
            #expect(repeated.hasPrefix("/sign-in/app/confirm?"))
        }
    }
}
