import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import HTTPTypes
import Testing

@testable import AccountsServer

/// The routes of `siwa users transfer`, and invalid requests to them.
@Suite(AdministrationPort.lending) struct TransferRouteTests {
    private let port: AdministrationPort
    init() throws { port = try AdministrationPort.lent }

    @Test func personIsListedBegunAndArrived() async throws {
        let maya = SampleSignIn()
        let account = try await port.store.signIn(maya).signedIn.account
        let (_, before) = try await port.ask(.get, "/transfers")
        let person = before["people"]?.arrayValue?.first?.objectValue
        #expect(person?["user"]?.stringValue == maya.user.rawValue)
        #expect(person?["clientId"]?.stringValue == maya.clientID.rawValue)
        #expect(person?["transfer"] == nil)
        #expect(before["next"]?.isNull == true)

        let issuer = maya.issuer
        let begin = """
            {"issuer":"\(issuer)","user":"\(maya.user)","identifier":"between","team":"OTHERTEAM1"}
            """
        for outcome in ["done", "unchanged"] {
            let (status, answer) = try await port.ask(.post, "/transfers", begin)
            #expect(status == 200 && answer["outcome"]?.stringValue == outcome)
        }
        let (_, after) = try await port.ask(.get, "/transfers")
        #expect(after.text.contains("between") && after.text.contains("OTHERTEAM1"))
        let arrival = """
            {"issuer":"\(issuer)","identifier":"between","user":"new","email":"new@relay.example"}
            """
        let (status, answer) = try await port.ask(.post, "/transfers/arrivals", arrival)
        #expect(status == 200 && answer["outcome"] == "done")
        let arrived = try await port.store.account(account.id)
        #expect(arrived?.apple?.person.user == "new")
        #expect(arrived?.email?.isPrivateRelay == true)
        let (_, end) = try await port.ask(.get, "/transfers?after=\(account.id)")
        #expect(end["people"]?.arrayValue?.isEmpty == true)
    }

    @Test func listsAndRunsAreWrittenDown() async throws {
        _ = try await port.ask(.get, "/transfers")
        for kind in ["export", "import"] {
            let run = #"{"kind":"\#(kind)","team":"OTHERTEAM1","count":120}"#
            let (status, _) = try await port.ask(.post, "/transfers/runs", run)
            #expect(status == 200)
        }
        let entries = try await port.store.auditEntries(AuditQuery())
        let words = entries.map { "\($0.action) \($0.detail ?? "-")" }
        #expect(
            Set(words) == [
                "accounts_listed -", "transfer_exported OTHERTEAM1 120",
                "transfer_imported OTHERTEAM1 120",
            ]
        )
        #expect(entries.allSatisfy { $0.actor == "administrator" && $0.administrator != nil })
        #expect(entries.allSatisfy { $0.occurredAt == SampleSignIn.start })
    }

    @Test func wrongRequestsAreRefused() async throws {
        let long = String(repeating: "a", count: TransferRoutes.maximumIdentifierByteCount + 1)
        let wrong = [
            ("/transfers", "{}"), ("/transfers", "[]"), ("/transfers/runs", "{}"),
            ("/transfers/runs", #"{"kind":"steal","team":"OTHERTEAM1","count":1}"#),
            ("/transfers/runs", #"{"kind":"export","team":"team","count":1}"#),
            ("/transfers/runs", #"{"kind":"export","team":"OTHERTEAM1","count":-1}"#),
            ("/transfers/runs", #"{"kind":"export","team":"OTHERTEAM1","count":"1"}"#),
            ("/transfers", #"{"issuer":"a","user":"b","identifier":"c","team":"team"}"#),
            (
                "/transfers",
                #"{"issuer":"a","user":"\#(long)","identifier":"c","team":"OTHERTEAM1"}"#
            ),
            ("/transfers", #"{"issuer":"a","user":"b","identifier":"","team":"OTHERTEAM1"}"#),
            (
                "/transfers",
                #"{"issuer":"a","user":"b","identifier":"c","team":"OTHERTEAM1","x":1}"#
            ),
            ("/transfers/arrivals", #"{"issuer":"a","identifier":"b"}"#),
            (
                "/transfers/arrivals",
                #"{"issuer":"a","identifier":"b","user":"c","email":"\#(long)\#(long)"}"#
            ),
        ]
        for (path, body) in wrong {
            let (status, answer) = try await port.ask(.post, path, body)
            #expect((400...422).contains(status), "\(path) \(body)")
            #expect(answer["hint"]?.stringValue?.isEmpty == false)
        }
        let (status, _) = try await port.ask(.get, "/transfers?after=\(long)")
        #expect(status == 422)
    }
}
