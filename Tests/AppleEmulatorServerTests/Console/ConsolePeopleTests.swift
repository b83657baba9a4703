import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

@Suite final class ConsolePeopleTests: ConsoleSuite {
    private static let path = "/console/people/maya@example.com"

    @Test func aPersonIsAdded() async throws {
        let page = try await visitor.fill(
            "/console/people",
            [
                ("email", " new@example.com "), ("given_name", "Ida"), ("family_name", ""),
                ("other_emails", "a@example.com\r\n\r\nb@example.com\r\n"), ("has_email", "true"),
            ],
            says: .personAdded
        )
        #expect(page.contains("new@example.com") && page.contains("Ida"))
        let person = try await visitor.emulator.consolePerson("new@example.com")
        #expect(person["other_emails"] == ["a@example.com", "b@example.com"])
        #expect(person["two_factor"] == false && person["has_email"] == true)
    }

    @Test func anAccountIsChanged() async throws {
        let page = try await visitor.fill(
            Self.path,
            [
                ("email", "mia@example.com"), ("given_name", "Mia"), ("family_name", ""),
                ("other_emails", "m@example.com"), ("has_email", "true"),
                ("email_verified", "true"),
            ],
            says: .personSaved
        )
        #expect(page.contains("<h1><bdi>Mia</bdi></h1>"))
        let person = try await visitor.emulator.consolePerson("m@example.com")
        #expect(person["email"] == "mia@example.com" && person["family_name"] == nil)
        #expect(person["two_factor"] == false)
        _ = try await visitor.open(Self.path, expecting: .notFound)
    }

    @Test(arguments: [("email", "no address"), ("email", ""), ("other_emails", "x")])
    func aWrongChangeIsToldAtItsField(field: String, text: String) async throws {
        let fields = [("email", ConsoleWorld.email), ("has_email", "true"), (field, text)]
        let sent = field == "email" ? Array(fields.dropFirst()) : fields
        try await visitor.expectRefusal(Self.path, "edit", sent, at: field)
    }

    @Test(arguments: ["", "no address", String(repeating: "a", count: 600)])
    func aWrongAddressIsToldAtItsField(email: String) async throws {
        let fields = [("email", email), ("given_name", "Ida"), ("password", "a secret")]
        let page = try await visitor.expectRefusal("/console/people", "person", fields, at: "email")
        #expect(page.contains("<details class=\"add\" open>"))
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
        #expect(try await visitor.open("/console/people?q=xyz").contains("No name or address"))
    }

    @Test func ofManyPeopleSomeAreShown() async throws {
        var seed = Seed()
        seed.people = (0..<120).map { SeedPerson(email: "p\($0)@example.com") }
        let visitor = try await ConsoleVisitor(of: seed)
        let first = try await visitor.open("/console/people")
        #expect(first.contains("1–50 / 120") && first.contains("from=50"))
        let last = try await visitor.open("/console/people?from=100")
        #expect(last.contains("101–120 / 120") && last.contains("p119@example.com"))
        #expect(!last.contains(">later<"))
        for number in ["99999999999999999999", "-5"] {
            _ = try await visitor.open("/console/people?from=" + number)
        }
    }

    @Test func forwardingIsTurnedOffAndOn() async throws {
        try await visitor.emulator.meet()
        for (isOn, notice) in [(false, ConsoleNotice.forwardingOff), (true, .forwardingOn)] {
            let fields = [("client_id", "com.example.juice"), ("enabled", "\(isOn)")]
            let page = try await visitor.fill(Self.path + "/forwarding", fields, says: notice)
            #expect(page.contains("not forwarded") == !isOn)
        }
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
        try await visitor.post(path, [("understood", "true")], expecting: .notFound)
    }
}
