import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes

/// Who and what the consoles of tests show.
enum ConsoleWorld {
    static let email = "maya@example.com"
    static let clientID: ClientID = "com.example.juice"
    /// Breaks out of markup that is not escaped, or escaped by characters as a reader sees them.
    static let hostile = "\"\u{301}'><script>alert(1)</script>"

    static var seed: Seed {
        var seed = Seed()
        seed.teams = [
            SeedTeam(teamID: "JUICETEAM1", name: "Juice Makers"), SeedTeam(teamID: "OTHERTEAM1"),
        ]
        seed.apps = [
            SeedApp(clientID: clientID, teamID: "JUICETEAM1", name: "Juice"),
            SeedApp(
                clientID: "com.example.juice.bar",
                teamID: "JUICETEAM1",
                primaryClientID: clientID
            ),
            SeedApp(clientID: "com.example.tea", teamID: "JUICETEAM1"),
        ]
        seed.services = [
            SeedService(
                clientID: "com.example.juice.web",
                primaryClientID: clientID,
                returnURLs: ["https://juice.example.com/callback"]
            )
        ]
        seed.keys = [SeedKey(teamID: "JUICETEAM1", keyID: "JUICEKEY01")]
        seed.people = [
            SeedPerson(email: email, givenName: "Maya", familyName: "Lindgren"),
            SeedPerson(email: "student@school.example.com", isManaged: true),
        ]
        return seed
    }

    /// Names and texts from outside, wherever there can be some.
    static var hostileSeed: Seed {
        var seed = seed
        seed.teams[0].name = hostile
        seed.apps[0].name = hostile
        seed.services[0].name = hostile
        seed.people[0].givenName = hostile
        return seed
    }
}

extension AppleEmulator {
    /// Lets the person meet the app, with a relay address.
    func meet(_ clientID: ClientID = ConsoleWorld.clientID) async throws {
        _ = try await credentials(
            for: ConsoleWorld.email,
            ["client_id": .string(clientID.rawValue), "scopes": ["email"], "email": "hide"]
        )
    }

    /// Brings a mail to the person's own address.
    func bring(subject: String = "Hello", text: String = "How are you?", html: String = "") async
        -> String
    {
        let type = html.isEmpty ? "plain" : "html"
        let mail = [
            "From: Noah <noah@shop.example.com>", "To: \(ConsoleWorld.email)",
            "Subject: \(subject)", "Content-Type: text/\(type); charset=utf-8", "",
            html.isEmpty ? text : html, "",
        ]
        return receiveMail(
            Data(mail.joined(separator: "\r\n").utf8),
            from: "noah@shop.example.com",
            to: [ConsoleWorld.email]
        )
    }

    /// Asks Apple's port for a path.
    func ask(_ path: String) async {
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "127.0.0.1:8081",
            path: path
        )
        _ = await respond(to: request, body: Data())
    }
}
