import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AppleEmulatorServer

// Fidelity: redirect-5
@Suite final class ConsoleClientTests: ConsoleSuite {
    private static let app = "/console/apps/client/com.example.juice"
    private static let service = app + ".web"

    @Test func everyClientHasALinkToItsPage() async throws {
        let page = try await visitor.open("/console/apps")
        for path in [Self.app, Self.app + ".bar", Self.service] {
            #expect(page.contains("href=\"\(path)\""), "\(path)")
        }
    }

    @Test func anAppIsChangedAndLosesItsName() async throws {
        let url = "https://juice.example.com/notifications"
        let fields = [("name", "Juicy"), ("notification_url", url)]
        let page = try await visitor.fill(Self.app, fields, says: .saved)
        #expect(page.contains("<bdi>Juicy</bdi>") && page.contains(url))
        let bare = try await visitor.fill(Self.app, [("notification_url", url)], says: .saved)
        #expect(!bare.contains("Juicy") && bare.contains(url))
    }

    @Test func returnURLsAreChanged() async throws {
        let form = try await visitor.open(Self.service)
        #expect(form.contains("https://juice.example.com/callback</textarea>"))
        let urls = "https://a.example.com/x\r\nhttps://b.example.com/y"
        let page = try await visitor.fill(Self.service, [("return_urls", urls)], says: .saved)
        #expect(page.contains("https://b.example.com/y"))
        #expect(!page.contains("https://juice.example.com/callback"))
        #expect(try await visitor.fill(Self.service, says: .saved).contains("no return URL"))
    }

    @Test(arguments: [
        (app, "notification_url", "nowhere"), (service, "return_urls", "ftp://a"),
        (app, "name", String(repeating: "n", count: 600)),
    ])
    func mistakesAreToldAtTheirField(path: String, field: String, text: String) async throws {
        try await visitor.expectRefusal(path, "client", [(field, text)], at: field)
    }

    @Test func aMissingRegistrationIsFilledIn() async throws {
        let query = "?client_id=com.example.new.web&return_url=https://new.example.com/callback"
        let page = try await visitor.open("/console/apps" + query)
        #expect(page.contains("open><summary>Add a Services ID</summary>"))
        #expect(page.contains("value=\"com.example.new.web\""))
        #expect(page.contains("https://new.example.com/callback</textarea>"))
        let client = try await visitor.open(Self.service + query)
        let urls = "https://juice.example.com/callback\nhttps://new.example.com/callback</textarea>"
        #expect(client.contains(urls))
    }

    @Test func anAppIsRemovedAfterItsClients() async throws {
        let early = try await visitor.post(Self.app + "/remove", expecting: .conflict)
        let clients = "remove them first: com.example.juice.bar, com.example.juice.web"
        #expect(early.text.contains(clients))
        for path in [Self.service, Self.app + ".bar", Self.app] {
            try await visitor.fill(path + "/remove", says: .removed)
            _ = try await visitor.open(path, expecting: .notFound)
        }
        #expect(try await visitor.open("/console/apps").contains("com.example.tea"))
    }
}
