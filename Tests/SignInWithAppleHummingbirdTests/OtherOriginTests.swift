import AppleEmulator
import AppleEmulatorTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SignInWithApple
import SignInWithAppleHummingbird
import Testing

/// Chromium applies the `form-action` of the page that posts a callback to the redirect, too.
@Suite("A sign-in that ends on another origin") struct OtherOriginTests {
    private let cookie = HTTPField(name: .setCookie, value: "own=1; Path=/")

    @Test(
        "leads there from a page of ours, with a link",
        arguments: [
            "https://shop.example.com/signed-in?a=1&b=%22", "http://juice.example.com/",
            "https://juice.example.com:8443/", "//shop.example.com/",
            "com.example.juice:/done?a=1&b=2",
        ]
    )
    func elsewhere(location: String) async throws {
        try await withSite(leadingTo: location) { world in
            let page = try await Self.signIn(world)
            #expect(page.status == .ok)
            #expect(page.headers[.location] == nil)
            let address = location.hasPrefix("//") ? "https:" + location : location
            let link = address.replacing("&", with: "&amp;")
            #expect(page.text.contains("<meta http-equiv=\"refresh\" content=\"0; url=\(link)\">"))
            #expect(page.text.contains("<a href=\"\(link)\">"))
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.headers[.cacheControl] == "no-store")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'; form-action 'self'"))
            let cookies = page.headers[values: .setCookie]
            #expect(cookies.contains(cookie.value))
            #expect(cookies.contains { $0.contains("siwa-pending-") && $0.contains("Max-Age=0") })
        }
    }

    @Test(
        "and one that stays on its origin is redirected",
        arguments: [
            "/hello", "hello", "?a=https://shop.example.com", "https://juice.example.com/hello",
            "HTTPS://juice.example.com:443/hello", "/hello#a:b",
        ]
    )
    func here(location: String) async throws {
        try await withSite(leadingTo: location) { world in
            let answer = try await Self.signIn(world)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == location)
            #expect(answer.text.isEmpty)
        }
    }

    @Test("A refusal of the developer's own that leads elsewhere does so too")
    func refusal() async throws {
        try await withSite(leadingTo: "https://shop.example.com/failed") { world in
            let again = try await world.postAgain([], cookie: "", site: "same-origin")
            #expect(again.status == .ok)
            #expect(again.text.contains("<a href=\"https://shop.example.com/failed\">"))
        }
    }

    private static func signIn(_ world: HelloWorld) async throws -> TestResponse {
        let (form, cookie) = try await world.callback()
        return try await world.post(form.formBody, cookie: cookie)
    }

    private func withSite(
        leadingTo location: String,
        _ test: @escaping @Sendable (HelloWorld) async throws -> Void
    ) async throws {
        let seed = Seed.demo(redirectURIs: [HelloWorld.redirectURI])
        try await withAppleEmulator(seed: seed) { [cookie] apple in
            let web = WebFlow(
                redirectURI: HelloWorld.redirectURI,
                sealer: try TokenSealer(keys: HelloWorld.sealingKeys),
                servicesID: "com.example.juice.web"
            )
            let router = try Router()
                .signInWithApple(
                    apple.signIn(),
                    web: web,
                    onRefusal: { _, _, _ in .redirect(to: location) },
                    onSignIn: { _, _ in
                        var response = SignInResponse.redirect(to: location)
                        response.headers.append(cookie)
                        return .response(response)
                    }
                )
            try await Application(router: router).test(.router) { client in
                try await test(HelloWorld(apple: apple, client: client))
            }
        }
    }
}
