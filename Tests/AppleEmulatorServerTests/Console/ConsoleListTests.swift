import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite("Filters and pages of the console's lists")
final class ConsoleListTests: ConsoleSuite {
    private static let authorize =
        "/auth/authorize?response_type=code&client_id=com.example.juice.web"
        + "&redirect_uri=https://juice.example.com/callback"

    private func numbers(at path: String) async throws -> [Int] {
        let page = try await visitor.open(path)
        return page.matches(of: #/(?:<li id="n|<span class="number quiet">)(\d+)/#)
            .compactMap { Int($0.1) }
    }

    // MARK: Requests

    @Test(arguments: [
        ("?path=/auth/keys", [1]), ("?path=/auth/authorize&only=refused", [2]),
        ("?path=other", [3]), ("?only=accepted", [4, 1]), ("?person=nobody@example.com", []),
        ("?path=/auth/keys&only=refused", []),
    ])
    func requestsAreFiltered(query: String, expected: [Int]) async throws {
        for path in ["/auth/keys", "/auth/authorize?client_id=x", "/nowhere", Self.authorize] {
            await visitor.emulator.ask(path)
        }
        #expect(try await numbers(at: "/console/requests" + query) == expected)
    }

    @Test func requestsOfASignInHaveAPerson() async throws {
        let credential = try await visitor.emulator.credentials(
            for: ConsoleWorld.email,
            ["client_id": .string(ConsoleWorld.clientID.rawValue), "scopes": ["email"]]
        )
        let code = credential.text("authorization_code")
        await visitor.emulator.ask("/auth/keys")
        let form = "grant_type=authorization_code&code=\(code)"
        let request = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "127.0.0.1:8081",
            path: "/auth/token",
            headerFields: [.contentType: "application/x-www-form-urlencoded"]
        )
        _ = await visitor.emulator.respond(to: request, body: Data(form.utf8))
        let path = "/console/requests?person=\(ConsoleWorld.email.uppercased())"
        #expect(try await numbers(at: path) == [2])
    }

    // MARK: Notifications

    @Test(arguments: [
        ("?type=email-disabled", [2]), ("?state=not_sent", [3, 2, 1]), ("?state=delivered", []),
        ("?person=Maya@example.com", [2]), ("?person=1.a", [3, 1]),
        ("?person=1.a&type=consent-revoked", [1]),
    ])
    func notificationsAreFiltered(query: String, expected: [Int]) async throws {
        try await visitor.emulator.meet()
        let client = JSONValue.string(ConsoleWorld.clientID.rawValue)
        for (type, member, value) in [
            ("consent-revoked", "sub", "1.a"), ("email-disabled", "person", ConsoleWorld.email),
            ("account-deleted", "sub", "1.a"),
        ] {
            var order: JSONObject = ["type": .string(type), "client_id": client]
            order[member] = .string(value)
            _ = try await visitor.emulator.sendNotification(order)
        }
        #expect(try await numbers(at: "/console/notifications" + query) == expected)
    }

    // MARK: Both

    @Test(arguments: [
        "/console/requests?path=/auth/toke", "/console/requests?only=all",
        "/console/notifications?type=%3Cb%3E", "/console/notifications?state=lost",
    ])
    func anUnknownValueMatchesNothingAndIsNamed(path: String) async throws {
        await visitor.emulator.ask("/auth/keys")
        let page = try await visitor.open(path)
        #expect(try await numbers(at: path).isEmpty)
        #expect(page.contains("This value is unknown, so nothing matches."))
        #expect(page.contains("matches.</p>") && page.contains(">Show all</a>"))
    }

    @Test func aPageHasFiftyEntriesAndLinksToTheOthers() async throws {
        for _ in 0..<60 { await visitor.emulator.ask("/auth/keys") }
        await visitor.emulator.ask("/nowhere")
        let path = "/console/requests?path=/auth/keys"
        let first = try await visitor.open(path)
        #expect(try await numbers(at: path) == Array((11...60).reversed()))
        #expect(first.contains("1–50 / 60") && !first.contains(">Newer</a>"))
        let link = try #require(first.firstMatch(of: #/href="([^"]*)">Older</#)).1
        let older = String(link).replacing("&amp;", with: "&")
        #expect(older == "/console/requests?path=%2Fauth%2Fkeys&from=50")
        let second = try await visitor.open(older)
        #expect(try await numbers(at: older) == Array((1...10).reversed()))
        #expect(second.contains(">Newer</a>") && !second.contains(">Older</a>"))
    }

    @Test(arguments: ["9223372036854775807", "99999999999999999999", "-5", "x", ""])
    func everyStartIsAPage(start: String) async throws {
        await visitor.emulator.ask("/auth/keys")
        for path in ["/console/requests", "/console/notifications", "/console/people"] {
            _ = try await visitor.open(path + "?from=" + start)
        }
    }
}
