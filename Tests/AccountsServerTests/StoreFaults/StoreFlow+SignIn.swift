import Accounts
import AccountsSQLite
import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import GRDB
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

/// Signing in with Apple, in an app and in a browser.
extension StoreFlow {
    static let signIns = [
        StoreFlow("first sign-in of an app") { world in
            try await world.nativeSignIn { try await world.checkMayaIsKept() }
        },
        StoreFlow("sign-in of an app by somebody who is known") { world in
            _ = try await world.server.token()
            return try await world.nativeSignIn { try await world.checkMayaIsKept(named: nil) }
        },
        StoreFlow("sign-in of an app without a code") { world in
            let credential = try await world.apple.credentials()
            let signIn: JSONObject = ["identityToken": .string(credential.identityToken)]
            return Steps(doneCodes: ["token_replayed"]) {
                try await world.server.postJSON("/api/sessions/apple", signIn)
            } check: {
                expectSame(try await world.count("accounts"), 1)
            }
        },
        StoreFlow("sign-in of an app that was used already") { world in
            let credential = try await world.apple.credentials()
            _ = try await world.server.signInNatively(credential)
            return Steps(code: "token_replayed") {
                try await world.server.signInNatively(credential)
            } check: {
                expectSame(try await world.count("sessions"), 1)
            }
        },
        StoreFlow("sign-in of an app while the revocation of the deleted account waits") {
            world in
            let token = try await world.server.token()
            _ = try await world.server.delete("/api/account", token)
            return try await world.nativeSignIn {
                world.apple.time.advance(bySeconds: 200)
                await world.worker.drain()
                expectSame(try await world.appleState(), "authorized")
                try await world.checkMayaIsKept(named: nil)
            }
        },
        StoreFlow("first sign-in in a browser") { world in
            try await world.webSignIn(TestBrowser(world.server))
        },
        StoreFlow("sign-in in a browser that has a session") { world in
            let browser = TestBrowser(world.server)
            try await browser.signIn(hidesEmail: true, name: FaultWorld.name)
            return try await world.webSignIn(browser)
        },
        StoreFlow("a browser's proof of who is signed in") { world in
            let browser = TestBrowser(world.server)
            try await browser.signIn(hidesEmail: true, name: FaultWorld.name)
            return try await world.webSignIn(
                browser,
                goal: "?purpose=confirm",
                // The session whose response was lost has replaced the session of the request.
                doneCodes: ["session_invalid"]
            )
        },
    ]
}

extension FaultWorld {
    fileprivate func nativeSignIn(
        check: @escaping @Sendable () async throws -> Void
    ) async throws -> StoreFlow.Steps {
        let credential = try await apple.credentials(hidesEmail: true, name: Self.name)
        var request: JSONObject = credential.request
        if credential.fullName != nil {
            request["fullName"] = ["givenName": "Maya", "familyName": "Ek"]
        }
        let sent = request
        return StoreFlow.Steps(
            doneCodes: ["token_replayed"],
            act: { refused in
                var request = sent
                request["resumeToken"] = refused?.json?["resumeToken"]
                return try await server.postJSON("/api/sessions/apple", request)
            },
            check: check
        )
    }

    fileprivate func webSignIn(
        _ browser: TestBrowser,
        goal: String = "",
        doneCodes: Set<String> = ["token_replayed"]
    ) async throws -> StoreFlow.Steps {
        let callback = try await browser.callback(hidesEmail: true, name: Self.name, goal: goal)
        return StoreFlow.Steps(
            doneCodes: doneCodes,
            act: { refused in
                guard let refused else { return try await browser.post(callback) }
                let fields = RepeatForm.fields(of: refused.text)
                return try await browser.post("/sign-in/apple/callback/again", fields)
            },
            check: { try await checkMayaIsKept() }
        )
    }

    /// Expects that Maya's name was kept, and that a deletion can still revoke at Apple.
    func checkMayaIsKept(named name: String? = "Maya Ek") async throws {
        #expect(try await count("accounts") == 1)
        // Without a code, the token to revoke must be stored before.
        let credential = try await apple.credentials()
        let answer = try await server.signIn(identityToken: credential.identityToken)
        let token = try #require(answer.json?["token"]?.stringValue, "\(answer.text)")
        let account = answer.json?["account"]?.objectValue
        if let name { #expect(account?["name"]?.stringValue == name) }
        try await checkDeletion(by: token)
    }

    /// Deletes the account and expects the revocation at Apple.
    func checkDeletion(by token: String) async throws {
        let deleted = try await server.delete("/api/account", token)
        #expect(deleted.status == .noContent, "\(deleted.text)")
        try await checkNothingIsLeft(of: token)
    }

    func checkNothingIsLeft(of token: String) async throws {
        let gone = try await server.get("/api/account", token)
        #expect(gone.code == "session_invalid")
        // Claims of an attempt whose end could not be stored have expired by then.
        apple.time.advance(bySeconds: 200)
        // The revocation waits for the last mail to a relay address.
        await worker.drain()
        await worker.drain()
        try await checkRevoked()
        #expect(try await count("accounts") == 0)
    }

    /// Expects that Apple has been notified, and that the outbox is empty.
    func checkRevoked() async throws {
        #expect(try await appleState() != "authorized")
        try await checkOutboxIsEmpty()
    }

    func checkOutboxIsEmpty() async throws {
        #expect(try await count("outbox") == 0)
    }

    /// The number of rows of a table.
    func count(_ table: String) async throws -> Int {
        try await server.count(table)
    }

    /// The first number that a statement returns.
    func number(_ sql: String) async throws -> Int {
        try await server.store.queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }
}
