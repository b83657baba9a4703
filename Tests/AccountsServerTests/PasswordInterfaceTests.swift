import Accounts
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

@Suite("The API for passwords", TestServer.lendingWithMail) struct PasswordInterfaceTests {
    private let server: TestServer
    init() throws { server = try TestServer.lendingWithMail.lent.0 }

    @Test("creates an account and signs in, and never returns a password")
    func createAndSignIn() async throws {
        let made = try await server.postJSON(
            "/api/accounts",
            [
                "username": "Maya", "password": "correct horse", "name": "Maya L.",
                "email": "maya@example.com",
            ]
        )
        #expect(made.status == .created)
        let account = try #require(made.json?["account"]?.objectValue)
        #expect(account["username"] == "maya")
        #expect(account["name"] == "Maya L.")
        #expect(account["email"] == "maya@example.com")
        #expect(account["emailIsVerified"] == false)
        #expect(account["emailDeliverable"] == false)
        #expect(account["apple"] == .null)
        let signedIn = try await server.signIn(" MAYA ")
        #expect(signedIn.status == .created)
        #expect(signedIn.json?["account"]?.objectValue?["id"] == account["id"])
        #expect(signedIn.json?["token"] != made.json?["token"])
        for answer in [made, signedIn] {
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(!answer.text.contains("correct horse"))
            #expect(!answer.text.contains("scrypt"))
        }
        #expect(!server.log.text.contains("correct horse"))
    }

    @Test(
        "refuses a wrong username and a wrong password with the same response, and names the scheme"
    )
    func wrong() async throws {
        _ = try await server.tokenOfNewAccount()
        let answers = [
            try await server.signIn("maya", "wrong horse"), try await server.signIn("nobody"),
            try await server.signIn(""),
        ]
        for answer in answers {
            expectRefusal(answer, .unauthorized, "credentials_invalid")
            #expect(answer.headers[.wwwAuthenticate] == "Bearer realm=\"accounts\"")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.contentType] == "application/problem+json; charset=utf-8")
        }
        #expect(Set(answers.map(\.text)).count == 1)
    }

    @Test("says how long to wait after too many attempts, even with the right password")
    func tooMany() async throws {
        _ = try await server.tokenOfNewAccount()
        for _ in 0..<6 {
            let wrong = try await server.signIn("maya", "wrong horse")
            guard wrong.status == .tooManyRequests else { continue }
            #expect(wrong.code == "too_many_attempts")
            #expect(wrong.headers[.retryAfter] == "1")
        }
        let right = try await server.signIn("maya")
        #expect(right.status == .tooManyRequests)
        server.apple.time.advance(bySeconds: 1)
        #expect(try await server.signIn("maya").status == .created)
    }

    @Test("reports what is wrong with a new account")
    func refusedAccounts() async throws {
        _ = try await server.tokenOfNewAccount("taken")
        let long = String(repeating: "x", count: 129)
        for (username, password, status, code) in [
            ("taken", "correct horse", 409, "username_taken"),
            ("TAKEN", "correct horse", 409, "username_taken"),
            ("ma ya", "correct horse", 422, "username_invalid"),
            ("m", "correct horse", 422, "username_invalid"),
            ("аррӏе", "correct horse", 422, "username_invalid"),
            ("maya@", "correct horse", 422, "username_invalid"),
            (String(repeating: "x", count: 60_000), "correct horse", 422, "username_invalid"),
            ("maya", "1234567", 422, "password_too_short"),
            ("maya", long, 422, "password_too_long"),
            ("maya", "PASSWORD", 422, "password_too_common"),
            ("maya.lindgren", "Maya.lindgren", 422, "password_is_username"),
            ("maya.lindgren@example.com", "Maya.Lindgren", 422, "password_too_obvious"),
        ] {
            let answer = try await server.postJSON(
                "/api/accounts",
                ["username": .string(username), "password": .string(password)]
            )
            #expect(answer.status.code == status, "\(username.prefix(20)) \(answer.text)")
            #expect(answer.code == code)
            #expect(!answer.text.contains(password))
        }
        for (member, value, code) in [
            ("email", "maya", "email_invalid"),
            ("email", "maya@example.com\r\nBcc: a@example.com", "email_invalid"),
            ("name", String(repeating: "x", count: 201), "name_too_long"),
            ("name", "\u{202E}", "name_empty"),
        ] {
            var body: JSONObject = ["username": "maya", "password": "correct horse"]
            body[member] = .string(value)
            let answer = try await server.postJSON("/api/accounts", body)
            #expect(answer.status.code == 422 && answer.code == code)
        }
        #expect(try await server.signIn("maya").status == .unauthorized)
    }

