import AccountStoreConformance
import Accounts
import AccountsSQLite
import AccountsServer
import AppleIdentity
import Foundation
import HTTPTypes
import ServerTestSupport
import SignInWithApple
import Testing

/// The routes of the administration socket, and invalid requests to them.
@Suite(AdministrationPort.lending) struct AdministrationRouteTests {
    private let port: AdministrationPort
    init() throws { port = try AdministrationPort.lent }

    @Test func accountIsListedShownAndDeleted() async throws {
        let sample = SampleSignIn(name: "Maya")
        let id = try await port.store.signIn(sample).signedIn.account.id
        let list = try await port.ask(.get, "/users?search=ma%79&limit=1")
        let listed = list.body["users"]?.arrayValue?.compactMap(\.objectValue)
        #expect(listed?.map { $0["id"]?.stringValue } == [id.rawValue])
        #expect(list.body["next"]?.isNull == true)
        let shown = try await port.ask(.get, "/users/\(id)")
        #expect(shown.body["name"] == "Maya")
        #expect(shown.body["sessions"]?.arrayValue?.count == 1)
        let deleted = try await port.ask(.delete, "/users/\(id)")
        #expect(deleted.status == 200 && deleted.body["revocations"] == 0)
        #expect(deleted.body["mail"] == "unavailable")
        #expect(port.log.text.contains("account deleted"))
        #expect(port.log.text.contains("Eve") && !port.log.text.contains("\u{7}"))
    }

