import Foundation
import Testing

@testable import SignInWithApple

@Suite("Responses that are kept for a second post") struct AnsweredCallbacksTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let response = SignInResponse.redirect(to: "/account")

    @Test("A response is kept for a minute, for its own state")
    func lifetime() {
        let answered = AnsweredCallbacks()
        answered.keep(response, to: "a", at: now)
        #expect(answered.response(to: "a", at: now + 59)?.headers[.location] == "/account")
        #expect(answered.response(to: "b", at: now) == nil)
        #expect(answered.response(to: "a", at: now + 60) == nil)
        answered.keep(response, to: "a", at: now)
        #expect(answered.response(to: "a", at: now - 1) == nil, "the clock was set back")
    }

    @Test("At most a thousand responses are kept: the oldest makes room")
    func limit() {
        let answered = AnsweredCallbacks()
        for number in 0...AnsweredCallbacks.maximumCount {
            answered.keep(response, to: "\(number)", at: now)
        }
        #expect(answered.response(to: "0", at: now) == nil)
        #expect(answered.response(to: "1", at: now) != nil)
        #expect(answered.response(to: "\(AnsweredCallbacks.maximumCount)", at: now) != nil)
    }
}
