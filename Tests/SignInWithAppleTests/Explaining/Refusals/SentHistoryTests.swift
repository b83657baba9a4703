import AppleIdentity
import Testing

@testable import SignInWithApple

@Suite struct SentHistoryTests {
    private let time = ManualTime()
    private let history = SentHistory()

    @Test func firstSendingIsRemembered() {
        let first = time.now
        #expect(history.noteCode("c.1", at: first) == nil)
        time.advance(bySeconds: 1)
        #expect(history.noteCode("c.1", at: time.now) == .init(time: first))
        history.noteUnanswered("c.1")
        history.noteUnanswered("c.3")
        #expect(history.noteCode("c.1", at: time.now) == .init(time: first, isUnanswered: true))
        #expect(history.noteCode("c.2", at: time.now) == nil)
    }

    @Test func onlySoManyCodesAreRemembered() {
        for number in 0..<3 * SentHistory.minimumCodeCount {
            #expect(history.noteCode("c.\(number)", at: time.now) == nil)
        }
        #expect(history.noteCode("c.\(SentHistory.minimumCodeCount)", at: time.now) != nil)
        #expect(history.noteCode("c.0", at: time.now) == nil)
    }
}
