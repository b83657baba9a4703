import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

/// The actions of users on their sessions and accounts.
extension StoreFlow {
    static let sessions = [
        reading("the account of a session", "/api/account"),
        reading("the list of sessions", "/api/sessions"),
        reading("the export of the data", "/api/account/export"),
        reading("the state at Apple", "/api/account/apple/credential-state"),
        StoreFlow("an access token") { world in
            let token = try await world.server.token()
            return Steps {
                try await world.server.token(for: "orders", token)
            } check: {
                expectSame(try await world.count("token_keys"), 1)
            }
        },
        StoreFlow("whether an access token is active") { world in
            let session = try await world.server.token()
            let made = try await world.server.token(for: "orders", session)
            let token = try #require(made.json?["accessToken"]?.stringValue)
            return Steps {
                try await world.server.introspect(token, FaultWorld.introspectionCredentials)
            }
        },
        StoreFlow("the account page") { world in
            let browser = TestBrowser(world.server)
            try await browser.signIn()
            return Steps {
                try await browser.get("/")
            }
        },
        StoreFlow("the end of another session") { world in
            let token = try await world.server.token()
            let other = try await world.server.token()
            let id = try await world.sessionID(of: other)
            return Steps(doneCodes: ["session_not_found"]) {
                try await world.server.delete("/api/sessions/\(id)", token)
            } check: {
                try await world.checkSessions(stays: token, ended: other)
            }
        },
        StoreFlow("the end of all other sessions") { world in
            let other = try await world.server.token()
            let token = try await world.server.token()
            return Steps {
                try await world.server.delete("/api/sessions", token)
            } check: {
                try await world.checkSessions(stays: token, ended: other)
            }
        },
        StoreFlow("signing out of an app") { world in
            let other = try await world.server.token()
            let token = try await world.server.token()
            return Steps(doneCodes: ["session_invalid"]) {
                try await world.server.delete("/api/sessions/current", token)
            } check: {
                try await world.checkSessions(stays: other, ended: token)
            }
        },
        StoreFlow("signing out of a browser") { world in
            let other = try await world.server.token()
            let browser = TestBrowser(world.server)
            try await browser.signIn()
            let token = try #require(browser.cookie { $0.contains("session") }?.value)
            return Steps {
                try await browser.post("/sign-out")
            } check: {
                try await world.checkSessions(stays: other, ended: token)
            }
        },
    ]

    static let accounts = [
        StoreFlow("another name") { world in
            let token = try await world.server.token()
            return Steps {
                let body = #"{"name": "Maya B."}"#
                return try await world.server.send(
                    .patch,
                    "/api/account",
                    .json + .bearer(token),
                    body: body
                )
            } check: {
                let name = try await world.server.account(token)["name"]
                #expect(name == "Maya B.")
            }
        },
        StoreFlow("the end of another session on the account page") { world in
            let other = try await world.server.token()
            let browser = TestBrowser(world.server)
            try await browser.signIn()
            let token = try #require(browser.cookie { $0.contains("session") }?.value)
            let id = try await world.sessionID(of: other)
            return Steps(doneCodes: ["session_not_found"]) {
                try await browser.post("/account/sessions/\(id)/end")
            } check: {
                try await world.checkSessions(stays: token, ended: other)
            }
        },
        StoreFlow("the deletion of the account by an app") { world in
            let token = try await world.server.token()
            return Steps(doneCodes: ["session_invalid"]) {
                try await world.server.delete("/api/account", token)
            } check: {
                try await world.checkNothingIsLeft(of: token)
            }
        },
        StoreFlow("the deletion of the account in a browser") { world in
            let browser = TestBrowser(world.server)
            try await browser.signIn()
            let token = try #require(browser.cookie { $0.contains("session") }?.value)
            return Steps {
                try await browser.post("/account/delete")
            } check: {
                try await world.checkNothingIsLeft(of: token)
            }
        },
    ]

    private static func reading(_ name: String, _ path: String) -> StoreFlow {
        StoreFlow(name) { world in
            let token = try await world.server.token()
            return Steps {
                try await world.server.get(path, token)
            }
        }
    }
}

extension FaultWorld {
    fileprivate func sessionID(of token: String) async throws -> String {
        let list = try await server.get("/api/sessions", token)
        let sessions = list.json?["sessions"]?.arrayValue?.compactMap(\.objectValue) ?? []
        return try #require(sessions.first { $0["current"] == true }?["id"]?.stringValue)
    }

    fileprivate func checkSessions(stays token: String, ended other: String) async throws {
        let kept = try await server.get("/api/account", token)
        #expect(kept.status == .ok)
        let gone = try await server.get("/api/account", other)
        #expect(gone.code == "session_invalid")
    }
}
