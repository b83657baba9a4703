import AccountStoreConformance
import Accounts
import AccountsSQLite
import AccountsServer
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

/// The routes behind the administration's socket, and wrong requests to them.
@Suite struct AdministrationRouteTests {
    /// One request, and what its answer tells.
    private typealias Ask =
        @Sendable (
            HTTPRequest.Method, String, String?
        ) async throws -> (status: Int, body: JSONObject)

    private func withRoutes(
        _ body: @escaping @Sendable (Ask, SQLiteAccountStore, LogRecorder, URL) async throws -> Void
    ) async throws {
        let folder = try makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteAccountStore(path: folder.appending(path: "siwa.sqlite").path())
        let log = LogRecorder()
        let accounts = AccountsService(
            store: store,
            sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1")),
            time: ManualTime(now: SampleSignIn.start).source,
            logger: log.logger
        )
        let routes = AdministrationRoutes(accounts: accounts, time: .live)
        try await Application(router: routes.router()).test(.router) { client in
            try await body(
                { method, path, content in
                    var headers: HTTPFields = [.contentType: "application/json"]
                    headers[try #require(HTTPField.Name("Administrator"))] = "Eve\u{7}"
                    let response = try await client.executeRequest(
                        uri: path,
                        method: method,
                        headers: headers,
                        body: content.map { ByteBuffer(string: $0) }
                    )
                    let lines = String(buffer: response.body).split(separator: "\n")
                    let last = try JSONObject(parsing: Data((lines.last ?? "{}").utf8))
                    return (response.status.code, last)
                },
                store,
                log,
                folder
            )
        }
    }

    @Test func accountIsListedShownAndDeleted() async throws {
        try await withRoutes { ask, store, log, _ in
            var sample = SampleSignIn()
            sample.name = "Maya"
            let id = try await store.signIn(sample).signedIn.account.id
            let list = try await ask(.get, "/users?search=ma%79&limit=1", nil)
            let listed = list.body["users"]?.arrayValue?.compactMap(\.objectValue)
            #expect(listed?.map { $0["id"]?.stringValue } == [id.rawValue])
            #expect(list.body["next"]?.isNull == true)
            let shown = try await ask(.get, "/users/\(id)", nil)
            #expect(shown.body["name"] == "Maya")
            #expect(shown.body["sessions"]?.arrayValue?.count == 1)
            let deleted = try await ask(.delete, "/users/\(id)", nil)
            #expect(deleted.status == 200 && deleted.body["revocations"] == 0)
            #expect(deleted.body["mail"] == "unavailable")
            #expect(log.text.contains("account deleted"))
            #expect(log.text.contains("Eve") && !log.text.contains("\u{7}"))
        }
    }

    @Test func sessionsEnd() async throws {
        try await withRoutes { ask, store, _, _ in
            let samples = [SampleSignIn(), SampleSignIn(), SampleSignIn()]
            for sample in samples { try await store.signIn(sample) }
            let id = try #require(
                try await store.session(tokenHash: samples[0].token.hash, now: samples[0].now)
            )
            .account.id
            let path = "/users/\(id)/sessions"
            let one = try await ask(.delete, "\(path)/\(samples[0].session)", nil)
            #expect(one.body["ended"] == 1)
            #expect(try await ask(.delete, "\(path)/\(samples[0].session)", nil).status == 404)
            #expect(try await ask(.delete, path, nil).body["ended"] == 2)
        }
    }

    @Test func databaseIsCopiedAndSealedAgain() async throws {
        try await withRoutes { ask, store, log, folder in
            try await store.signIn(SampleSignIn())
            let copy = folder.appending(path: "copy.sqlite").path()
            let order = "{\"file\": \"\(copy)\"}"
            #expect(try await ask(.post, "/database/backup", order).body["accounts"] == 1)
            let refused = try await ask(.post, "/database/backup", order).body["problem"]
            #expect(
                refused?.objectValue?["detail"]?.stringValue?.contains("exists already") == true
            )
            let replaced = try await ask(
                .post,
                "/database/backup",
                "{\"file\": \"\(copy)\", \"replaces\": true}"
            )
            #expect(replaced.body["accounts"] == 1)
            #expect(log.text.contains("database copied"))
            let step = try await ask(.post, "/database/reseal", "{}")
            #expect(step.body["resealed"] == 0 && step.body["next"]?.isNull == true)
        }
    }

    @Test func auditLogIsListed() async throws {
        try await withRoutes { ask, store, _, _ in
            let id = try await store.signIn(SampleSignIn()).signedIn.account.id
            #expect(try await ask(.get, "/users/\(id)", nil).status == 200)
            #expect(try await ask(.delete, "/users/nobody", nil).status == 404)
            let list = try await ask(.get, "/audit?limit=2", nil)
            let entries = list.body["entries"]?.arrayValue?.compactMap(\.objectValue) ?? []
            #expect(entries.count == 2 && list.body["next"] == entries.last?["id"])
            #expect(entries.allSatisfy { $0["administrator"] == "Eve" })
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let times = entries.compactMap {
                try? Date($0["at"]?.stringValue ?? "", strategy: style)
            }
            #expect(times.count == 2)
            let own = try await ask(.get, "/audit?account=\(id)", nil)
            // Those of one moment have no order.
            let actions = own.body["entries"]?.arrayValue?.map { $0.objectValue?["action"] }
            #expect(actions?.contains("account_viewed") == true)
            let later = try await ask(.get, "/audit?since=2100-01-01", nil)
            #expect(later.body["entries"]?.arrayValue?.isEmpty == true)
            let words = try await store.auditEntries(AuditQuery()).map(\.action)
            #expect(words.contains("administration_refused") && words.contains("audit_read"))
        }
    }

    @Test(
        arguments: [
            (.get, "/audit?limit=0", nil, 422), (.get, "/audit?limit=1001", nil, 422),
            (.get, "/audit?since=yesterday", nil, 422), (.get, "/audit?since=2026-1-1", nil, 422),
            (.get, "/audit?account=" + String(repeating: "a", count: 129), nil, 422),
            (.get, "/users?limit=0", nil, 422), (.get, "/users?limit=1001", nil, 422),
            (.get, "/users?limit=x", nil, 422),
            (.get, "/users?search=" + String(repeating: "a", count: 201), nil, 422),
            (.get, "/users/nobody", nil, 404), (.delete, "/users/nobody", nil, 404),
            (.get, "/users/" + String(repeating: "a", count: 129), nil, 404),
            (.get, "/users/%FF", nil, 404), (.delete, "/users/nobody/sessions", nil, 404),
            (.delete, "/users/nobody/sessions/none", nil, 404), (.get, "/other", nil, 404),
            (.post, "/database/reseal", "{\"after\": \"somewhere\"}", 422),
            (.post, "/database/reseal", "{\"from\": \"entry/1\"}", 400),
            (.post, "/database/reseal", "[]", 400), (.post, "/database/backup", "{}", 422),
            (.post, "/database/backup", "{\"file\": 1}", 422),
            (.post, "/database/backup", String(repeating: " ", count: 17_000), 413),
        ] as [(HTTPRequest.Method, String, String?, Int)]
    )
    func wrongRequestIsRefusedWithAHint(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ content: String?,
        _ status: Int
    ) async throws {
        try await withRoutes { ask, _, _, _ in
            let answer = try await ask(method, path, content)
            #expect(answer.status == status, "\(answer)")
            #expect(answer.body["hint"]?.stringValue?.isEmpty == false)
        }
    }
}
