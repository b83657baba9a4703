import AppleEmulatorTesting
import HTTPTypes
import HummingbirdTesting
import ServerTestSupport
import Testing

@testable import AccountsServer

@Suite("Proxies in front of the server")
struct TrustedProxyTests {
    @Test(
        "count only when they are listed, hop by hop from the last",
        arguments: [
            // peer, X-Forwarded-For, the client that follows
            ("10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
            ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
            ("10.0.0.1", ["198.51.100.1, 203.0.113.7, 10.0.0.2"], "203.0.113.7"),
            ("10.0.0.1", ["198.51.100.1", "10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", ["not an address"], "10.0.0.1"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["1.2.3.4/8"], "10.0.0.1"),
            ("10.0.0.1", ["203.0.113.7, 10.0.0.2/32"], "10.0.0.1"),
            ("::ffff:10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
            ("fd00::1", ["203.0.113.7"], "203.0.113.7"),
            ("fe00::1", ["203.0.113.7"], "fe00::1"),
            ("10.0.0.1", ["10.0.0.5"], "10.0.0.5"),
        ] as [(String, [String], String)]
    )
    func client(_ peer: String, _ forwarded: [String], _ client: String) throws {
        let proxies = try TrustedProxies(["10.0.0.0/8", "fd00::/8"])
        #expect(proxies.client(peer: peer, forwarded: forwarded) == client)
    }

    @Test("are not trusted when none is listed")
    func none() {
        #expect(TrustedProxies().client(peer: "10.0.0.1", forwarded: ["1.2.3.4"]) == "10.0.0.1")
    }

    @Test("or clients are counted together by their IPv6 network, and one by one by IPv4")
    func networks() {
        func client(_ text: String) -> String? { AddressRange(text)?.client }
        #expect(client("2001:db8:1:200::1") == client("2001:db8:1:2ff:ffff:ffff:ffff:ffff"))
        #expect(client("2001:db8:1:200::1") != client("2001:db8:1:300::1"))
        #expect(client("192.0.2.1") != client("192.0.2.2"))
        #expect(client("::ffff:192.0.2.1") == client("192.0.2.1"))
        #expect(client("2001:DB8:1:2:0::1") == client("2001:db8:1:2::"))
    }

    @Test("cannot make the server read an endless list")
    func manyHops() throws {
        let proxies = try TrustedProxies(["10.0.0.0/8"])
        let hops = Array(repeating: "10.0.0.3", count: 10_000)
        let forwarded = ["203.0.113.7"] + hops
        #expect(proxies.client(peer: "10.0.0.1", forwarded: forwarded) == "10.0.0.3")
    }

    @Test(
        "are refused when an entry is ambiguous",
        arguments: [
            "10.0.0.0/33", "10.0.0", "proxy.example.com", "10.0.0.0/-1", "::1/129", "/8", "1/",
        ]
    )
    func refused(_ entry: String) {
        let error = #expect(throws: ConfigurationError.self) { try TrustedProxies([entry]) }
        #expect(error?.variable == "SIWA_TRUSTED_PROXIES")
    }

    @Test("or none, every log line about a request has its number and the client's IP address")
    func logged() async throws {
        try await withAccountsServer { server in
            let credential = try await server.apple.credentials()
            let headers = HTTPFields.json
            let body = #"{"identityToken":"\#(credential.identityToken)"}"#
            let answer = try await server.send(.post, "/api/sessions/apple", headers, body: body)
            #expect(answer.status == .created)
            let lines = server.log.text.split(separator: "\n")
                .filter { $0.contains("signed in") || $0.contains("info request") }
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.contains("hb.request.id") && $0.contains("peer") })
        }
    }
}
