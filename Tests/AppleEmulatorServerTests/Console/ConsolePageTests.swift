import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite final class ConsolePageTests: ConsoleSuite {
    static let paths =
        ConsoleSection.allCases.filter { $0 != .flows }.map(\.path)
        + [
            "/console/people/maya@example.com", "/console/inbox/1",
            "/console/apps/client/com.example.juice", "/console/apps/client/com.example.juice.web",
        ]

    /// The pages with a script of their own, which the policy allows by its hash.
    private static let scriptedPaths = ["/console/inbox", "/console/inbox/1", "/console/faults"]

    @Test(arguments: paths) func everyPageIsACompleteAccessibleDocument(path: String) async throws {
        try await visitor.addEverything()
        let page = try await visitor.open(path)
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(page.hasSuffix("</html>\n"))
        #expect(!page.contains("{{"))
        #expect(page.matches(of: #/<script/#).count == Self.scriptCount(of: path))
        #expect(page.matches(of: #/<h1>/#).count == 1)
        #expect(page.matches(of: #/ aria-current="page"/#).count == 1)
        let identifiers = page.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
        #expect(Set(identifiers).count == identifiers.count)
        for match in page.matches(of: #/<(?:input|select|textarea) id="([^"]+)"/#) {
            #expect(page.contains("<label for=\"\(match.1)\">"), "\(match.1)")
        }
        for match in page.matches(of: #/ aria-(?:describedby|labelledby)="([^"]+)"/#) {
            for identifier in match.1.split(separator: " ") {
                #expect(identifiers.contains(String(identifier)), "\(identifier)")
            }
        }
    }

    @Test(arguments: ConsoleSection.allCases.filter { $0 != .flows })
    func anEmptyAppleSaysWhatToDo(section: ConsoleSection) async throws {
        let visitor = try await ConsoleVisitor(of: Seed())
        let page = try await visitor.open(section.path)
        #expect(page.contains("href=\"\(section.path)\" aria-current=\"page\""))
        let needsNothing: [ConsoleSection] = [.clock]
        #expect(page.contains("class=\"empty\"") || needsNothing.contains(section))
    }

    @Test func theFirstPageHasACommandToBeginWith() async throws {
        let empty = try await ConsoleVisitor(of: Seed()).open("/")
        #expect(empty.contains("curl http://127.0.0.1:8082/teams --json"))
        let page = try await visitor.open("/")
        #expect(!page.contains("Get started"))
        #expect(page.contains("http://127.0.0.1:8081/.well-known/openid-configuration"))
        #expect(page.contains("127.0.0.1:8025") && page.contains("https://appleid.apple.com"))
    }

    private static func scriptCount(of path: String) -> Int { scriptedPaths.contains(path) ? 1 : 0 }

    @Test(arguments: paths) func whatComesFromOutsideIsEscaped(path: String) async throws {
        let visitor = try await ConsoleVisitor(of: ConsoleWorld.hostileSeed)
        let hostile = ConsoleWorld.hostile
        try await visitor.addEverything(with: hostile)
        let query = "?q=%22%3E%3Cscript%3E&from=%3Cscript%3E&done=%3Cscript%3E"
        let page = try await visitor.open(path + query)
        #expect(page.matches(of: #/<script/#).count == Self.scriptCount(of: path))
        let scalars = page.unicodeScalars.map(\.value)
        #expect(!scalars.contains("\"\u{301}".unicodeScalars.map(\.value)))
    }

    @Test func pagesAllowNothingButTheirOwnStyle() async throws {
        _ = await visitor.emulator.bring()
        for path in Self.paths {
            let answer = try await visitor.control.send(.get, path)
            let policy = answer.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.hasPrefix("default-src 'none'; style-src '"))
            #expect(policy.contains("form-action 'self'"))
            #expect(policy.hasSuffix("frame-ancestors 'none'"))
            let allowsScript = policy.contains("script-src 'sha256-")
            #expect(allowsScript == Self.scriptedPaths.contains(path))
            #expect(!policy.contains("script-src 'unsafe-inline'"))
            #expect(policy.contains("unsafe-inline") == (path == "/console/inbox/1"))
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test func everythingGoesBackToTheSeed() async throws {
        _ = try await visitor.emulator.add(.person, ["email": "new@example.com"])
        try await visitor.fill("/console/reset", says: .reset)
        let page = try await visitor.open("/console/people")
        #expect(!page.contains("new@example.com") && page.contains(ConsoleWorld.email))
    }

    @Test func requestsAreShownWithReasonAndFix() async throws {
        await visitor.emulator.ask("/auth/keys")
        await visitor.emulator.ask(
            "/auth/authorize?client_id=com.example.nobody&response_type=code"
        )
        let all = try await visitor.open("/console/requests")
        #expect(all.contains("GET /auth/keys") && all.contains("GET /auth/authorize"))
        #expect(all.contains("register the app or Services ID"))
        let refused = try await visitor.open("/console/requests?only=refused")
        #expect(!refused.contains("GET /auth/keys"))
        #expect(refused.contains("GET /auth/authorize"))
    }

    @Test func aRequestLeadsToItsFlow() async throws {
        await visitor.emulator.ask(
            "/auth/authorize?client_id=com.example.nobody&response_type=code"
        )
        let flow = try #require(await visitor.emulator.flows().first).text("id")
        let link = "href=\"/flows/\(flow)\"><code>GET /auth/authorize</code></a>"
        for path in ["/", "/console/requests"] {
            let page = try await visitor.open(path)
            #expect(page.contains(link), "\(path)")
        }
        await visitor.emulator.ask("/auth/keys")
        let page = try await visitor.open("/console/requests")
        #expect(page.contains("<code class=\"what\">GET /auth/keys</code>"))
    }

    @Test func aHintToARequestThatWasNotRefusedIsANote() async throws {
        let callback = "http://localhost:8080/callback"
        let visitor = try await ConsoleVisitor(of: .demo(redirectURIs: [callback]))
        await visitor.emulator.ask(
            "/auth/authorize?client_id=com.example.juice.web&response_type=code"
                + "&redirect_uri=\(callback)"
        )
        let page = try await visitor.open("/console/requests")
        #expect(page.contains("Note: Apple would refuse this redirect_uri"))
        #expect(!page.contains("Likely fix:"))
    }
}
