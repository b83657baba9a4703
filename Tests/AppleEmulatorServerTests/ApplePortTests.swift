import AppleEmulator
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestSupport
import Testing

@testable import AppleEmulatorServer

@Suite struct ApplePortTests {
    @Test(arguments: [HTTPRequest.Method.get, .post, .put, .delete, .options, .trace])
    func everyMethodAndPathIsHandedOn(method: HTTPRequest.Method) async throws {
        let port = Self.port { request, body in
            Self.answer("\(request.method) \(request.path ?? "") \((try? body.get().count) ?? -1)")
        }
        try await port.test(.router) { client in
            let body = method == .trace ? nil : ByteBuffer(string: "abc")
            let response = try await client.executeRequest(
                uri: "/a/b%20c?d=e",
                method: method,
                headers: [:],
                body: body
            )
            #expect(
                String(buffer: response.body) == "\(method) /a/b%20c?d=e \(body == nil ? 0 : 3)"
            )
        }
    }

    @Test func answersKeepTheirOwnFieldsAndGetTheRest() async throws {
        let port = Self.port { _, _ in
            var answer = Self.answer("x")
            answer.response.headerFields[.contentSecurityPolicy] = "own"
            return answer
        }
        try await port.test(.router) { client in
            let response = try await client.get("/")
            #expect(response.headers[.contentSecurityPolicy] == "own")
            #expect(response.headers[.xContentTypeOptions] == "nosniff")
            #expect(response.headers[.server] == nil)
        }
    }

    @Test(arguments: [0, 1]) func bodiesUpToTheLimitAreRead(excess: Int) async throws {
        let port = Self.port { _, body in
            Self.answer((try? body.get()).map { "\($0.count)" } ?? "too large")
        }
        let count = AppleEmulator.maximumBodyByteCount + excess
        try await port.test(.live) { client in
            let response = try await client.executeRequest(
                uri: "/auth/token",
                method: .post,
                headers: [:],
                body: ByteBuffer(repeating: UInt8(ascii: "a"), count: count)
            )
            #expect(String(buffer: response.body) == (excess == 0 ? "\(count)" : "too large"))
            #expect((response.headers[.connection] == "close") == (excess > 0))
        }
    }

    @Test func aDroppedAnswerClosesTheConnection() async throws {
        let port = Self.port { request, _ in
            var answer = Self.answer("x")
            answer.isDropped = request.path == "/drop"
            return answer
        }
        try await port.test(.ahc(.http)) { client in
            await #expect(throws: (any Error).self) { try await client.get("/drop") }
            let response = try await client.get("/")
            #expect(response.status == .ok)
        }
    }

    @Test(arguments: [204, 205, 304])
    func nothingFollowsAStatusWithoutBody(code: Int) async throws {
        let port = Self.port { _, _ in
            EmulatorAnswer(
                response: HTTPResponse(status: HTTPResponse.Status(code: code)),
                body: Data("hidden".utf8)
            )
        }
        try await port.test(.live) { client in
            for _ in 1...2 {
                let response = try await client.get("/")
                #expect(response.status.code == code && response.body.readableBytes == 0)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func aBodyThatDoesNotComeIsNotWaitedForForEver() async throws {
        let time = ManualTime()
        let port = Self.port(time: time.source) { _, body in
            var answer = Self.answer("x")
            if case .failure(.bodyTooSlow) = body { answer.isDropped = true }
            return answer
        }
        try await port.test(.live) { client in
            let number = try #require(client.port)
            try await MailClient.connected(to: number) { connection in
                try await connection.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n1"
                )
                try await waitUntil { time.sleeperCount > 0 }
                time.advance(bySeconds: Double(ApplePort.maximumBodySeconds))
                #expect(try await connection.answer() == nil)
            }
        }
    }

    @Test func aDelayedAnswerWaitsOnTheGivenClock() async throws {
        let time = ManualTime()
        let port = Self.port(time: time.source) { _, _ in
            var answer = Self.answer("late")
            answer.delay = .seconds(30)
            return answer
        }
        try await port.test(.ahc(.http)) { client in
            async let response = client.get("/")
            try await waitUntil { time.sleeperCount > 0 }
            time.advance(bySeconds: 30)
            let text = String(buffer: try await response.body)
            #expect(text == "late")
        }
    }

    private static func port(
        time: TimeSource = .live,
        _ answer: @escaping ApplePort.Respond
    ) -> some ApplicationProtocol {
        Application(
            responder: ApplePort(time: time, answer: answer),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0))
        )
    }

    private static func answer(_ text: String) -> EmulatorAnswer {
        EmulatorAnswer(response: HTTPResponse(status: .ok), body: Data(text.utf8))
    }
}

extension TestClientProtocol {
    fileprivate func get(_ path: String) async throws -> TestResponse {
        try await executeRequest(uri: path, method: .get, headers: [:], body: nil)
    }
}
