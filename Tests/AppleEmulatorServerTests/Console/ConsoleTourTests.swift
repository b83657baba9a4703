import AppleEmulator
import AppleEmulatorPages
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite struct ConsoleTourTests {
    private let visitor: ConsoleVisitor

    init() async throws { visitor = try await ConsoleVisitor(of: Seed.demo()) }

    /// As the demo's: with a site of its own on this machine.
    private static let siteSeed = Seed.demo(
        redirectURIs: ["http://juice.localhost:8080/sign-in/apple/callback"],
        notificationURL: nil
    )

    @Test func fourStepsWithoutASite() async throws {
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
        let last = try await visitor.fill("/console/tour/mail", says: .mailSent)
        try await expectDone(["sign-in", "stop-using", "broken-secret", "mail"], visitor)
        #expect(last.contains("<section class=\"card tour\""))
        #expect(try await visitor.open("/").contains("<details class=\"card tour\"><summary>"))
    }

    @Test func theLastResultIsShownBeforeTheTourFolds() async throws {
        let visitor = try await ConsoleVisitor(of: Self.siteSeed)
        try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
        try await visitor.fill("/console/tour/mail", says: .mailSent)
        try await visitor.fill(
            "/console/tour/stop-using",
            [("email", ConsoleWorld.email), ("client_id", "com.example.juice")],
            says: .stoppedUsing
        )
        // The exchange of the developer's own server.
        _ = try await visitor.emulator.playSignIn(withBrokenSecret: true)
        for start in ["<section class=\"card tour\"", "<details class=\"card tour\"><summary>"] {
            #expect(try await visitor.open("/").contains(start))
        }
    }

    @Test func theTourSendsMailThatTheRelayRefusesWhenForwardingIsOff() async throws {
        try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
        try await visitor.emulator.setForwarding(
            ConsoleWorld.email,
            clientID: "com.example.juice",
            enabled: false
        )
        let page = try await visitor.open("/")
        #expect(page.contains("action=\"/console/tour/mail\""))
        #expect(!page.contains("No one currently hides their address"))
        let answer = try await visitor.post("/console/tour/mail", expecting: .conflict)
        #expect(answer.text.contains("The relay refused it: 550 5.7.1 Relay not permitted"))
        #expect(answer.text.contains("turn forwarding on, on the page of Maya"))
    }

    @Test func theDrawingsShowWhatWasRecorded() async throws {
        try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
        let signedIn = try await visitor.open("/")
        #expect(signedIn.contains("requests authorization on the device"))
        #expect(signedIn.contains("exchanges the code"))
        let flow = try #require(await visitor.emulator.flows().first)
        #expect(signedIn.contains("href=\"/flows/\(flow.text("id"))\""))
        let page = try await visitor.fill("/console/tour/broken-secret", says: .brokenSecretPlayed)
        #expect(page.contains("invalid_client"))
        #expect(page.contains("signature was not made by the key of its kid"))
        #expect(page.contains("the emulator generated this key"))
        let mail = try await visitor.fill("/console/tour/mail", says: .mailSent)
        #expect(mail.contains("sends a message") && mail.contains("href=\"/console/inbox/1\""))
    }

    @Test func aSiteIsLinkedAndTheNextSecretIsRefused() async throws {
        let visitor = try await ConsoleVisitor(of: Self.siteSeed)
        let link = "href=\"http://juice.localhost:8080/\" target=\"_blank\" rel=\"noopener\""
        let first = try await visitor.open("/")
        #expect(first.ranges(of: link).count == 1)
        #expect(first.contains("Sign in as maya@example.com, password apple,"))
        let armed = try await visitor.fill("/console/tour/refuse-secret", says: .secretWillFail)
        #expect(armed.ranges(of: link).count == 2)
        #expect(!armed.contains("action=\"/console/tour/refuse-secret\""))
        try await visitor.fill("/console/tour/sign-in", says: .secretRefused)
        try await expectDone(["broken-secret"], visitor)
        #expect(await visitor.emulator.faults().isEmpty)
    }

    @Test func aCancelledSignInSaysWhatToDo() async throws {
        let callback = "http://juice.localhost:8080/sign-in/apple/callback"
        let visitor = try await ConsoleVisitor(of: Self.siteSeed)
        try await visitor.emulator.decideNext(for: ConsoleWorld.email, isContinuing: false)
        await visitor.emulator.ask(
            "/auth/authorize?client_id=com.example.juice.web&response_type=code"
                + "&response_mode=form_post&scope=email&redirect_uri=\(callback)"
        )
        try await expectDone([], visitor)
        let page = try await visitor.open("/")
        #expect(page.contains("Apple sent user_cancelled_authorize to the server."))
        #expect(page.contains("Sign in again, and press Continue."))
        let flow = try #require(await visitor.emulator.flows().first)
        #expect(page.contains("<a href=\"/flows/\(flow.text("id"))\">The whole flow</a>"))
        let again = try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
        #expect(!again.contains("Last sign-in"))
    }

    @Test func anAuthorizeRequestThatAppleRefusesIsTold() async throws {
        let visitor = try await ConsoleVisitor(of: Self.siteSeed)
        await visitor.emulator.ask(
            "/auth/authorize?client_id=com.example.juice.web&response_type=code"
                + "&redirect_uri=https://elsewhere.example.com/"
        )
        let page = try await visitor.open("/")
        #expect(page.contains("Last sign-in"))
        #expect(page.contains("Apple refused this request: requests authorization."))
    }

    @Test(arguments: ["sign-in", "broken-secret"])
    func anExchangeThatGoesWrongSaysWhatToDo(step: String) async throws {
        for (fault, words) in [
            (["endpoint": "token", "status": 503], "status 503"),
            (["endpoint": "token", "drop": true], "no response"),
            (
                ["endpoint": "token", "status": 400, "body": ["error": "invalid_grant"]],
                "invalid_grant"
            ),
        ] as [(JSONObject, String)] {
            let visitor = try await ConsoleVisitor(of: Seed.demo())
            _ = try await visitor.emulator.addFault(fault)
            let answer = try await visitor.post("/console/tour/\(step)", expecting: .conflict)
            #expect(answer.text.contains("role=\"alert\" id=\"error\""))
            #expect(answer.text.contains("The code exchange returned \(words)"))
            #expect(answer.text.contains("clear your settings under Faults"))
            try await expectDone([], visitor)
            let notice = step == "sign-in" ? ConsoleNotice.signInPlayed : .brokenSecretPlayed
            try await visitor.fill("/console/tour/\(step)", says: notice)
        }
    }

    @Test func aPublishedSiteIsNotLinked() async throws {
        let visitor = try await ConsoleVisitor()
        let page = try await visitor.open("/")
        #expect(!page.contains("target=\"_blank\""))
        #expect(page.contains("action=\"/console/tour/sign-in\""))
    }

    @Test func whatIsMissingComesFirst() async throws {
        let page = try await ConsoleVisitor(of: Seed()).open("/")
        #expect(page.contains("No app is registered."))
        #expect(page.contains("<a href=\"/console/apps\">Add an app</a>"))
        #expect(page.ranges(of: "action=\"/console/tour/").count == 1)
        var seed = Seed.demo()
        seed.people = [SeedPerson(email: "student@school.example.com", isManaged: true)]
        #expect(try await ConsoleVisitor(of: seed).open("/").contains("Add a person"))
        seed = Seed.demo()
        seed.keys = []
        #expect(try await ConsoleVisitor(of: seed).open("/").contains("Add a key"))
        seed = Seed.demo()
        seed.mailSources = []
        let signedIn = try await ConsoleVisitor(of: seed)
            .fill("/console/tour/sign-in", says: .signInPlayed)
        #expect(signedIn.contains("Register a mail source"))
    }

    @Test(arguments: ["sign-in", "broken-secret", "mail", "stop-using"])
    func stepsThatCannotBeDoneSayWhy(step: String) async throws {
        let visitor = try await ConsoleVisitor(of: Seed())
        let answer = try await visitor.post("/console/tour/\(step)", expecting: .notFound)
        #expect(answer.text.contains("role=\"alert\" id=\"error\""))
    }

    @Test func theTourIsPutAwayAndComesBack() async throws {
        let hidden = try await visitor.fill("/console/tour/hide", says: .tourHidden)
        #expect(!hidden.contains("id=\"tour-sign-in\""))
        let later = try await visitor.open("/")
        #expect(!later.contains("id=\"tour-sign-in\""))
        #expect(later.contains("action=\"/console/tour/show\""))
        let shown = try await visitor.fill("/console/tour/show", says: .tourShown)
        #expect(shown.contains("id=\"tour-sign-in\""))
        #expect(shown.contains("action=\"/console/tour/hide\""))
    }

    @Test func formsFromElsewhereAreRefused() async throws {
        try await visitor.post("/console/tour/sign-in", header: [:], expecting: .forbidden)
        #expect(await visitor.emulator.flows().isEmpty)
    }

    @Test func resetBeginsTheTourAgain() async throws {
        try await visitor.fill("/console/tour/sign-in", says: .signInPlayed)
        try await visitor.fill("/console/reset", says: .reset)
        try await expectDone([], visitor)
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