    @Test(
        "refuses a request of another form, at every route",
        arguments: [
            ("POST", "/api/accounts", #""username":"maya","password":"correct horse""#),
            ("POST", "/api/sessions/password", #""username":"maya","password":"correct horse""#),
            (
                "PUT", "/api/account/password",
                #""currentPassword":"correct horse","newPassword":"battery staple""#
            ),
            ("PUT", "/api/account/email", #""email":"maya@example.com""#),
            ("POST", "/api/password-resets", #""username":"maya""#),
            ("POST", "/api/password-resets/redeem", #""token":"t","newPassword":"battery staple""#),
            ("POST", "/api/email-verifications/redeem", #""token":"t""#),
        ]
    )
    func forms(_ method: String, _ path: String, _ members: String) async throws {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let authorized = HTTPFields.bearer(try await server.tokenOfNewAccount("noah"))
        let first = try #require(members.split(separator: ":").first)
        let huge = #"{\#(first):"\#(String(repeating: "x", count: 70_000))"}"#
        for (body, status, code) in [
            ("{\(members),\"isAdmin\":true}", 400, "field_unknown"),
            ("{}", 422, "field_missing"),
            ("{\(first):null}", 422, "field_missing"), ("{\(first):7}", 422, "field_invalid"),
            ("{\(first):[\"maya\"]}", 422, "field_invalid"),
            ("{\(members),\(members)}", 400, "json_unreadable"),
            ("[]", 400, "json_unreadable"), ("", 400, "json_unreadable"),
            ("{\(members)", 400, "json_unreadable"),
            (huge, 413, "content_too_large"),
            (String(repeating: "[", count: 20_000), 400, "json_unreadable"),
        ] {
            let answer = try await server.send(method, path, authorized + .json, body: body)
            #expect(answer.status.code == status, "\(body.prefix(60)) \(answer.text)")
            #expect(answer.code == code, "\(body.prefix(60))")
            #expect(answer.headers[.cacheControl] == "no-store")
        }
        let form = try await server.send(
            method,
            path,
            authorized + [.contentType: "application/x-www-form-urlencoded"],
            body: "username=maya&password=correct+horse"
        )
        #expect(form.code == "content_type_unsupported")
        #expect(try await server.send(.get, path, authorized).status == .methodNotAllowed)
    }

    @Test(
        "requires a session at all other routes",
        arguments: [
            ("PUT", "/api/account/password"), ("PUT", "/api/account/email"),
            ("POST", "/api/email-verifications"), ("POST", "/api/email-verifications/redeem"),
            ("DELETE", "/api/email-verifications"), ("PUT", "/api/account/apple"),
            ("DELETE", "/api/account/apple"),
            ("GET", "/api/account/apple/credential-state"), ("GET", "/api/account/export"),
        ]
    )
    func notSignedIn(_ method: String, _ path: String) async throws {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let credential = try await server.apple.credentials()
        let body =
            method == .put && path.hasSuffix("apple")
            ? #"{"identityToken":"\#(credential.identityToken)"}"# : "{}"
        let nobody = try await server.send(method, path, .json, body: body)
        expectRefusal(nobody, .unauthorized, "not_signed_in")
        #expect(nobody.headers[.wwwAuthenticate] == "Bearer realm=\"accounts\"")
        let wrong = try await server.send(method, path, .json + .bearer("nonsense"), body: body)
        expectRefusal(wrong, .unauthorized, "session_invalid")
        #expect(wrong.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
    }

    @Test("accepts a change with a browser's cookie only from its own pages")
    func crossSite() async throws {
        let token = try await server.tokenOfNewAccount()
        let before = try await server.account(token)
        let cookie: HTTPFields = [.cookie: "__Host-siwa-session=\(token)"] + .json
        let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
        for (method, path, body) in [
            (
                HTTPRequest.Method.put, "/api/account/password",
                #"{"currentPassword":"correct horse","newPassword":"battery staple"}"#
            ),
            (.put, "/api/account/email", #"{"email":"mallory@example.com"}"#),
            (.post, "/api/email-verifications", "{}"),
            (.delete, "/api/email-verifications", ""), (.delete, "/api/account/apple", ""),
        ] {
            for headers: HTTPFields in [
                [site: "cross-site"], [site: "same-site"],
                [.origin: "https://evil.example.com"], [.origin: "null"],
            ] {
                let answer = try await server.send(method, path, cookie + headers, body: body)
                #expect(answer.status == .forbidden, "\(path)")
                #expect(answer.code == "cross_site_request")
            }
        }
        #expect(try await server.account(token) == before)
        #expect(try await server.signIn("maya").status == .created)
        let own = try await server.send(
            .put,
            "/api/account/email",
            cookie + [site: "same-origin"],
            body: #"{"email":"maya@example.com"}"#
        )
        #expect(own.status == .ok)
    }

    @Test("changes only the account of the session")
    func twoPeople() async throws {
        let maya = try await server.tokenOfNewAccount()
        let noah = try await server.tokenOfNewAccount("noah")
        let mayas = try await server.account(maya)
        for member in ["id", "account"] {
            var body: JSONObject = [
                "currentPassword": "correct horse", "newPassword": "battery staple",
            ]
            body[member] = mayas["id"]
            let answer = try await server.put("/api/account/password", body, noah)
            #expect(answer.code == "field_unknown")
        }
        // A username is for an account without one: it neither renames this one nor reaches
        // another.
        let named = try await server.put(
            "/api/account/password",
            [
                "username": "maya", "currentPassword": "correct horse",
                "newPassword": "battery staple",
            ],
            noah
        )
        #expect(named.json?["username"] == "noah")
        #expect(try await server.account(maya) == mayas)
        #expect(try await server.signIn("maya").status == .created)
        let export = try await server.get("/api/account/export", noah)
        #expect(!export.text.contains(try #require(mayas["id"]?.stringValue)))
    }

    @Test("changes a password, and ends the other sessions")
    func change() async throws {
        let token = try await server.tokenOfNewAccount()
        let other = try #require(try await server.signIn("maya").json?["token"]?.stringValue)
        func change(from current: JSONValue?, to new: JSONValue) async throws -> TestResponse {
            var body: JSONObject = ["newPassword": new]
            body["currentPassword"] = current
            return try await server.put("/api/account/password", body, token)
        }
        let wrong = try await change(from: "wrong horse", to: "battery staple")
        expectRefusal(wrong, .unauthorized, "credentials_invalid")
        let missing = try await change(from: nil, to: "battery staple")
        #expect(missing.code == "credentials_invalid")
        let short = try await change(from: "correct horse", to: "staple")
        #expect(short.status.code == 422 && short.code == "password_too_short")
        let changed = try await change(from: "correct horse", to: "battery staple")
        #expect(changed.status == .ok && changed.json?["username"] == "maya")
        #expect(try await server.get("/api/account", token).status == .ok)
        #expect(try await server.get("/api/account", other).status == .unauthorized)
        #expect(try await server.signIn("maya", "battery staple").status == .created)
    }

    @Test("gives an account of Apple's a password after a recent sign-in")
    func firstPassword() async throws {
        let path = "/api/account/password"
        let old = try await server.token()
        let nameless = try await server.put(path, ["newPassword": "correct horse"], old)
        #expect(nameless.status.code == 422 && nameless.code == "username_required")
        server.apple.time.advance(bySeconds: 601)
        let body: JSONObject = ["username": "maya", "newPassword": "correct horse"]
        expectRefusal(try await server.put(path, body, old), .forbidden, "recent_sign_in_required")
        let fresh = try await server.token()
        #expect(try await server.put(path, body, fresh).json?["username"] == "maya")
        #expect(try await server.signIn("maya").status == .created)
    }

    @Test("counts attempts by the IP address that a trusted proxy names, and ignores other proxies")
    func proxies() async throws {
        let field = try #require(HTTPField.Name("X-Forwarded-For"))
        let body = #"{"username":"nobody","password":"wrong horse"}"#
        _ = try await server.tokenOfNewAccount()
        var statuses: [Int] = []
        // A connection without an address counts as ten clients.
        for number in 0..<302 {
            let answer = try await server.send(
                .post,
                "/api/sessions/password",
                .json + [field: "198.51.100.\(number % 250)"],
                body: body.replacing("nobody", with: "nobody\(number)")
            )
            statuses.append(answer.status.code)
        }
        #expect(statuses.suffix(2) == [429, 429], "a client could choose its own IP address")
    }
}
