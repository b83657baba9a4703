import Accounts
import AppleEmulatorTesting
import AppleIdentity
import Foundation
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
            ("10.0.0.1", ["not an address"], "unknown"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["1.2.3.4/8"], "unknown"),
            ("10.0.0.1", ["203.0.113.7, 10.0.0.2/32"], "unknown"),
            ("::ffff:10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
            ("fd00::1", ["203.0.113.7"], "203.0.113.7"),
            ("fe00::1", ["203.0.113.7"], "fe00::1"),
            ("10.0.0.1", ["10.0.0.5"], "10.0.0.5"),
            ("10.0.0.1", ["203.0.113.9:51234"], "203.0.113.9"),
            ("10.0.0.1", ["203.0.113.7:1, 10.0.0.2:65535"], "203.0.113.7"),
            ("10.0.0.1", ["[2001:db8::1]:443"], "2001:db8::1"),
            ("10.0.0.1", ["[2001:db8::1]"], "2001:db8::1"),
            ("10.0.0.1", ["203.0.113.9:x"], "unknown"),
            ("10.0.0.1", ["203.0.113.9:123456"], "unknown"),
            ("10.0.0.1", ["[2001:db8::1"], "unknown"),
            ("10.0.0.1", ["[2001:db8::1]443"], "unknown"),
            ("10.0.0.1", ["[203.0.113.9/8]:1"], "unknown"),
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

    @Test("on this machine are counted together, as ten clients")
    func thisMachine() {
        let own = ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "none"].map(
            ClientNetwork.init
        )
        #expect(Set(own).count == 1)
        #expect(own[0].clientCount == 10)
        #expect(ClientNetwork("192.0.2.1").clientCount == 1)
    }

    @Test("are not this machine's when one here does not name its client")
    func unreadable() throws {
        let proxies = try TrustedProxies(["127.0.0.1"])
        for hop in ["unknown", "_hidden", "1.2.3.4.5", "none", " "] {
            let client = ClientNetwork(proxies.client(peer: "127.0.0.1", forwarded: [hop]))
            #expect(client.clientCount == 1 && !client.isThisMachine)
        }
        #expect(ClientNetwork(proxies.client(peer: "127.0.0.1", forwarded: [])).isThisMachine)
    }

    @Test("that are not listed cannot use up the day's sign-ups of everybody")
    func signUps() async throws {
        try await withAccountsServer(setup: .live) { server in
            for number in 0..<25 { _ = try await server.tokenOfNewAccount("maya\(number)") }
        }
    }

    @Test("that are not listed are logged once an hour, and listed ones never")
    func untrusted() async throws {
        let field = try #require(HTTPField.Name("X-Forwarded-For"))
        for (proxies, count) in [([], 2), (["127.0.0.1"], 0)] as [([String], Int)] {
            let trusted = try TrustedProxies(proxies)
            try await withAccountsServer({ $0.trustedProxies = trusted }, setup: .live) { server in
                for seconds in [0, 1, 3600] as [TimeInterval] {
                    server.apple.time.advance(bySeconds: seconds)
                    for _ in 0..<3 {
                        _ = try await server.send(.get, "/sign-in", [field: "203.0.113.7"])
                    }
                }
                _ = try await server.send(.get, "/sign-in")
                let lines = server.log.text.split(separator: "\n")
                    .filter { $0.contains("X-Forwarded-For ignored") }
                #expect(lines.count == count)
                #expect(
                    lines.allSatisfy { $0.contains("127.0.0.1") && $0.contains("SIWA_TRUSTED") }
                )
            }
        }
    }

    @Test("that are not listed fill no log: one hundred of them an hour")
    func manyUntrusted() {
        let peers = PeerLog()
        let now = Date(timeIntervalSince1970: 1_769_000_000)
        let due = (0..<200).filter { peers.isDue(ClientNetwork("192.0.2.\($0)"), now: now) }
        #expect(due.count == PeerLog.maximumCount)
        #expect(!peers.isDue(ClientNetwork("192.0.2.0"), now: now + 3599))
        #expect(peers.isDue(ClientNetwork("192.0.2.0"), now: now + 3600))
        #expect(peers.isDue(ClientNetwork("192.0.2.250"), now: now + 3600))
    }

    @Test(
        "are required with a public URL of https, because the server has no TLS of its own",
        arguments: [
            ("https://juice.example.com", [], true),
            ("https://juice.example.com", ["10.0.0.1"], false),
            ("http://localhost:8080", [], false), ("", [], false),
        ] as [(String, [String], Bool)]
    )
    func required(_ publicURL: String, _ entries: [String], _ isMistake: Bool) throws {
        let mistake = try TrustedProxies(entries).mistake(publicURL: publicURL)
        #expect((mistake?.variable == "SIWA_TRUSTED_PROXIES") == isMistake)
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

    @Test("that are listed name the client in the audit log, for apps and browsers")
    func audited() async throws {
        let trusted = try TrustedProxies(["127.0.0.1"])
        try await withAccountsServer({ $0.trustedProxies = trusted }, setup: .live) { server in
            let field = try #require(HTTPField.Name("X-Forwarded-For"))
            let client: HTTPFields = [field: "203.0.113.7"]
            let token = try await server.apple.credentials().identityToken
            let body = #"{"identityToken":"\#(token)"}"#
            for body in [body, body] {
                _ = try await server.send(.post, "/api/sessions/apple", .json + client, body: body)
            }
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let path = "/sign-in/apple/callback"
            _ = try await server.send(.post, path, form + client, body: "code=c&state=s")
            let entries = try await server.store
                .auditEntries(AuditQuery(count: AuditQuery.maximumCount))
            #expect(
                Set(entries.map(\.action)).isSuperset(of: ["account_created", "sign_in_refused"])
            )
            #expect(entries.count { $0.action == "sign_in_refused" } == 2)
            #expect(entries.allSatisfy { $0.address == "203.0.113.7" })
        }
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
