import Accounts
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite(TestServer.lending) struct AccountInterfaceTests {
    private let server: TestServer
    init() throws { server = try TestServer.lending.lent.0 }

    private let path = "/api/account"

    @Test func tokenIsTakenFromItsFieldAlone() async throws {
        let token = try await server.token()
        #expect(try await server.get(path, token).status == .ok)
        let query = try await server.send(.get, "\(path)?access_token=\(token)")
        expectRefusal(query, .unauthorized, "not_signed_in")
        #expect(query.headers[.wwwAuthenticate] == "Bearer realm=\"accounts\"")
        let wrong = try await server.send(.get, path, .bearer("nonsense"))
        expectRefusal(wrong, .unauthorized, "session_invalid")
        #expect(wrong.headers[.wwwAuthenticate]?.hasPrefix("Bearer ") == true)
        let basic = try await server.send(.get, path, [.authorization: "Basic YTpi"])
        #expect(basic.status == .unauthorized)
    }

    @Test func nameChangesAndNothingElseDoes() async throws {
        let headers = HTTPFields.bearer(try await server.token()) + .json
        let changed = try await server.send(.patch, path, headers, body: #"{"name":"Maya 🍊"}"#)
        #expect(changed.json?["name"] == "Maya 🍊")
        for (body, status, code) in [
            (#"{"email":"a@b.c"}"#, 400, "field_unknown"), ("{}", 422, "field_missing"),
            (#"{"name":"a","name":"b"}"#, 400, "json_unreadable"),
            (#"{"name":1}"#, 422, "field_invalid"), (#"{"name":"\u0007"}"#, 422, "name_empty"),
            (#"{"name":"\#(String(repeating: "a", count: 201))"}"#, 422, "name_too_long"),
        ] {
            let refused = try await server.send(.patch, path, headers, body: body)
            #expect(refused.status.code == status)
            #expect(refused.code == code)
        }
        let removed = try await server.send(.patch, path, headers, body: #"{"name":null}"#)
        #expect(removed.json?["name"] == .null)
    }

    @Test func nameChangesWholeOrInItsParts() async throws {
        let headers = HTTPFields.bearer(try await server.token()) + .json
        func names(after body: String) async throws -> [String?] {
            let answer = try await server.send(.patch, path, headers, body: body)
            #expect(answer.status == .ok, "\(answer.text)")
            let shown = try await server.send(.get, path, headers).json
            return ["name", "givenName", "familyName"].map { shown?[$0]?.stringValue }
        }
        let both = #"{"givenName":"건규","familyName":"박"}"#
        #expect(try await names(after: both) == ["박건규", "건규", "박"])
        let one = #"{"givenName":"Geon-gyu"}"#
        #expect(try await names(after: one) == ["Geon-gyu 박", "Geon-gyu", "박"])
        let without = #"{"familyName":null}"#
        #expect(try await names(after: without) == ["Geon-gyu", "Geon-gyu", nil])
        #expect(try await names(after: #"{"name":"Geon-gyu"}"#) == ["Geon-gyu", nil, nil])
        #expect(try await names(after: both) == ["박건규", "건규", "박"])
        let none = #"{"givenName":null,"familyName":null}"#
        #expect(try await names(after: none) == [nil, nil, nil])
        let part = String(repeating: "a", count: 101)
        for (body, code) in [
            (#"{"name":"a","givenName":"b"}"#, "field_invalid"),
            (#"{"name":null,"familyName":"b"}"#, "field_invalid"),
            (#"{"givenName":" ","familyName":"\u200B"}"#, "name_empty"),
            (#"{"givenName":"\#(part)","familyName":"\#(part)"}"#, "name_too_long"),
        ] {
            let refused = try await server.send(.patch, path, headers, body: body)
            #expect(refused.status == .unprocessableContent && refused.code == code)
        }
    }

    @Test func changesOfBothPartsAtOnceLoseNothing() async throws {
        let (server, path) = (server, path)
        let headers = HTTPFields.bearer(try await server.token()) + .json
        for round in 0..<20 {
            let bodies = [
                #"{"givenName":"Maya \#(round)"}"#, #"{"familyName":"Lindgren \#(round)"}"#,
            ]
            try await withThrowingTaskGroup { group in
                for body in bodies {
                    group.addTask {
                        let answer = try await server.send(.patch, path, headers, body: body)
                        #expect(answer.status == .ok, "\(answer.text)")
                    }
                }
                try await group.waitForAll()
            }
            let name = try await server.send(.get, path, headers).json?["name"]?.stringValue
            #expect(name == "Maya \(round) Lindgren \(round)")
        }
    }

    @Test func linkThatADeletionCannotEndIsTold() async throws {
        try await withPasswordServer { server in
            let credential = try await server.apple.credentials()
            let answer = try await server.signIn(identityToken: credential.identityToken)
            let token = try #require(answer.json?["token"]?.stringValue, "\(answer.text)")
            #expect(try await server.account(token)["appleLinkRemains"] == true)
            let page = try await server.page("/account/delete", token)
            #expect(page.text.contains("Sign in with Apple”"))
            #expect(!page.text.contains("is removed from the apps"))
            #expect(try await server.delete(path, token).status == .noContent)
            let last = try await server.mailOrders().last
            #expect(last?.kind == .accountDeleted && last?.appleLinkRemains == true)
            let coded = try await server.token()
            #expect(try await server.account(coded)["appleLinkRemains"] == false)
        }
    }

    @Test func unverifiedAddressIsToldAndGetsNoMail() async throws {
        let headers = HTTPFields.bearer(try await server.token())
        let verified = try await server.send(.get, path, headers)
        #expect(verified.json?["emailIsVerified"] == true)
        #expect(verified.json?["emailDeliverable"] == true)
        let vera: JSONObject = ["email": "vera@example.com", "email_verified": false]
        _ = try await server.apple.emulator.add(.person, vera)
        let credential = try await server.apple.credentials(for: "vera@example.com")
        let signedIn = try await server.signInNatively(credential)
        let token = try #require(signedIn.json?["token"]?.stringValue)
        let unverified = try await server.get(path, token)
        #expect(unverified.json?["emailIsVerified"] == false)
        #expect(unverified.json?["emailDeliverable"] == false)
        let page = try await server.page("/", token)
        #expect(page.text.contains("Apple has not verified this address"))
        #expect(!page.text.contains("forwarding is turned off"))
    }

    @Test func invisibleCharactersDoNotStayInAName() async throws {
        let headers = HTTPFields.bearer(try await server.token()) + .json
        for (body, name) in [
            (#"{"name":"\u202EayaM\u202C"}"#, "ayaM"), (#"{"name":"M\u2066a\u2069"}"#, "Ma"),
        ] {
            let changed = try await server.send(.patch, path, headers, body: body)
            #expect(changed.json?["name"]?.stringValue == name)
        }
        let empty = #"{"name":"\u200B\u202E"}"#
        let refused = try await server.send(.patch, path, headers, body: empty)
        #expect(refused.code == "name_empty")
    }

    @Test func deletionNeedsAFreshSignInAndEndsAllSessions() async throws {
        let old = try await server.token()
        server.apple.time.advance(bySeconds: 601)
        expectRefusal(try await server.delete(path, old), .forbidden, "recent_sign_in_required")
        let fresh = try await server.token()
        #expect(try await server.delete(path, fresh).status == .noContent)
        for token in [old, fresh] {
            #expect(try await server.get(path, token).status == .unauthorized)
        }
    }

    @Test func sessionsAreListedAndEnded() async throws {
        let first = try await server.token()
        let second = try await server.token()
        let list = try await server.get("/api/sessions", first)
        let sessions = try #require(list.json?["sessions"]?.arrayValue?.map(\.objectValue))
        #expect(sessions.count == 2)
        let other = try #require(sessions.first { $0?["current"] == false } ?? nil)
        let id = try #require(other["id"]?.stringValue)
        let ended = try await server.delete("/api/sessions/\(id)", first)
        #expect(ended.status == .noContent)
        #expect(try await server.get(path, second).code == "session_invalid")
        let again = try await server.delete("/api/sessions/\(id)", first)
        expectRefusal(again, .notFound, "session_not_found")
        let current = try await server.delete("/api/sessions/current", first)
        #expect(current.status == .noContent)
        #expect(try await server.get(path, first).code == "session_invalid")
    }

    @Test func endingAllOthersKeepsTheOneThatAsks() async throws {
        let first = try await server.token()
        let second = try await server.token()
        let ended = try await server.delete("/api/sessions", first)
        #expect(ended.status == .noContent)
        #expect(try await server.get(path, first).status == .ok)
        #expect(try await server.get(path, second).status.code == 401)
    }

    @Test func nobodyReachesSomeoneElsesSession() async throws {
        let maya = try await server.token()
        let noah = try await server.token(of: "noah@example.com")
        let list = try await server.get("/api/sessions", noah)
        let id = list.json?["sessions"]?.arrayValue?.first?.objectValue?["id"]?.stringValue
        let refused = try await server.delete("/api/sessions/\(try #require(id))", maya)
        #expect(refused.status == .notFound)
        #expect(try await server.get(path, noah).status == .ok)
    }
}

extension HTTPFields {
    static func + (first: HTTPFields, second: HTTPFields) -> HTTPFields {
        var all = first
        all.append(contentsOf: second)
        return all
    }
}