    @Test func sessionsEnd() async throws {
        let samples = [SampleSignIn(), SampleSignIn(), SampleSignIn()]
        for sample in samples { try await port.store.signIn(sample) }
        let id = try #require(
            try await port.store.session(tokenHash: samples[0].token.hash, now: samples[0].now)
        )
        .account.id
        let path = "/users/\(id)/sessions"
        let one = try await port.ask(.delete, "\(path)/\(samples[0].session)")
        #expect(one.body["ended"] == 1)
        #expect(try await port.ask(.delete, "\(path)/\(samples[0].session)").status == 404)
        #expect(try await port.ask(.delete, path).body["ended"] == 2)
    }

    @Test func databaseIsCopiedAndSealedAgain() async throws {
        try await port.store.signIn(SampleSignIn())
        let copy = port.folder.appending(path: "copy.sqlite").path()
        let order = "{\"file\": \"\(copy)\"}"
        #expect(try await port.ask(.post, "/database/backup", order).body["accounts"] == 1)
        let refused = try await port.ask(.post, "/database/backup", order).body["problem"]
        #expect(refused?.objectValue?["detail"]?.stringValue?.contains("exists already") == true)
        let replaced = try await port.ask(
            .post,
            "/database/backup",
            "{\"file\": \"\(copy)\", \"replaces\": true}"
        )
        #expect(replaced.body["accounts"] == 1)
        #expect(port.log.text.contains("database copied"))
        let step = try await port.ask(.post, "/database/reseal", "{}")
        #expect(step.body["resealed"] == 0 && step.body["next"]?.isNull == true)
    }

    @Test func tokenKeysAreListedAndRotated() async throws {
        func states(_ answer: (status: Int, body: JSONObject)) -> [String?] {
            let keys = answer.body["keys"]?.arrayValue?.compactMap(\.objectValue) ?? []
            return keys.map { $0["state"]?.stringValue }.sorted { ($0 ?? "") < ($1 ?? "") }
        }
        #expect(states(try await port.ask(.get, "/keys")) == [])
        #expect(states(try await port.ask(.post, "/keys/rotate", "{}")) == ["signs"])
        #expect(states(try await port.ask(.post, "/keys/rotate", "{}")) == ["signs", "waits"])
        let refused = try await port.ask(.post, "/keys/rotate", "{}")
        #expect(refused.status == 409 && refused.body["code"] == "rotation_waiting")
        #expect(refused.body["hint"]?.stringValue?.contains("--immediately") == true)
        for wrong in [#"{"immediately": 1}"#, #"{"now": true}"#] {
            #expect(try await (400...422).contains(port.ask(.post, "/keys/rotate", wrong).status))
        }
        let leaked = try await port.ask(.post, "/keys/rotate", #"{"immediately": true}"#)
        #expect(states(leaked) == ["signs"])
        #expect(states(try await port.ask(.get, "/keys")) == ["signs"])
    }

    @Test func accountIsFoundByWhatNamesIt() async throws {
        let sample = SampleSignIn(name: "Maya", email: .apple("maya@example.com"))
        let id = try await port.store.signIn(sample).signedIn.account.id
        for (text, match) in [("Maya%40example.com", "exact"), ("may", "nameStart")] {
            let (_, found) = try await port.ask(.get, "/users?named=\(text)")
            #expect(found["match"]?.stringValue == match)
            let users = found["users"]?.arrayValue?.compactMap(\.objectValue)
            #expect(users?.map { $0["id"]?.stringValue } == [id.rawValue])
        }
    }

    @Test func keysThatTheServerLacksAreRefused() async throws {
        let other = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1")).fingerprints
        let order = "{\"sealingKeys\": [\"\(other[0])\"]}"
        try await port.store.signIn(SampleSignIn(refreshToken: "lost.AAAA"))
        for path in ["/keys/rotate", "/database/reseal"] {
            let differing = try await port.ask(.post, path, order)
            #expect(differing.status == 409 && differing.body["code"] == "sealing_keys_differ")
            let refused = try await port.ask(.post, path, "{}")
            #expect(refused.status == 409 && refused.body["code"] == "secrets_undecryptable")
            #expect(refused.body["detail"]?.stringValue?.contains("lost: 1 secret") == true)
            let unknown = try await port.ask(.post, path, #"{"abandon": ["lost", "lsot"]}"#)
            #expect(unknown.status == 409 && unknown.body["code"] == "sealing_key_unused")
            #expect(unknown.body["detail"]?.stringValue?.contains("lsot") == true)
            #expect(unknown.body["hint"]?.stringValue?.contains("lost: 1 secret") == true)
            for wrong in [
                #"{"abandon": "lost"}"#, #"{"sealingKeys": [1]}"#,
                "{\"abandon\": [\"\(String(repeating: "k", count: 33))\"]}",
            ] {
                let answer = try await port.ask(.post, path, wrong)
                #expect((400...422).contains(answer.status) && answer.status != 409)
            }
        }
        let abandoning = #"{"abandon": ["lost"]}"#
        let rotated = try await port.ask(.post, "/keys/rotate", abandoning)
        #expect(rotated.status == 200 && rotated.body["lostTokens"] == 1)
        #expect(rotated.body["lostSecrets"] == 1)
        let step = try await port.ask(.post, "/database/reseal", abandoning)
        #expect(step.body["lostTokens"] == 1 && step.body["unopened"] == 0)
        #expect(step.body["key"] == "k1")
        let again = try await port.ask(.post, "/database/reseal", "{}")
        #expect(again.body["current"] == 1 && again.body["lostTokens"] == 0)
    }

    @Test func auditLogIsListed() async throws {
        let id = try await port.store.signIn(SampleSignIn()).signedIn.account.id
        #expect(try await port.ask(.get, "/users/\(id)").status == 200)
        #expect(try await port.ask(.delete, "/users/nobody").status == 404)
        let list = try await port.ask(.get, "/audit?limit=2")
        let entries = list.body["entries"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(entries.count == 2 && list.body["next"] == entries.last?["id"])
        #expect(entries.allSatisfy { $0["administrator"] == "Eve" })
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let times = entries.compactMap { try? Date($0["at"]?.stringValue ?? "", strategy: style) }
        #expect(times.count == 2)
        let own = try await port.ask(.get, "/audit?account=\(id)")
        // Entries of one moment have no order.
        let actions = own.body["entries"]?.arrayValue?.map { $0.objectValue?["action"] }
        #expect(actions?.contains("account_viewed") == true)
        let filter = "/audit?actor=administrator&reads=false"
        let changes = try await port.ask(.get, filter).body["entries"]?.arrayValue
        #expect(changes?.map { $0.objectValue?["action"] } == ["administration_refused"])
        let later = try await port.ask(.get, "/audit?since=2100-01-01")
        #expect(later.body["entries"]?.arrayValue?.isEmpty == true)
        let words = try await port.store.auditEntries(AuditQuery()).map(\.action)
        #expect(words.contains("administration_refused") && words.contains("audit_read"))
    }

    @Test(
        arguments: [
            (.get, "/audit?limit=0", nil, 422), (.get, "/audit?limit=1001", nil, 422),
            (.get, "/audit?since=yesterday", nil, 422), (.get, "/audit?since=2026-1-1", nil, 422),
            (.get, "/audit?account=" + String(repeating: "a", count: 129), nil, 422),
            (.get, "/users?limit=0", nil, 422), (.get, "/users?limit=1001", nil, 422),
            (.get, "/users?limit=x", nil, 422), (.get, "/users?since=x", nil, 422),
            (.get, "/users?after=nobody", nil, 422), (.get, "/audit?action=sign", nil, 422),
            (.get, "/audit?actor=root", nil, 422),
            (.get, "/users?search=" + String(repeating: "a", count: 201), nil, 422),
            (.get, "/users?named=" + String(repeating: "a", count: 201), nil, 422),
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
        let answer = try await port.ask(method, path, content)
        #expect(answer.status == status, "\(answer)")
        #expect(answer.body["hint"]?.stringValue?.isEmpty == false)
    }
}
