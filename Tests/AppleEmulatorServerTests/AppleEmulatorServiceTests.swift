import AppleEmulator
import AppleIdentity
import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import AppleEmulatorServer

@Suite(.timeLimit(.minutes(5))) struct AppleEmulatorServiceTests {
    @Test func bothPortsAreFreeOnesAndAnswerUntilShutDown() async throws {
        let addresses = try await withService { addresses in
            #expect(addresses.apple.port != addresses.control.port)
            #expect(addresses.apple.absoluteString.hasPrefix("http://127.0.0.1:"))
            try await Self.expect(200, at: "\(addresses.apple)/auth/keys")
            try await Self.expect(200, at: "\(addresses.control)/state")
            return addresses
        }
        let refusing = try await Self.refusing([addresses.apple, addresses.control])
        #expect(refusing == [addresses.apple, addresses.control])
    }

    @Test func isHealthyWhenEveryPortAnswers() async throws {
        try await withService { addresses in
            let text = try await Self.text("\(addresses.control)/health")
            #expect(try JSONValue(parsing: Data(text.utf8)) == ["status": "ok"])
        }
    }

    @Test func tellsItsAddresses() async throws {
        try await withService { addresses in
            let text = try await Self.text("\(addresses.control)/addresses")
            let told = try JSONObject(parsing: Data(text.utf8))
            #expect(told == addresses.object)
            #expect(told["apple"] == .string(addresses.apple.absoluteString))
            #expect(told["tls"] == nil && told["ca"] == nil)
        }
    }

    @Test func addressesHaveTheCertificateOfTheTLSPort() throws {
        let addresses = EmulatorAddresses(
            apple: try #require(URL(string: "http://127.0.0.1:8081")),
            control: try #require(URL(string: "http://127.0.0.1:8082")),
            smtp: "127.0.0.1:8025",
            tls: "127.0.0.1:8443",
            certificatePath: "/tls/ca.pem"
        )
        #expect(
            addresses.object == [
                "apple": "http://127.0.0.1:8081", "control": "http://127.0.0.1:8082",
                "smtp": "127.0.0.1:8025", "tls": "127.0.0.1:8443", "ca": "/tls/ca.pem",
            ]
        )
    }

    @Test func theControlPortRefusesAnotherHost() async throws {
        try await withService { addresses in
            let state = "\(addresses.control)/state"
            try await Self.expect(403, at: state, host: "rebound.example.com")
        }
    }

    @Test func requestsWithoutAHostAreRefusedAtBothPorts() async throws {
        try await withService { addresses in
            for address in [addresses.apple, addresses.control] {
                try await MailClient.connected(to: try #require(address.port)) { client in
                    let line = try await client.ask("GET /auth/keys HTTP/1.1\r\n")
                    #expect(line?.hasPrefix("HTTP/1.1 400 ") == true)
                }
            }
        }
    }

    @Test(arguments: [
        ("emulator", 200), ("EMULATOR:8082", 200), ("localhost", 200), ("other", 403),
        ("emulator.example.com", 403), ("", 403),
    ])
    func theControlPortAnswersToTheHostsThatAreAllowed(host: String, status: UInt) async throws {
        var configuration = AppleEmulatorServiceConfiguration(port: 0, controlPort: 0)
        configuration.controlAllowedHosts = ["emulator"]
        try await withService(configuration) { addresses in
            try await Self.expect(status, at: "\(addresses.control)/state", host: host)
        }
    }

    @Test func portsListenWhereTheyAreTold() async throws {
        #if os(Linux)
            let (apple, control, smtp) = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
        #else
            // Other systems have no more addresses on their loopback.
            let (apple, control, smtp) = ("::1", "::1", "::1")
        #endif
        let configuration = AppleEmulatorServiceConfiguration(
            host: apple,
            port: 0,
            controlHost: control,
            controlPort: 0,
            smtpHost: smtp,
            smtpPort: 0
        )
        try await withService(configuration) { addresses in
            #expect(addresses.apple.host() == apple)
            #expect(addresses.control.host() == control)
            try await Self.expect(200, at: "\(addresses.apple)/auth/keys")
            try await Self.expect(200, at: "\(addresses.control)/state")
            let elsewhere = try #require(
                URL(string: "http://127.0.0.1:\(addresses.apple.port ?? 0)")
            )
            let refusing = try await Self.refusing([elsewhere])
            #expect(refusing == [elsewhere])
            let relay = try #require(addresses.smtp.flatMap { MailServerAddress($0) })
            #expect(relay.host == smtp)
            try await MailClient.connected(to: relay.port, at: smtp) { client in
                let greeting = try await client.answer()
                #expect(greeting?.hasPrefix("220 ") == true)
            }
        }
    }

    @Test func everyHeadThatIsRefusedHasItsReasonInTheLog() async throws {
        try await withService { addresses in
            let apple = addresses.apple
            for (count, expected) in [(85_000, 414), (300_000, 400)] as [(Int, UInt)] {
                let state = String(repeating: "s", count: count)
                try await Self.expect(expected, at: "\(apple)/auth/authorize?state=\(state)")
            }
            let fields = String(repeating: "h", count: 70_000)
            try await Self.expect(431, at: "\(apple)/auth/keys", cookie: fields)
            try await Self.sendRaw("nonsense\r\n\r\n", to: apple)
            try await Self.sendRaw(
                "POST /auth/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
                to: apple
            )
            var requests: [JSONObject] = []
            try await waitUntil {
                let text = try await Self.text("\(addresses.control)/requests")
                let object = try JSONValue(parsing: Data(text.utf8)).objectValue
                requests = (object?["requests"]?.arrayValue ?? []).compactMap(\.objectValue)
                return requests.count >= 5
            }
            let reasons = requests.map { $0["reason"]?.stringValue ?? "" }
            for words in [
                "the path with its query is longer than 65536 bytes",
                "HTTP/1.1: the head is too large",
                "the header fields are larger than 65536 bytes", "HTTP/1.1: invalid",
                "the body can't be read: ",
            ] {
                #expect(reasons.count { $0.contains(words) } == 1, "\(words) in \(reasons)")
            }
        }
    }

    @Test(arguments: ["/teams", "/import"])
    func aBodyThatIsNoHTTPIsAMistakeOfTheCaller(path: String) async throws {
        try await withService { addresses in
            let answer = try await Self.sendRaw(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\nZZ\r\n",
                to: addresses.control
            )
            #expect(answer.first == "HTTP/1.1 400 Bad Request")
            #expect(answer.contains("Content-Type: application/problem+json; charset=utf-8"))
        }
    }

    /// Sends bytes unchanged, and returns the lines until the server closes the connection.
    @discardableResult
    private static func sendRaw(_ text: String, to url: URL) async throws -> [String] {
        let port = try #require(url.port)
        return try await MailClient.connected(to: port) { connection in
            try await connection.send(text)
            return try await connection.rest()
        }
    }

    @Test func aPortThatIsTakenIsAnError() async throws {
        try await withService { addresses in
            let service = AppleEmulatorService(
                emulator: try await AppleEmulator(),
                configuration: AppleEmulatorServiceConfiguration(
                    port: try #require(addresses.apple.port),
                    controlPort: 0
                ),
                logger: .quiet
            )
            await #expect(throws: (any Error).self) { try await service.run() }
        }
    }

    @Test func shuttingDownDoesNotWaitForDelayedAnswers() async throws {
        let time = ManualTime()
        let pending = try await withService(time: time.source) { addresses in
            let fault: JSONObject = ["endpoint": "keys", "delay_ms": 30_000, "count": 1]
            try await Self.post("\(addresses.control)/faults", fault)
            let pending = Task { try await Self.status("\(addresses.apple)/auth/keys") }
            try await waitUntil { time.sleeperCount > 0 }
            return pending
        }
        await #expect(throws: (any Error).self) { try await pending.value }
    }

    @Test func notificationsAreSentWhileItRuns() async throws {
        let answer: NotificationReceiver.Answer = { _, _ in Response(status: .ok) }
        try await NotificationReceiver.running(answering: answer) { receiver in
            try await withService { addresses in
                let app: JSONObject = [
                    "client_id": "com.example.juice", "team_id": "TEAM123456",
                    "notification_url": .string(receiver.url),
                ]
                let order: JSONObject = [
                    "type": "consent-revoked", "client_id": "com.example.juice", "sub": "1.a.2",
                ]
                let control = addresses.control
                try await Self.post("\(control)/teams", ["team_id": "TEAM123456"])
                try await Self.post("\(control)/apps", app)
                try await Self.post("\(control)/notifications", order)
                try await waitUntil { !receiver.received.isEmpty }
                #expect(receiver.received.map(\.head.path) == ["/apple/notifications"])
            }
        }
    }

    private static func post(_ url: String, _ object: JSONObject) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: object.data))
        let answer = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
        #expect(answer.status == .created)
    }

    private static func text(_ url: String) async throws -> String {
        let request = HTTPClientRequest(url: url)
        let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
        return String(buffer: try await response.body.collect(upTo: 1024 * 1024))
    }

    private static func expect(
        _ expected: UInt,
        at url: String,
        host: String? = nil,
        cookie: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await status(url, host: host, cookie: cookie)
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    private static func status(
        _ url: String,
        host: String? = nil,
        cookie: String? = nil
    ) async throws -> UInt {
        var request = HTTPClientRequest(url: url)
        if let cookie { request.headers.add(name: "Cookie", value: cookie) }
        if let host { request.headers.replaceOrAdd(name: "Host", value: host) }
        let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
        _ = try await response.body.collect(upTo: 1024 * 1024)
        return response.status.code
    }

    /// Those of the addresses where nothing listens.
    private static func refusing(_ addresses: [URL]) async throws -> [URL] {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var refusing: [URL] = []
            for address in addresses {
                let request = HTTPClientRequest(url: address.absoluteString)
                let answer = try? await client.execute(request, deadline: .distantFuture)
                if answer == nil { refusing.append(address) }
            }
            return refusing
        }
    }

    /// Runs the body with a service on free ports, and shuts it down gracefully.
    @discardableResult
    private func withService<Value: Sendable>(
        _ configuration: AppleEmulatorServiceConfiguration = .init(port: 0, controlPort: 0),
        time: TimeSource = .live,
        _ body: @Sendable (EmulatorAddresses) async throws -> Value
    ) async throws -> Value {
        try await withEmulatorService(makeEmulator(of: Seed()), configuration, time: time, body)
    }
}
