import AccountsSQLite
import AppleEmulatorTesting
import AppleIdentity
import Crypto
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import SignInWithApple
import Testing

@testable import AccountsServer

/// The way back from Apple's page to an Android app, with the requests and the parsing of both plug-ins.
@Suite("Sign-ins from Android") struct AndroidRoutesTests {
    private static let client: ClientID = "com.example.juice.android"
    private static let flutter = "com.example.juice"
    private static let capacitor = "com.example.pulp"
    private static let apps = [flutter, "\(capacitor)=pulp-app://apple/back"]

    private static func withServer(
        _ entries: [String] = apps,
        setup: TestingSetup = .router,
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await withAccountsServer(
            {
                $0.androidApps = try AndroidApps(entries)
                $0.servicesIDs = [client]
                $0.apple.servicesIDs.append(client)
                $0.trustedProxies = try TrustedProxies(["127.0.0.1"])
            },
            setup: setup
        ) { server in
            let service = SeedService(
                clientID: client,
                primaryClientID: "com.example.juice",
                returnURLs: [flutter, capacitor].map { url($0) }
            )
            try await server.apple.add(Seed(services: [service]))
            try await body(server)
        }
    }

    private static func path(_ package: String) -> String { "\(AndroidRoutes.path)/\(package)" }
    private static func url(_ package: String) -> String { TestServer.publicURL + path(package) }

