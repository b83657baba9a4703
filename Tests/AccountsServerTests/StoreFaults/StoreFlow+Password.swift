import Accounts
import AppleIdentity
import HTTPTypes
import HummingbirdTesting
import Testing

/// Passwords and emailed links.
extension StoreFlow {
    static let passwords = [
        StoreFlow("a new account with a password") { world in
            let fields: JSONObject = [
                "username": "maya", "password": .string(TestServer.password),
                "email": .string(FaultWorld.email),
            ]
            return Steps(doneCodes: ["username_taken"]) {
                try await world.server.postJSON("/api/accounts", fields)
            } check: {
                expectSame(try await world.server.signIn("maya").status, .created)
                expectSame(try await world.mails(), [.verification])
            }
        },
        StoreFlow("a new account on the page for it") { world in
            let browser = TestBrowser(world.server)
            return Steps(doneCodes: ["username_taken"]) {
                try await browser.post("/create-account", PasswordPerson.fields)
            } check: {
                let answer = try await world.server.signIn("maya", PasswordPerson.password)
                #expect(answer.status == .created)
            }
        },
        StoreFlow("signing in with a password") { world in
            let token = try await world.server.tokenOfNewAccount()
            return Steps {
                try await world.server.signIn("maya")
            } check: {
                expectSame(try await world.server.account(token)["username"], "maya")
            }
        },
        StoreFlow("signing in with a password in a browser") { world in
            _ = try await world.server.tokenOfNewAccount()
            let browser = TestBrowser(world.server)
            return Steps {
                try await browser.signIn(password: TestServer.password)
            } check: {
                expectSame(try await browser.get("/").status, .ok)
            }
        },
        StoreFlow("a wrong password") { world in
            _ = try await world.server.tokenOfNewAccount()
            return Steps(code: "credentials_invalid") {
                try await world.server.signIn("maya", "wrong password")
            } check: {
                expectSame(try await world.count("sessions"), 1)
            }
        },
        StoreFlow("another password") { world in
            let token = try await world.provedAccount()
            let change: JSONObject = [
                "currentPassword": .string(TestServer.password),
                "newPassword": "battery staple",
            ]
            return Steps(doneCodes: ["credentials_invalid"]) {
                try await world.server.put("/api/account/password", change, token)
            } check: {
                expectSame(try await world.server.signIn("maya").code, "credentials_invalid")
                let answer = try await world.server.signIn("maya", "battery staple")
                #expect(answer.status == .created)
                expectSame(try await world.mails(), [.passwordChanged])
            }
        },
        StoreFlow("another password on the account page") { world in
            let browser = TestBrowser(world.server, session: try await world.provedAccount())
            let fields = [
                ("current_password", TestServer.password), ("new_password", "battery staple"),
            ]
            return Steps(doneCodes: ["credentials_invalid"]) {
                try await browser.post("/account/password", fields)
            } check: {
                let answer = try await world.server.signIn("maya", "battery staple")
                #expect(answer.status == .created)
                expectSame(try await world.mails(), [.passwordChanged])
            }
        },
        StoreFlow("a first password beside Apple") { world in
            let token = try await world.server.token()
            let change: JSONObject = ["username": "maya", "newPassword": "battery staple"]
            return Steps(doneCodes: ["credentials_invalid"]) {
                try await world.server.put("/api/account/password", change, token)
            } check: {
                let answer = try await world.server.signIn("maya", "battery staple")
                #expect(answer.status == .created)
                expectSame(try await world.count("accounts"), 1)
            }
        },
    ]

