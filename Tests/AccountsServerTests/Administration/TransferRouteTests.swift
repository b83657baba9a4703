import AccountStoreConformance
import Accounts
import AccountsSQLite
import AppleIdentity
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import AccountsServer

/// The routes behind `siwa users transfer`, and wrong requests to them.
@Suite struct TransferRouteTests {
    private typealias Ask = @Sendable (String, String?) async throws -> (Int, JSONObject)

    private func withRoutes(
        _ body: @escaping @Sendable (Ask, SQLiteAccountStore) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteAccountStore(path: folder.appending(path: "siwa.sqlite").path())
        let accounts = AccountsService(
            store: store,
            sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1")),
            time: ManualTime(now: SampleSignIn.start).source,
            logger: LogRecorder().logger
        )
        let routes = AdministrationRoutes(accounts: accounts, time: .live)
        try await Application(router: routes.router()).test(.router) { client in
            try await body(
                { path, content in
                    let response = try await client.executeRequest(
                        uri: path,
                        method: content == nil ? .get : .post,
                        headers: [.contentType: "application/json"],
                        body: content.map { ByteBuffer(string: $0) }
                    )
                    let object = try JSONObject(parsing: Data(response.body.readableBytesView))
                    return (response.status.code, object)
                },
                store
            )
        }
        try store.close()
    }

    @Test func personIsListedBegunAndArrived() async throws {
        try await withRoutes { ask, store in
            let maya = SampleSignIn()
            let account = try await store.signIn(maya).signedIn.account
            let (_, before) = try await ask("/transfers", nil)
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
                let (status, answer) = try await ask("/transfers", begin)
                #expect(status == 200 && answer["outcome"]?.stringValue == outcome)
            }
            let (_, after) = try await ask("/transfers", nil)
            #expect(after.text.contains("between") && after.text.contains("OTHERTEAM1"))
            let arrival = """
                {"issuer":"\(issuer)","identifier":"between","user":"new","email":"new@relay.example"}
                """
            let (status, answer) = try await ask("/transfers/arrivals", arrival)
            #expect(status == 200 && answer["outcome"] == "done")
            let arrived = try await store.account(account.id)
            #expect(arrived?.apple?.person.user == "new")
            #expect(arrived?.email?.isPrivateRelay == true)
            let (_, end) = try await ask("/transfers?after=\(account.id)", nil)
            #expect(end["people"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test func listsAndRunsAreWrittenDown() async throws {
        try await withRoutes { ask, store in
            _ = try await ask("/transfers", nil)
            for kind in ["export", "import"] {
                let run = #"{"kind":"\#(kind)","team":"OTHERTEAM1","count":120}"#
                let (status, _) = try await ask("/transfers/runs", run)
                #expect(status == 200)
            }
            let entries = try await store.auditEntries(AuditQuery())
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
    }

    @Test func wrongRequestsAreRefused() async throws {
        try await withRoutes { ask, _ in
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
                let (status, answer) = try await ask(path, body)
                #expect((400...422).contains(status), "\(path) \(body)")
                #expect(answer["hint"]?.stringValue?.isEmpty == false)
            }
            let (status, _) = try await ask("/transfers?after=\(long)", nil)
            #expect(status == 422)
        }
    }
}
