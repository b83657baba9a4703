import AppleEmulator
import AppleEmulatorTesting
import Foundation
import HTMLPages
import Testing

@testable import AppleEmulatorPages

@Suite("The pages of flows") struct FlowPageTests {
    private static let frame = ConsoleFrame(clock: "2026-01-21 12:53:20 UTC")
    private static let query =
        "response_type=code%20id_token&response_mode=form_post&client_id=com.example.juice.web"
        + "&scope=name%20email" + "&redirect_uri=https://juice.example.com/sign-in/apple/callback"

    private let renderer: EmulatorPageRenderer

    init() throws { renderer = try EmulatorPageRenderer() }

    private func signIn(
        _ apple: TestApple,
        _ more: String = "",
        isContinuing: Bool = true
    ) async throws -> TestCallback {
        let address = "https://appleid.apple.com/auth/authorize?\(Self.query)\(more)"
        let url = try #require(URL(string: address))
        return try await apple.authorize(url, isContinuing: isContinuing)
    }

    /// Every page there is.
    private func pages(_ apple: TestApple) async throws -> [String] {
        let flows = await apple.emulator.flowSnapshots()
        return [renderer.render(flows, in: Self.frame)]
            + flows.flatMap { [renderer.render($0, in: Self.frame), renderer.renderFile($0)] }
    }

    @Test("Texts from outside are escaped in every page") func escaping() async throws {
        let attack = "\"'><script>alert(1)</script>"
        var seed = Seed.demo()
        seed.services[0].name = "Web" + attack
        seed.people[0].givenName = attack
        try await withAppleEmulator(seed: seed) { apple in
            let sent = attack.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            _ = try await signIn(apple, "&state=\(sent)&nonce=\(sent)")
            _ = try await apple.credentials(nonce: attack)
            let pages = try await pages(apple)
            #expect(pages.count == 5)
            for page in pages {
                #expect(!page.contains("<script>alert"))
                #expect(!page.contains("\"'>"))
            }
            #expect(pages[0].contains("Web&quot;&#39;&gt;&lt;script&gt;alert(1)"))
        }
    }

    @Test("A page shows no secret that its flow does not") func secrets() async throws {
        try await withAppleEmulator { apple in
            let callback = try await signIn(apple)
            let code = try #require(callback["code"])
            let token = try #require(callback["id_token"])
            for page in try await pages(apple) {
                #expect(!page.contains(code) && !page.contains(token.suffix(40)))
            }
            #expect(try await pages(apple)[1].contains(code.prefix(6) + "…"))
        }
    }

    @Test("The steps of a part are numbered from one, whatever came before them")
    func excerptNumbers() async throws {
        try await withAppleEmulator { apple in
            _ = try await signIn(apple)
            _ = try await apple.emulator.playSignIn(withBrokenSecret: true)
            let flows = await apple.emulator.flowSnapshots()
            let part = try #require(renderer.drawExcerpts(of: flows)[.brokenSecret])
            let numbers = part.html.matches(of: /data-place="(\d+)"/).map { String($0.1) }
            #expect(numbers == ["1", "2"])
            #expect(part.stepWords == "2 steps")
        }
    }

    @Test(
        "A line breaks between the parts of an address, and not within them",
        arguments: [
            ("POST /auth/token", [["POST"], ["/auth", "/token"]]),
            (
                "POST http://localhost:8080/sign-in/apple?a=b#…",
                [["POST"], ["http://localhost:8080", "/sign-in", "/apple", "?a=b", "#…"]]
            ),
            ("GET https://juice.example.com/in/", [["GET"], ["juice.example.com", "/in", "/"]]),
            ("maya@example.com", [["maya", "@example.com"]]), ("", []),
        ]
    )
    func pieces(wire: String, pieces: [[String]]) {
        #expect(FlowStepContent.pieces(of: wire) == pieces)
    }

    @Test("A callback whose code is not exchanged names the likely causes, the cookie first")
    func unusedCode() async throws {
        try await withAppleEmulator { apple in
            let cause = "Safari accepts no Secure cookie over HTTP"
            _ = try await signIn(apple, isContinuing: false)
            #expect(try await !pages(apple)[1].contains(cause))
            _ = try await signIn(apple)
            #expect(try await pages(apple).contains { $0.contains(cause) })
        }
    }

    @Test("The file to share is self-contained, without a script") func file() async throws {
        try await withAppleEmulator { apple in
            _ = try await signIn(apple)
            let flow = try #require(await apple.emulator.flowSnapshots().last)
            let page = renderer.renderFile(flow)
            #expect(page.contains("http-equiv=\"Content-Security-Policy\""))
            #expect(page.contains("default-src &#39;none&#39;"))
            for part in ["<script", "<link", "<img", "href=", "src=\"", "@import", "url("] {
                #expect(!page.contains(part), "\(part)")
            }
        }
    }

    @Test("JSON keeps its order and its spelling on several lines") func indented() {
        let text = #"{"b":"a,{\"}","a":[1,{}],"c":{"d":true}}"#
        #expect(
            IndentedJSON.text(text) == """
                {
                  "b": "a,{\\"}",
                  "a": [
                    1,
                    {}
                  ],
                  "c": {
                    "d": true
                  }
                }
                """
        )
    }
}
