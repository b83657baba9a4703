import AccountsServer
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

@Suite("Pages of other origins") struct CrossOriginTests {
    private static let shop = "https://shop.example.com"
    private static let cors = "Access-Control-"

    private func withShop(
        _ origins: [String] = [shop],
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        let allowed = try AllowedOrigins(origins)
        try await withAccountsServer({ $0.allowedOrigins = allowed }, body)
    }

    private func page(_ origin: String, site: String = "cross-site") throws -> HTTPFields {
        [.origin: origin, try #require(HTTPField.Name("Sec-Fetch-Site")): site]
    }

    private func fields(of response: TestResponse) -> [String: String] {
        let fields = response.headers.filter { $0.name.rawName.hasPrefix(Self.cors) }
        return Dictionary(
            uniqueKeysWithValues: fields.map {
                (String($0.name.rawName.dropFirst(Self.cors.count)), $0.value)
            }
        )
    }

    @Test("that are listed read responses of the API, errors too")
    func listed() async throws {
        try await withShop { server in
            let token = try await server.token()
            for path in ["/api/account", "/api/unknown"] {
                for headers in [.bearer(token), [:]] as [HTTPFields] {
                    let sent = headers + (try page(Self.shop))
                    let answer = try await server.send(.get, path, sent)
                    #expect(
                        fields(of: answer) == [
                            "Allow-Origin": Self.shop,
                            "Expose-Headers": "Retry-After, X-Request-ID",
                        ]
                    )
                    #expect(answer.headers[values: .vary].contains("Origin"))
                }
            }
            let page = try await server.send(.get, "/sign-in", try page(Self.shop))
            #expect(fields(of: page).isEmpty)
        }
    }

    @Test("that are not listed get no header field, and a line in the log once a second")
    func others() async throws {
        try await withShop { server in
            for origin in [
                "https://evil.example.com", "null", "http://shop.example.com", Self.shop + ":8443",
                Self.shop + ".evil.example", Self.shop + "/", "https://SHOP.example.com", "*",
                "https://juice.example.com",
            ] {
                let growth = try await server.growth {
                    for method in [HTTPRequest.Method.get, .options] {
                        var headers = try page(origin)
                        headers[.accessControlRequestMethod] = "GET"
                        let answer = try await server.send(method, "/api/account", headers)
                        #expect(fields(of: answer).isEmpty, "\(origin)")
                        #expect(answer.headers[values: .vary].contains("Origin"))
                    }
                }
                let isOwn = origin == "https://juice.example.com"
                #expect(growth["siwa_cross_origin_refused_total"] == (isOwn ? nil : 2))
            }
            #expect(server.log.text.ranges(of: "origin refused").count == 1)
        }
        try await withShop([]) { server in
            let answer = try await server.send(.get, "/api/account", try page(Self.shop))
            #expect(fields(of: answer).isEmpty && answer.headers[.vary] == nil)
        }
    }

    @Test("ask beforehand, and the browser keeps the response") func preflight() async throws {
        try await withShop { server in
            var headers = try page(Self.shop)
            headers[.accessControlRequestMethod] = "PATCH"
            let answer = try await server.send(.options, "/api/account", headers)
            #expect(answer.status == .noContent)
            #expect(
                fields(of: answer) == [
                    "Allow-Origin": Self.shop, "Expose-Headers": "Retry-After, X-Request-ID",
                    "Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
                    "Allow-Headers": "Authorization, Content-Type", "Max-Age": "7200",
                ]
            )
            headers[.accessControlRequestMethod] = nil
            let plain = try await server.send(.options, "/api/account", headers)
            #expect(plain.status == .methodNotAllowed)
        }
    }

    @Test(
        "change something with a cookie only if they are listed and of the same site",
        arguments: [
            (shop, "same-site", true), (shop, "cross-site", false), (shop, "none", false),
            ("https://evil.example.com", "same-site", false), ("null", "same-site", false),
        ]
    )
    func cookie(origin: String, site: String, isAllowed: Bool) async throws {
        try await withShop { server in
            let token = try await server.token()
            var headers = try page(origin, site: site) + .json
            headers[.cookie] = "__Host-siwa-session=\(token)"
            let body = #"{"name":"Maja"}"#
            let answer = try await server.send(.patch, "/api/account", headers, body: body)
            #expect(answer.status == (isAllowed ? .ok : .forbidden), "\(answer.text)")
            #expect((fields(of: answer)["Allow-Credentials"] == "true") == isAllowed)
            headers = try page(origin, site: site) + .json + .bearer(token)
            let bearer = try await server.send(.patch, "/api/account", headers, body: body)
            #expect(bearer.status == .ok)
        }
    }
}
