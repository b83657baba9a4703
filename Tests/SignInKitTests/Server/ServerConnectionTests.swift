import AppleIdentity
import Foundation
import Testing

@testable import SignInKit

@Suite("The connection to the server") struct ServerConnectionTests {
    /// Answers one after the other, the last one again and again.
    private final class Answers: ServerTransport {
        private let list: LockedValue<[Result<ServerAnswer, TransportFailure>]>
        private let sent = LockedValue<[ServerRequest]>([])

        init(_ list: [Result<ServerAnswer, TransportFailure>]) {
            self.list = LockedValue(list)
        }

        var requests: [ServerRequest] { sent.withLock { $0 } }

        func send(_ request: ServerRequest) async throws(TransportFailure) -> ServerAnswer {
            sent.withLock { $0.append(request) }
            let answer = list.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
            return try answer?.get() ?? ServerAnswer(status: 500)
        }
    }

    /// A clock on which a wait takes no time, and what was waited for.
    private final class Waits: Sendable {
        private let list = LockedValue<[Duration]>([])
        var all: [Duration] { list.withLock { $0 } }

        var source: TimeSource {
            TimeSource(
                now: { Date(timeIntervalSince1970: 0) },
                uptime: { .zero },
                sleep: { wait in self.list.withLock { $0.append(wait) } }
            )
        }
    }

    private func connection(
        _ transport: any ServerTransport,
        server: String = "https://juice.example.com",
        device: String? = nil,
        time: TimeSource = Waits().source
    ) throws -> ServerConnection {
        let url = try #require(URL(string: server))
        return ServerConnection(
            configuration: SignInConfiguration(server: url, deviceName: device),
            transport: transport,
            time: time
        )
    }

    private func failure<Value>(_ call: () async throws -> Value) async throws -> ServerFailure? {
        do {
            _ = try await call()
            return nil
        } catch let error as ServerFailure {
            return error
        }
    }

    private func problem(_ status: Int, _ body: String, _ headers: [String: String] = [:])
        -> Result<ServerAnswer, TransportFailure>
    { .success(ServerAnswer(status: status, headers: headers, body: Data(body.utf8))) }

    @Test(
        "A token goes to https and this machine alone",
        arguments: [
            ("https://juice.example.com", true), ("http://localhost:8080", true),
            ("http://juice.localhost", true), ("http://127.0.0.1", true),
            ("http://[::1]:1", true), ("http://juice.example.com", false),
            ("http://localhost.example.com", false), ("ftp://localhost", false),
            ("https:", false), ("juice.example.com", false),
        ]
    ) func secure(address: String, isSecure: Bool) throws {
        #expect(ServerConnection.isSecure(try #require(URL(string: address))) == isSecure)
    }

    @Test("What reads is sent again with waits that grow, and no more than three times")
    func retry() async throws {
        let waits = Waits()
        let answers = Answers([
            .failure(.timedOut), problem(503, ""), problem(200, #"{"sessions": []}"#),
        ])
        let server = try connection(answers, time: waits.source)
        #expect(try await server.send(.sessions, token: "t").isEmpty)
        #expect(answers.requests.count == 3 && waits.all.count == 2)
        #expect(waits.all[0] >= .milliseconds(250) && waits.all[0] <= .milliseconds(500))
        #expect(waits.all[1] >= .milliseconds(500) && waits.all[1] <= .seconds(1))
        let down = Answers([.failure(.timedOut)])
        let dead = try connection(down)
        #expect(
            try await failure { try await dead.send(.sessions, token: "t") }?.isRetryable == true
        )
        #expect(down.requests.count == 3)
    }

    @Test("What changes something is sent once, and a long Retry-After is left to the caller")
    func once() async throws {
        let busy = Answers([problem(503, "", ["Retry-After": "60"])])
        let server = try connection(busy)
        _ = try await failure { try await server.send(.signIn(username: "maya", password: "p")) }
        _ = try await failure { try await server.send(.deleteAccount, token: "t") }
        #expect(busy.requests.count == 2)
        let error = try #require(try await failure { try await server.send(.sessions, token: "t") })
        #expect(SignInKitError(error).kind == .serverUnavailable(retryAfter: 60))
        #expect(busy.requests.count == 3)
    }

    @Test(
        "Refusals have the server's code; what is no code or no problem document has none",
        arguments: [
            (422, #"{"code": "username_invalid", "detail": "No."}"#, "username_invalid", "No."),
            (
                429, #"{"code": "too_many_attempts", "detail": "Wait."}"#, "too_many_attempts",
                "Wait."
            ),
            (404, "<html>", "status_404", nil), (400, #"{"code": "A B"}"#, "status_400", nil),
            (400, #"{"code": 7, "detail": 7}"#, "status_400", nil),
        ]
    ) func refusal(status: Int, body: String, code: String, message: String?) async throws {
        let server = try connection(Answers([problem(status, body)]))
        let failed = try await failure {
            try await server.send(.signIn(username: "maya", password: "p"))
        }
        let error = SignInKitError(try #require(failed))
        #expect(error.kind == .refused(code: code))
        #expect(error.message == message ?? SignInKitError.Kind.refused(code: code).message)
    }

    @Test(
        "An answer that can't be read is an error of its own",
        arguments: [
            "", "[]", "{", #"{"sessions": 1}"#, #"{"sessions": [1]}"#,
            #"{"sessions": [{"id": "a", "createdAt": "yesterday"}]}"#,
        ]
    ) func unreadable(body: String) async throws {
        let server = try connection(Answers([problem(200, body)]))
        let error = try await failure { try await server.send(.sessions, token: "t") }
        #expect(error.map { SignInKitError($0).kind } == .unexpectedAnswer)
    }

    @Test("A redirect is not followed") func redirect() async throws {
        let elsewhere = problem(302, "", ["Location": "https://evil.example.com"])
        let server = try connection(Answers([elsewhere]))
        let error = try await failure { try await server.send(.sessions, token: "t") }
        #expect(error.map { SignInKitError($0).kind } == .unexpectedAnswer)
    }

    @Test("The device's name has no characters that a field may not have")
    func device() async throws {
        let answers = Answers([problem(200, #"{"sessions": []}"#)])
        let server = try connection(answers, device: "Maya’s\r\nphone")
        _ = try await server.send(.sessions, token: "t")
        #expect(answers.requests.first?.headers["User-Agent"] == "Maya?s??phone")
        #expect(answers.requests.first?.headers["Authorization"] == "Bearer t")
    }

    @Test("A session's identifier stays one part of the path") func path() async throws {
        let answers = Answers([problem(204, "")])
        let server = try connection(answers, server: "https://juice.example.com/base")
        try await server.send(.endSession("a/../b"), token: "t")
        let path = try #require(answers.requests.first?.url.path())
        #expect(path == "/base/api/sessions/a%2F..%2Fb")
    }

    @Test("Waits double up to five minutes, with jitter in their upper half") func backoff() {
        #expect(Backoff.delay(afterAttempt: 1, jitter: 1) == .milliseconds(500))
        #expect(Backoff.delay(afterAttempt: 1, jitter: 0) == .milliseconds(250))
        #expect(Backoff.delay(afterAttempt: 4, jitter: 1) == .seconds(4))
        #expect(Backoff.delay(afterAttempt: 1_000_000, jitter: 1) == .seconds(300))
        #expect(Backoff.delay(afterAttempt: 1, atLeastSeconds: 30, jitter: 0) == .seconds(30))
    }
}
