import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite struct ConsoleTourTests {
    /// As the demo's: with a site of its own on this machine.
    private static let siteSeed = Seed.demo(
        redirectURIs: ["http://juice.localhost:8080/sign-in/apple/callback"],
        notificationURL: nil
    )

    @Test func fourStepsWithoutASite() async throws {
        try await withConsole(of: Seed.demo()) { visitor in
            try await expectDone([], visitor)
            try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
            try await expectDone(["sign-in"], visitor)
            try await visitor.fill(
                "/console/tour/stop-using",
                [("email", ConsoleWorld.email), ("client_id", "com.example.juice")],
                says: .stoppedUsing
            )
            try await expectDone(["sign-in", "stop-using"], visitor)
            try await visitor.fill("/console/tour/broken-secret", says: .brokenSecretPlayed)
            try await expectDone(["sign-in", "stop-using", "broken-secret"], visitor)
            try await visitor.fill("/console/tour/mail", says: .mailSent)
            try await expectDone(["sign-in", "stop-using", "broken-secret", "mail"], visitor)
        }
    }

    @Test func theDrawingsShowWhatWasRecorded() async throws {
        try await withConsole(of: Seed.demo()) { visitor in
            try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
            let signedIn = try await visitor.open("/")
            #expect(signedIn.contains("requests authorization on the device"))
            #expect(signedIn.contains("exchanges the code"))
            let flow = try #require(await visitor.emulator.flows().first)
            #expect(signedIn.contains("href=\"/flows/\(flow.text("id"))\""))
            let page = try await visitor.fill(
                "/console/tour/broken-secret",
                says: .brokenSecretPlayed
            )
            #expect(page.contains("invalid_client"))
            #expect(page.contains("signature was not made by the key its kid names"))
            let mail = try await visitor.fill("/console/tour/mail", says: .mailSent)
            #expect(mail.contains("sends a mail") && mail.contains("href=\"/console/inbox/1\""))
        }
    }

    @Test func aSiteIsLinkedAndTheNextSecretIsRefused() async throws {
        try await withConsole(of: Self.siteSeed) { visitor in
            let link = "href=\"http://juice.localhost:8080/\" target=\"_blank\" rel=\"noopener\""
            let first = try await visitor.open("/")
            #expect(first.ranges(of: link).count == 1)
            #expect(first.contains("Sign in as maya@example.com, password apple,"))
            let armed = try await visitor.fill("/console/tour/refuse-secret", says: .secretWillFail)
            #expect(armed.ranges(of: link).count == 2)
            #expect(!armed.contains("action=\"/console/tour/refuse-secret\""))
            try await visitor.emulator.playSignIn(withBrokenSecret: false)
            try await expectDone(["broken-secret"], visitor)
            #expect(await visitor.emulator.faults().isEmpty)
        }
    }

    @Test func aPublishedSiteIsNotLinked() async throws {
        try await withConsole { visitor in
            let page = try await visitor.open("/")
            #expect(!page.contains("target=\"_blank\""))
            #expect(page.contains("action=\"/console/tour/sign-in\""))
        }
    }

    @Test func whatIsMissingComesFirst() async throws {
        try await withConsole(of: Seed()) { visitor in
            let page = try await visitor.open("/")
            #expect(page.contains("No app is registered."))
            #expect(page.contains("<a href=\"/console/apps\">Register an app</a>"))
            #expect(!page.contains("action=\"/console/tour/"))
        }
        var seed = Seed.demo()
        seed.people = [SeedPerson(email: "student@school.example.com", isManaged: true)]
        try await withConsole(of: seed) { visitor in
            let page = try await visitor.open("/")
            #expect(page.contains("Add a person"))
        }
        seed = Seed.demo()
        seed.keys = []
        try await withConsole(of: seed) { visitor in
            let page = try await visitor.open("/")
            #expect(page.contains("Add a key"))
        }
        seed = Seed.demo()
        seed.mailSources = []
        try await withConsole(of: seed) { visitor in
            let page = try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
            #expect(page.contains("Register a mail source"))
        }
    }

    @Test(arguments: [
        "sign-in", "broken-secret", "mail", "stop-using",
    ])
    func stepsThatCannotBeDoneSayWhy(step: String) async throws {
        try await withConsole(of: Seed()) { visitor in
            let answer = try await visitor.post("/console/tour/\(step)")
            #expect(answer.status == .notFound)
            #expect(answer.text.contains("role=\"alert\" id=\"error\""))
        }
    }

    @Test func formsFromElsewhereAreRefused() async throws {
        try await withConsole(of: Seed.demo()) { visitor in
            let answer = try await visitor.post("/console/tour/sign-in", header: [:])
            #expect(answer.status == .forbidden)
            #expect(await visitor.emulator.flows().isEmpty)
        }
    }

    @Test func resetBeginsTheTourAgain() async throws {
        try await withConsole(of: Seed.demo()) { visitor in
            try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
            try await visitor.fill("/console/reset", says: .reset)
            try await expectDone([], visitor)
        }
    }

    /// Expects that the page shows these steps as done, each with its drawing.
    private func expectDone(
        _ expected: [String],
        _ visitor: ConsoleVisitor,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let page = try await visitor.open("/")
        let steps = page.components(separatedBy: "<li id=\"tour-").dropFirst()
        let done = steps.filter { $0.contains("class=\"place done\"") }
        let names = done.compactMap { $0.split(separator: "\"").first.map(String.init) }
        #expect(names == expected, sourceLocation: sourceLocation)
        #expect(done == steps.filter { $0.contains("class=\"excerpt\"") })
    }
}