    static let mails = [
        StoreFlow("asking for a link to another password") { world in
            _ = try await world.provedAccount()
            return Steps {
                try await world.server.postJSON("/api/password-resets", ["username": "maya"])
            } check: {
                expectSame(Set(try await world.mails()), [.passwordReset])
            }
        },
        StoreFlow("asking for it on the page") { world in
            _ = try await world.provedAccount()
            let browser = TestBrowser(world.server)
            return Steps {
                try await browser.post("/forgot-password", [("username", "maya")])
            } check: {
                expectSame(Set(try await world.mails()), [.passwordReset])
            }
        },
        StoreFlow("another password by the link") { world in
            let link = try await world.resetLink()
            return Steps(doneCodes: ["link_invalid"]) {
                try await world.server.postJSON(
                    "/api/password-resets/redeem",
                    ["token": .string(link), "newPassword": "battery staple"]
                )
            } check: {
                try await world.checkReset()
            }
        },
        StoreFlow("another password on the page behind the link") { world in
            let link = try await world.resetLink()
            let browser = TestBrowser(world.server)
            return Steps(doneCodes: ["link_invalid"]) {
                let fields = [("token", link), ("new_password", "battery staple")]
                return try await browser.post("/reset-password", fields)
            } check: {
                try await world.checkReset()
            }
        },
        StoreFlow("another address") { world in
            let token = try await world.server.tokenOfNewAccount()
            return Steps {
                let email: JSONObject = ["email": .string(FaultWorld.email)]
                return try await world.server.put("/api/account/email", email, token)
            } check: {
                expectSame(
                    try await world.server.account(token)["email"],
                    .string(FaultWorld.email)
                )
                expectSame(Set(try await world.mails()), [.verification])
            }
        },
        StoreFlow("another address on the account page") { world in
            let token = try await world.server.tokenOfNewAccount()
            let browser = TestBrowser(world.server, session: token)
            return Steps {
                try await browser.post("/account/email", [("email", FaultWorld.email)])
            } check: {
                expectSame(Set(try await world.mails()), [.verification])
            }
        },
        StoreFlow("the proof of an address") { world in
            let (token, link) = try await world.unprovedAccount()
            return Steps(doneCodes: ["link_invalid"]) {
                try await world.server.prove(by: link, token)
            } check: {
                expectSame(try await world.server.account(token)["emailIsVerified"], true)
            }
        },
        StoreFlow("the proof of an address on its page, by who is signed in") { world in
            let (token, link) = try await world.unprovedAccount()
            let browser = TestBrowser(world.server, session: token)
            return Steps(doneCodes: ["link_invalid"]) {
                try await browser.post("/verify-email", [("token", link)])
            } check: {
                expectSame(try await world.server.account(token)["emailIsVerified"], true)
            }
        },
    ]
}

extension FaultWorld {
    /// The kinds of the queued emails, sorted by name.
    func mails() async throws -> [MailOrder.Kind] {
        try await server.mailOrders().map(\.kind).sorted { $0.rawValue < $1.rawValue }
    }

    /// An account with an unconfirmed address, by the session's token and the link.
    func unprovedAccount() async throws -> (token: String, link: String) {
        let answer = try await server.postJSON(
            "/api/accounts",
            [
                "username": "maya", "password": .string(TestServer.password),
                "email": .string(Self.email),
            ]
        )
        let token = try #require(answer.json?["token"]?.stringValue, "\(answer.text)")
        return (token, try await server.linkToken(.verification))
    }

    /// An account with a confirmed address whose email has been delivered, by the session's token.
    func provedAccount() async throws -> String {
        let (token, link) = try await unprovedAccount()
        let answer = try await server.prove(by: link, token)
        try #require(answer.status == .ok, "\(answer.text)")
        await worker.drain()
        return token
    }

    /// The link that resets the password of such an account.
    fileprivate func resetLink() async throws -> String {
        _ = try await provedAccount()
        _ = try await server.postJSON("/api/password-resets", ["username": "maya"])
        let link = try await server.linkToken(.passwordReset)
        await worker.drain()
        return link
    }

    fileprivate func checkReset() async throws {
        #expect(try await server.signIn("maya").code == "credentials_invalid")
        #expect(try await server.signIn("maya", "battery staple").status == .created)
        #expect(try await mails().count { $0 == .passwordChanged } == 1)
    }
}
