import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite final class ConsoleRegistryTests: ConsoleSuite {
    @Test(arguments: [
        ("team", [("team_id", "NEWTEAM123"), ("name", "New")], "NEWTEAM123"),
        ("app", [("client_id", "com.example.new"), ("team_id", "JUICETEAM1")], "com.example.new"),
        (
            "service",
            [
                ("client_id", "com.example.new.web"), ("primary_client_id", "com.example.juice"),
                ("return_urls", "https://a.example.com/x\r\nhttps://b.example.com/y"),
            ], "https://b.example.com/y"
        ),
        (
            "mail-source",
            [
                ("team_id", "JUICETEAM1"), ("domain", "juice.example.com"),
                ("authentication", "spf"),
            ], "juice.example.com"
        ),
    ])
    func formsRegister(form: String, fields: [(String, String)], shown: String) async throws {
        let page = try await visitor.fill("/console/apps/\(form)", fields, says: .registered)
        #expect(page.contains("<code>\(shown)</code>"))
    }

    private static let mistakes: [(String, [(String, String)], String)] = [
        ("team", [("team_id", "short")], "team_id"),
        ("app", [("client_id", "com example"), ("team_id", "JUICETEAM1")], "client_id"),
        ("app", [("client_id", "com.example.new"), ("team_id", "NOBODY0000")], "team_id"),
        (
            "app",
            [
                ("client_id", "com.example.new"), ("team_id", "JUICETEAM1"),
                ("notification_url", "nowhere"),
            ], "notification_url"
        ),
        (
            "service",
            [
                ("client_id", "a.b"), ("primary_client_id", "com.example.juice"),
                ("return_urls", "ftp://a"),
            ], "return_urls"
        ),
        ("service", [("client_id", "a.b"), ("primary_client_id", "x")], "primary_client_id"),
        ("mail-source", [("team_id", "JUICETEAM1")], "domain"),
        (
            "mail-source", [("team_id", "JUICETEAM1"), ("domain", "a.b"), ("authentication", "x")],
            "authentication"
        ),
        ("transfer", [("client_id", "com.example.tea"), ("to_team", "NOBODY0000")], "to_team"),
        ("key", [("team_id", "NOBODY0000")], "team_id"),
        ("key", [("team_id", "JUICETEAM1"), ("key_id", "short")], "key_id"),
        ("key", [("team_id", "JUICETEAM1"), ("public_key_pem", "x")], "public_key_pem"),
        ("key", [("team_id", "JUICETEAM1"), ("primary_client_id", "x")], "primary_client_id"),
    ]

    @Test(arguments: mistakes)
    func mistakesAreToldAtTheirField(
        form: String,
        fields: [(String, String)],
        field: String
    ) async throws {
        let path = form == "key" ? "/console/keys" : "/console/apps/\(form)"
        try await visitor.expectRefusal(path, form, fields, at: field)
    }

    @Test func groupsShowTheirMembersAndReturnURLs() async throws {
        let page = try await visitor.open("/console/apps")
        for text in [
            "Juice Makers", "com.example.juice.bar", "com.example.juice.web",
            "https://juice.example.com/callback", "This team has no app yet.",
        ] {
            #expect(page.contains(text), "\(text)")
        }
    }

    @Test func anAppGoesToAnotherTeam() async throws {
        let page = try await visitor.fill(
            "/console/apps/transfer",
            [("client_id", "com.example.tea"), ("to_team", "OTHERTEAM1")],
            says: .transferred
        )
        #expect(page.contains("Transferred to another team"))
    }

    @Test func theKeysOfAppleAreRotated() async throws {
        let before = await visitor.emulator.consoleSigningKeys()
        let old = try #require(before["current"]?.arrayValue?.first?.stringValue)
        let path = "/console/keys/rotate"
        let kept = try await visitor.fill(path, [("keep_old", "true")], says: .rotated)
        #expect(kept.contains(old) && kept.contains("still published"))
        let gone = try await visitor.fill(path, says: .rotated)
        #expect(!gone.contains(old))
    }

    @Test func thePrivateHalfIsShownOnceInTheAnswer() async throws {
        let key = [("team_id", "JUICETEAM1"), ("key_id", "NEWKEY0001")]
        let answer = try await visitor.post("/console/keys", key, expecting: .ok)
        #expect(answer.text.contains("BEGIN PRIVATE KEY"))
        let link = #/href="data:application/x-pem-file;base64,([^"]+)" download="([^"]+)"/#
        let download = try #require(answer.text.firstMatch(of: link))
        #expect(download.2 == "AuthKey_NEWKEY0001.p8")
        let pem = try #require(Data(base64Encoded: String(download.1)))
        #expect(String(decoding: pem, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(answer.headers[.cacheControl] == "no-store")
        for path in ConsolePageTests.paths where !path.hasPrefix("/console/inbox/") {
            let page = try await visitor.open(path)
            #expect(!page.contains("PRIVATE KEY"))
        }
        #expect(try await visitor.post("/console/keys", key).status == .seeOther)
    }
}
