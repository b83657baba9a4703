import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite struct ConsolePeopleTests {
    private let visitor: ConsoleVisitor

    init() async throws { visitor = try await ConsoleVisitor() }

    private static let path = "/console/people/maya@example.com"

    @Test func aPersonIsAdded() async throws {
        let page = try await visitor.fill(
            "/console/people",
            [
                ("email", " new@example.com "), ("given_name", "Ida"), ("family_name", ""),
                ("other_emails", "a@example.com\r\n\r\nb@example.com\r\n"),
                ("has_email", "true"),
            ],
            says: .personAdded
        )
        #expect(page.contains("new@example.com") && page.contains("Ida"))
        let person = try await visitor.emulator.consolePerson("new@example.com")
        #expect(person["other_emails"] == ["a@example.com", "b@example.com"])
        #expect(person["two_factor"] == false && person["has_email"] == true)
    }

    @Test(arguments: [
        ("", "email"), ("no address", "email"), (String(repeating: "a", count: 600), "email"),
    ])
    func aWrongAddressIsToldAtItsField(email: String, field: String) async throws {
        let page = try await visitor.expectRefusal(
            "/console/people",
            "person",
            [("email", email), ("given_name", "Ida"), ("password", "a secret")],
            at: field
        )
        #expect(page.contains("<details class=\"card\" open>"))
        #expect(page.contains("name=\"given_name\" type=\"text\" value=\"Ida\""))
        #expect(!page.contains("a secret"))
    }

    @Test func aTakenAddressIsAConflict() async throws {
        try await visitor.expectRefusal(
            "/console/people",
            "person",
            [("email", ConsoleWorld.email), ("given_name", "Other")],
            at: "email",
            status: .conflict
        )
    }

    @Test func peopleAreFoundByNameAndAddress() async throws {
        let found = try await visitor.open("/console/people?q=LINDGREN")
        #expect(found.contains("maya@example.com") && !found.contains("student@"))
        let none = try await visitor.open("/console/people?q=xyz")
        #expect(none.contains("Nobody’s name or address"))
    }

    @Test func ofManyPeopleSomeAreShown() async throws {
        var seed = Seed()
        seed.people = (0..<120).map { SeedPerson(email: "p\($0)@example.com") }
        try await withConsole(of: seed) { visitor in
            let first = try await visitor.open("/console/people")
            #expect(first.contains("1 to 50 of 120") && first.contains("from=50"))
            let last = try await visitor.open("/console/people?from=100")
            #expect(last.contains("101 to 120 of 120") && last.contains("p119@example.com"))
            #expect(!last.contains(">later<"))
            _ = try await visitor.open("/console/people?from=99999999999999999999")
            _ = try await visitor.open("/console/people?from=-5")
        }
    }

    @Test func forwardingIsTurnedOffAndOn() async throws {
        try await visitor.emulator.meet()
        let fields = [("client_id", "com.example.juice")]
        let off = try await visitor.fill(
            Self.path + "/forwarding",
            fields + [("enabled", "false")],
            says: .forwardingOff
        )
        #expect(off.contains("not forwarded"))
        let on = try await visitor.fill(
            Self.path + "/forwarding",
            fields + [("enabled", "true")],
            says: .forwardingOn
        )
        #expect(!on.contains("not forwarded"))
    }

    @Test func aPersonStopsUsingAnApp() async throws {
        try await visitor.emulator.meet()
        let page = try await visitor.fill(
            Self.path + "/stop-using",
            [("client_id", "com.example.juice")],
            says: .stoppedUsing
        )
        #expect(page.contains("No apps yet."))
    }

    @Test(arguments: ["/stop-using", "/forwarding"], ["com.example.tea", "nothing", ""])
    func whatTheyDoNotUseIsTold(action: String, clientID: String) async throws {
        let answer = try await visitor.post(Self.path + action, [("client_id", clientID)])
        #expect([.notFound, .unprocessableContent].contains(answer.status))
        #expect(answer.text.contains("role=\"alert\""))
        #expect(answer.text.contains("<h1><bdi>Maya Lindgren</bdi></h1>"))
    }

    @Test func deletingHasToBeConfirmed() async throws {
        let path = Self.path + "/delete"
        try await visitor.expectRefusal(path, "delete", [], at: "understood")
        let page = try await visitor.fill(
            path,
            [("form", "delete"), ("understood", "true")],
            says: .personDeleted
        )
        #expect(!page.contains(ConsoleWorld.email))
        let again = try await visitor.post(path, [("understood", "true")])
        #expect(again.status == .notFound)
    }
}
