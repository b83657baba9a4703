import AppleEmulator
import AppleEmulatorTesting
import AppleIdentity
import Foundation
import HTTPTypes
import Logging
import Testing

@testable import SignInWithApple

/// The routes as the example of docs/how-to/any-server.md serves them.
@Suite struct SignInRouteTests {
    private static let url = "https://juice.example.com"
    private static let form = ("Content-Type", "application/x-www-form-urlencoded")

    @Test func browserSignsInAndComesBack() async throws {
        try await withSite { site, accounts, apple in
            let begun = try await begin(site)
            let callback = try await apple.authorize(
                try #require(URL(string: begun.location)),
                name: PersonName(givenName: "Maya")
            )
            let headers = [("Host", "juice.example.com"), ("Cookie", begun.cookie), Self.form]
            let ended = try #require(
                await site.answer(
                    "POST",
                    "/auth/apple/callback",
                    Self.fields(headers),
                    callback.formBody
                )
            )
            #expect(ended.status.code == 303)
            #expect(ended.headers[.location] == "/account")
            let session = try #require(ended.headers.first { $0.value.contains("siwa-session=") })
            #expect(session.value.contains("Secure; HttpOnly; SameSite=Lax"))
            let pair = String(session.value.prefix { $0 != ";" })
            let token = try #require(site.sessionToken([.cookie: "theme=dark; " + pair]))
            #expect(await accounts.name(token: token) == "Maya")
            #expect(site.sessionToken([.authorization: "Bearer " + token]) == token)
            // A proxy may ask for a password of its own; only an app's token replaces the cookie.
            for (field, expected) in [
                ("Basic YTpi", token), ("Negotiate x", token), ("", token), ("Bearer x", nil),
                ("bearer", nil), ("BEARER x", nil),
            ] {
                let headers: HTTPFields = [.cookie: pair, .authorization: field]
                #expect(site.sessionToken(headers) == expected, "\(field)")
            }
            #expect(site.sessionToken([:]) == nil)
        }
    }

    @Test func appSignsIn() async throws {
        try await withSite { site, accounts, apple in
            let credentials = try await apple.credentials()
            let body = Self.body(of: credentials)
            let answer = try #require(
                await site.answer(
                    "POST",
                    "/auth/apple/native",
                    [.contentType: "application/json"],
                    body
                )
            )
            #expect(answer.status == .created)
            let token = try #require(JSONObject(parsing: answer.body)["token"]?.stringValue)
            #expect(await accounts.name(token: token) != nil)
        }
    }

    @Test(arguments: [
        ("GET", "/auth/apple/callback"), ("POST", "/auth/apple"), ("GET", "/auth/appleX"),
        ("GET", "/"), ("TRACE", "/auth/apple"), ("G T", "/auth/apple"), ("GET", ""),
    ])
    func otherRequestsAreNotAnswered(method: String, target: String) async throws {
        try await withSite { site, _, _ in
            let answer = try await site.answer(method, target, [:], Data())
            #expect(answer?.status == nil)
        }
    }

    @Test func oversizedBodyIsRefused() async throws {
        try await withSite { site, _, _ in
            for route in site.routes where route.method == .post {
                let isForm = route.path.contains("/callback")
                let type = isForm ? Self.form : ("Content-Type", "application/json")
                let body = Data(repeating: 0x61, count: route.maximumBodyByteCount + 1)
                let origin = ("Sec-Fetch-Site", "same-origin")
                let answer = try await site.answer(
                    "POST",
                    route.path,
                    Self.fields([type, origin]),
                    body
                )
                #expect(answer?.status == .contentTooLarge, "\(route.path)")
                let other = try await site.answer(
                    "POST",
                    route.path,
                    Self.fields([origin]),
                    Data()
                )
                #expect(other?.status == .unsupportedMediaType, "\(route.path)")
            }
        }
    }

    @Test func hostIsTheAuthority() {
        let request = SignInRequest(
            method: "POST",
            target: "/a?b=c",
            headers: Self.fields([("host", "a.example")]),
            body: Data()
        )
        #expect(request.head.authority == "a.example")
        #expect(request.head.targetPath == "/a")
        #expect(request.head.queryValue("b") == "c")
        #expect(request.head.queryValue("d") == nil)
    }

    @Test func ownAnswerToAnErrorKeepsTheSignIn() async throws {
        struct Own: Error {}
        try await withAppleEmulator { apple in
            let native = NativeEndpoint(appIDs: ["com.example.juice"])
            let routes: [SignInRoute<Int>] = try apple.signIn().signInRoutes(
                native: native,
                onError: { error, context in
                    error is Own && context == 418
                        ? SignInResponse(status: .init(code: context)) : nil
                },
                onSignIn: { _, _ in throw Own() }
            )
            let credentials = try await apple.credentials()
            let body = Self.body(of: credentials)
            var kept = ""
            for (context, status) in [(418, 418), (419, 503)] {
                let request = SignInRequest(
                    method: "POST",
                    target: "/auth/apple/native",
                    headers: [.contentType: "application/json", .cookie: kept],
                    body: body
                )
                let answer = try await routes[0].respond(
                    to: request,
                    context: context,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                )
                #expect(answer.status.code == status)
                let document = try JSONObject(parsing: answer.body)
                #expect(document["resumeToken"]?.stringValue?.isEmpty == false)
                // Apple has redeemed the code: only with this cookie the second request can go on.
                let cookie = answer.headers[values: .setCookie]
                    .first { $0.contains("siwa-redeemed-") }
                kept = String(try #require(cookie).prefix { $0 != ";" })
            }
        }
    }

    private static func fields(_ pairs: [(name: String, value: String)]) -> HTTPFields {
        HTTPFields(
            pairs.compactMap { pair in
                HTTPField.Name(pair.name).map { HTTPField(name: $0, value: pair.value) }
            }
        )
    }

    private static func body(of credentials: TestCredential) -> Data {
        let body: JSONObject = [
            "identityToken": .string(credentials.identityToken),
            "authorizationCode": .string(credentials.authorizationCode),
        ]
        return body.data
    }

    private func begin(_ site: AppleSite) async throws -> (location: String, cookie: String) {
        let host = Self.fields([("Host", "juice.example.com")])
        let target = "/auth/apple?return_to=%2Faccount"
        let answer = try #require(await site.answer("GET", target, host, Data()))
        #expect(answer.status == .seeOther)
        let cookie = try #require(answer.headers[.setCookie])
        return (
            try #require(answer.headers[.location]),
            String(cookie.prefix { $0 != ";" })
        )
    }

    private func withSite(
        _ test: @Sendable (AppleSite, Accounts, TestApple) async throws -> Void
    ) async throws {
        let seed = Seed.demo(redirectURIs: [Self.url + "/auth/apple/callback"])
        try await withAppleEmulator(seed: seed) { apple in
            let accounts = Accounts()
            let site = try AppleSite(
                apple.signIn(),
                accounts,
                DemoAppleTokenStore(),
                sealer: TokenSealer(keys: TokenSealer.makeKey(identifier: "test")),
                url: Self.url
            )
            try await test(site, accounts, apple)
        }
    }
}

/// The accounts of docs/how-to/any-server.md.
actor Accounts {
    private var names: [UserID: String] = [:]
    private var sessions: [String: UserID] = [:]

    func open(_ signIn: VerifiedSignIn) -> WebSession {
        let session = WebSession()
        let user = signIn.userID
        // Apple sends the name on the first sign-in only. A suggested one may be another user's.
        if let name = signIn.name, names[user] == nil || !signIn.isNameSuggested {
            names[user] = name.displayName
        }
        sessions[session.token] = user
        signIn.previousSessionToken.map { sessions[$0] = nil }
        return session
    }

    func signOut(_ user: UserID) { sessions = sessions.filter { $0.value != user } }

    func delete(_ user: UserID) {
        signOut(user)
        names[user] = nil
    }

    func name(token: String) -> String? { sessions[token].map { names[$0] ?? "friend" } }
}