    /// Goes through Apple's page as a plug-in does, and posts Apple's response.
    private static func answer(
        _ server: TestServer,
        _ package: String,
        nonce: String = "n1",
        types: String? = nil,
        isContinuing: Bool = true,
        altering alter: (String) -> String = { $0 }
    ) async throws -> TestResponse {
        let types = types ?? (package == flutter ? "code%20id_token" : "code")
        let address = try #require(
            URL(
                string: "https://appleid.apple.com/auth/authorize?client_id=\(client)"
                    + "&redirect_uri=\(url(package))&response_type=\(types)&scope=name%20email"
                    + "&response_mode=form_post&state=s1&nonce=\(nonce)"
            )
        )
        let callback = try await server.apple.authorize(address, isContinuing: isContinuing)
        let body = String(decoding: callback.formBody, as: UTF8.self)
        return try await post(server, package, alter(body))
    }

    private static func post(
        _ server: TestServer,
        _ package: String?,
        _ body: String,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await server.send(
            .post,
            package.map(path) ?? AndroidRoutes.path,
            headers,
            body: body
        )
    }

    /// The parameters of the link that the app receives; Android makes it of an intent's parts.
    private static func parameters(_ answer: TestResponse) throws -> [String: String] {
        #expect(answer.status == .seeOther, "\(answer.text)")
        var link = try #require(answer.headers[.location])
        let intent = /intent:\/\/(callback\?[^#]*)#Intent;package=(.*);scheme=signinwithapple;end/
        if let match = link.wholeMatch(of: intent) {
            #expect(match.2 == flutter)
            link = "signinwithapple://\(match.1)"
        } else {
            #expect(link.hasPrefix("pulp-app://apple/back?"))
        }
        let items = try #require(URLComponents(string: link)?.queryItems)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    @Test(
        "With either plug-in the app gets a session, the name and a refresh token",
        arguments: apps
    )
    func signIn(entry: String) async throws {
        try await Self.withServer { server in
            let package = entry.prefix { $0 != "=" }
            let made = try await server.send(.post, "/api/nonces")
            let nonce = try #require(made.json?["nonce"]?.stringValue)
            let hash = SHA256.hash(data: Data(nonce.utf8)).map { String(format: "%02x", $0) }
            let answer = try await Self.answer(server, String(package), nonce: hash.joined())
            #expect(answer.headers[.cacheControl] == "no-store")
            let referrer = try #require(HTTPField.Name("Referrer-Policy"))
            #expect(answer.headers[referrer] == "same-origin")
            #expect(answer.headers[values: .setCookie].isEmpty)
            let fields = try Self.parameters(answer)
            #expect(fields["state"] == "s1")
            var request: JSONObject = ["nonce": .string(nonce)]
            request["identityToken"] = fields["id_token"].map { .string($0) }
            if package == Self.capacitor {
                #expect(Set(fields.keys) == ["success", "id_token", "access_token", "state"])
                #expect(fields["success"] == "true")
                request["resumeToken"] = fields["access_token"].map { .string($0) }
            } else {
                #expect(Set(fields.keys) == ["code", "id_token", "user", "state"])
                #expect(fields["user"]?.contains("Maya") == true)
            }
            let session = try await server.postJSON("/api/sessions/apple", request)
            #expect(session.status == .created, "\(session.text)")
            guard package == Self.capacitor else { return }
            // The plug-in reads no name and no code: both are in the resume token.
            #expect(session.json?["account"]?.objectValue?["name"] == "Maya Lindgren")
            let count = try await server.store.queue.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM apple_refresh_tokens")
            }
            #expect(count == 1)
            let again = try await server.postJSON("/api/sessions/apple", request)
            expectRefusal(again, .unauthorized, "token_replayed")
        }
    }

    @Test("A cancelled sign-in leads back with Apple's error", arguments: [flutter, capacitor])
    func cancelled(package: String) async throws {
        try await Self.withServer { server in
            let answer = try await Self.answer(server, package, isContinuing: false)
            var fields = ["error": "user_cancelled_authorize", "state": "s1"]
            if package == Self.capacitor { fields["success"] = "false" }
            #expect(try Self.parameters(answer) == fields)
        }
    }

    @Test(
        "Nothing in the form leaves the query or adds a parameter",
        arguments: [
            "x#Intent;package=com.example.evil;end", ";end", "a&success=true",
            "x\r\nSet-Cookie: a=b",
            "%23Intent;S.browser_fallback_url=https://evil.example.com;end",
            "?/../\"<script>\u{0}é",
        ],
        [flutter, capacitor]
    )
    func hostile(text: String, package: String) async throws {
        try await Self.withServer { server in
            let body = TestBrowser.form([("error", text), ("state", text), (text, text)])
            let answer = try await Self.post(server, package, body)
            var fields = ["error": text, "state": text]
            if package == Self.capacitor { fields["success"] = "false" }
            #expect(try Self.parameters(answer) == fields)
            let plain =
                /[A-Za-z0-9\-._~%=&:\/?]*(#Intent;package=com\.example\.juice;scheme=signinwithapple;end)?/
            #expect(answer.headers[.location]?.wholeMatch(of: plain) != nil)
        }
    }

    @Test("A user field that the app could not read is left out") func unreadableUser() async throws
    {
        try await Self.withServer { server in
            let answer = try await Self.post(server, Self.flutter, "code=c&user=%7Bname")
            #expect(try Self.parameters(answer) == ["code": "c"])
        }
    }

    @Test(
        "A form that is not Apple's leads nowhere",
        arguments: [
            "", "state=s1", "code=a&error=b", "code=a&code=b", "code=%zz", "error=",
            "code=" + String(repeating: "a", count: 1025),
            "code=a&state=" + String(repeating: "a", count: 2049),
        ]
    )
    func malformed(body: String) async throws {
        try await Self.withServer { server in
            let answer = try await Self.post(server, Self.flutter, body)
            expectRefusal(answer, .badRequest, "callback_malformed")
            #expect(answer.headers[.location] == nil)
        }
    }

    @Test("Only configured packages are led back to") func packages() async throws {
        let form = "error=user_cancelled_authorize"
        try await Self.withServer { server in
            for package in [nil, "com.example.other", "com.example.juice%3Bend"] as [String?] {
                expectRefusal(try await Self.post(server, package, form), .notFound, "not_found")
            }
            let typed = try await server.postJSON(Self.path(Self.flutter), [:])
            #expect(typed.code == "content_type_unsupported")
        }
        try await Self.withServer([Self.flutter]) { server in
            _ = try Self.parameters(try await Self.post(server, nil, form))
            _ = try Self.parameters(try await Self.post(server, Self.flutter, form))
        }
        try await Self.withServer([]) { server in
            expectRefusal(try await Self.post(server, nil, form), .notFound, "not_found")
        }
    }

    @Test("Wrong codes are counted, logged, and limited like other refusals")
    func wrongCodes() async throws {
        try await Self.withServer(setup: .live) { server in
            var headers: HTTPFields = [:]
            headers[try #require(HTTPField.Name("X-Forwarded-For"))] = "203.0.113.7"
            var statuses: [Int] = []
            let growth = try await server.growth {
                for _ in 0...RefusalLimiter.burst {
                    let answer = try await Self.post(server, Self.capacitor, "code=stolen", headers)
                    statuses.append(answer.status.code)
                    guard answer.status == .seeOther else { continue }
                    let fields = ["success": "false", "error": "apple_refused_grant"]
                    #expect(try Self.parameters(answer) == fields)
                }
            }
            #expect(statuses == Array(repeating: 303, count: RefusalLimiter.burst) + [429])
            let name = "siwa_android_callbacks_total{outcome=\"apple_refused_grant\"}"
            #expect(growth[name] == Double(RefusalLimiter.burst))
            #expect(server.log.text.contains("sign-in on Android refused"))
            #expect(!server.log.text.contains("stolen"))
        }
    }

    private static let exchanges =
        "siwa_apple_request_duration_seconds_count{endpoint=\"token\",status=\"4xx\"}"

    @Test("Wrong codes that are posted at once ask Apple no more often than one after the other")
    func wrongCodesAtOnce() async throws {
        try await Self.withServer { server in
            // Requests without a connection count as those of this machine, which is ten clients.
            let growth = try await server.growth {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<(12 * RefusalLimiter.burst) {
                        group.addTask {
                            _ = try await Self.post(server, Self.capacitor, "code=stolen")
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(growth[Self.exchanges] == Double(10 * RefusalLimiter.burst))
        }
    }

    @Test("An identity token that comes with the code is verified before Apple is asked")
    func identityToken() async throws {
        try await Self.withServer { server in
            let types = "code%20id_token"
            let good = try await Self.answer(server, Self.capacitor, types: types)
            #expect(try Self.parameters(good)["success"] == "true")
            let growth = try await server.growth {
                for (part, code) in [
                    (/id_token=[^&.]*/, "token_malformed"),
                    (/code=[^&]*/, "token_code_hash_mismatch"),
                ] {
                    let answer = try await Self.answer(server, Self.capacitor, types: types) {
                        form in
                        form.replacing(part) { "\($0.output.prefix { $0 != "=" })=stolen" }
                    }
                    let fields = ["success": "false", "error": code, "state": "s1"]
                    #expect(try Self.parameters(answer) == fields)
                }
            }
            #expect(growth[Self.exchanges] ?? 0 == 0)
        }
    }

    @Test(
        "A wrong entry is refused",
        arguments: [
            "juice", "com.1example", "com..example", "com.example-app", "com.example;end", "=a://b",
            "com.example.app=", "com.example.app=app:/back", "com.example.app=App://back",
            "com.example.app=https://example.com", "com.example.app=javascript://x",
            "com.example.app=intent://x", "com.example.app=signinwithapple://callback",
            "com.example.app=app://back?x", "com.example.app=app://back#x",
            "com.example.app=app://maya@back", "com.example.app=app://", "com.example.juice",
            "com." + String(repeating: "a", count: 252),
        ]
    )
    func entries(_ entry: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try AndroidApps([Self.flutter, entry])
        }
        #expect(error?.variable == "SIWA_ANDROID_PACKAGES" && error?.fix.isEmpty == false)
    }
}
