import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SignInWithApple
import TestSupport
import Testing

@testable import SignInWithAppleHummingbird

@Suite struct BodyDeadlineTests {
    private func request(_ body: RequestBody) -> Request {
        let head = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: "juice.example.com",
            path: "/account/name",
            headerFields: [.contentType: "application/x-www-form-urlencoded"]
        )
        return Request(head: head, body: body)
    }

    @Test(.timeLimit(.minutes(1)))
    func bodyThatNeverEndsIsRefusedInTime() async throws {
        let time = ManualTime()
        let (bytes, sender) = AsyncStream.makeStream(of: ByteBuffer.self)
        let request = request(RequestBody(asyncSequence: bytes))
        sender.yield(ByteBuffer(string: "n"))
        async let form = request.signInRequest(time.source).form(maximumByteCount: 1024)
        try await waitUntil { time.sleeperCount > 0 }
        sender.yield(ByteBuffer(string: "a"))
        time.advance(bySeconds: TimeInterval(RouteLimits.maximumBodySeconds))
        do {
            _ = try await form
            Issue.record("the body was read")
        } catch let error as RefusedSignIn {
            #expect(error.status == .requestTimeout)
            #expect(error.code.rawValue == "request_too_slow")
            #expect(error.headers[.connection] == "close")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func bodyInTimeIsReadAndLeavesNoTimerBehind() async throws {
        let time = ManualTime()
        let request = request(RequestBody(buffer: ByteBuffer(string: "name=Maya")))
        #expect(
            try await request.signInRequest(time.source).form(maximumByteCount: 1024).map(\.value)
                == ["Maya"]
        )
        time.advance(bySeconds: TimeInterval(RouteLimits.maximumBodySeconds))
        try await waitUntil { time.sleeperCount == 0 }
    }
}
