import AccountStoreConformance
import Accounts
import AppleIdentity
import Foundation
import ServerTestSupport
import SignInWithApple
import Testing

@testable import AccountsPostgreSQL

@Suite("A replica whose clock is months away from PostgreSQL's")
struct DatabaseClockTests {
    @Test("deletes nobody's session, and says so", arguments: [true, false])
    func cleanUp(isClockWrong: Bool) async throws {
        try await TestCluster.withStore { store in
            let log = LogRecorder()
            let now = TimeSource.live.now
            let sample = SampleSignIn(now: now - 7200)
            try await store.signIn(sample)
            let clock = ManualTime(now: isClockWrong ? now + 180 * 86_400 : now)
            let accounts = AccountsService(
                store: store,
                sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1")),
                time: clock.source,
                logger: log.logger
            )
            await accounts.maintenance().cleanUp()
            #expect(log.text.contains("the clocks differ") == isClockWrong)
            let isLeft =
                try await store.session(tokenHash: sample.token.hash, now: sample.now) != nil
            #expect(isLeft == isClockWrong)
        }
    }
}
