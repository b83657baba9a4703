import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import AccountsServer

/// What apps and their systems read without a session.
@Suite struct AppRoutesTests {
    private static let apps = ["AB12CD34EF.com.example.juice", "AB12CD34EF.com.example.pulp"]

    @Test("The sign-in methods are those that an app can use", arguments: [true, false])
    func methods(hasApps: Bool) async throws {
        try await withAccountsServer {
            if !hasApps { $0.nativeClientIDs = [] }
        } _: { server in
            let answer = try await TestBrowser(server).get("/api/sign-in-methods")
            #expect(answer.status == .ok)
            #expect(answer.headers[.cacheControl] == "public, max-age=3600")
            let methods = try JSONObject(parsing: Data(answer.text.utf8))["methods"]
            #expect(methods == .array(hasApps ? ["apple", "password"] : ["password"]))
        }
    }

    @Test("The association lists passwords of all apps, and the redirects at this host")
    func association() async throws {
        try await withAccountsServer { configuration in
            configuration.associatedApps = try AssociatedApps(Self.apps)
            configuration.appRedirects = try AppRedirects(
                [
                    "com.example.juice=https://juice.example.com/app/signed-in",
                    "com.example.juice=com.example.juice:/signed-in",
                    "com.example.pulp=https://pulp.example.com/signed-in",
                ],
                bundleIDs: []
            )
        } _: { server in
            let answer = try await TestBrowser(server).get(WebPath.appAssociation)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType]?.hasPrefix("application/json") == true)
            let apps: JSONValue = .array(Self.apps.map { .string($0) })
            let detail: JSONValue = .object([
                "appIDs": .array([.string(Self.apps[0])]),
                "components": .array([.object(["/": "/app/signed-in"])]),
            ])
            #expect(
                try JSONObject(parsing: Data(answer.text.utf8)) == [
                    "webcredentials": .object(["apps": apps]),
                    "applinks": .object(["details": .array([detail])]),
                ]
            )
        }
    }

    @Test("Without the setting the association is not found") func noAssociation() async throws {
        try await withAccountsServer { server in
            let answer = try await TestBrowser(server).get(WebPath.appAssociation)
            #expect(answer.status == .notFound)
        }
    }

    @Test(
        "Doctor compares the settings with the file that the server sends",
        arguments: [
            ("0000000000.com.example.juice", [], DiagnosticFinding.Outcome.warning, "not the team"),
            ("TEAM.com.example.juice", ["TEAM.com.example.juice"], .ok, "lists TEAM"),
            ("TEAM.com.example.juice", ["TEAM.com.example.other"], .failure, "does not list"),
        ]
    )
    func doctor(
        _ setting: String,
        _ served: [String],
        outcome: DiagnosticFinding.Outcome,
        words: String
    ) async throws {
        let document = try JSONObject(
            parsing: Data(#"{"webcredentials": {"apps": \#(served)}}"#.utf8)
        )
        let check = AssociatedAppsCheck(
            identifiers: [setting],
            teamID: "TEAM",
            clientIDs: ["com.example.juice"],
            publicURL: "https://juice.example.com",
            transport: AppleTransport { request, _ in
                #expect(request.authority == "juice.example.com")
                #expect(request.path == "/.well-known/apple-app-site-association")
                return .init(head: HTTPResponse(status: .ok), body: document.data)
            }
        )
        let finding = try #require(await check.findings().first)
        #expect(finding.outcome == outcome)
        #expect(finding.advice.contains(words), "\(finding.advice)")
    }
}
