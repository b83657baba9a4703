import AccountStoreConformance
import Foundation
import SignInWithApple
import Testing

@testable import Accounts

@Suite("Throttles") struct ThrottleTests {
    private let start = SampleSignIn.start
    private let key = SecretHash(of: "maya")

    @Test("allow some attempts, then double each wait up to the maximum")
    func growth() {
        let waits = waits(.passwordByAccount, count: 16)
        #expect(waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
        #expect(self.waits(.passwordByAddress, count: 45).max() == 900)
        #expect(self.waits(.passwordByAddress, count: 30) == Array(repeating: 0, count: 29) + [1])
        #expect(self.waits(.mailByAccount, count: 12).max() == 3600)
        #expect(self.waits(.mailByAccount, count: 4) == [0, 0, 60, 120])
    }

    @Test("stay finite after any number of attempts")
    func finite() {
        let use = ThrottleUse(key: key, policy: .passwordByAccount)
        let many = Throttle.sample(key, count: 1 << 40, blockedFor: 0)
        #expect(use.counting(many, now: start).blockedUntil == start.addingTimeInterval(300))
    }

    @Test("allow about 300 password attempts for an account a day")
    func guessesADay() {
        let use = ThrottleUse(key: key, policy: .passwordByAccount)
        var now = start
        var known: Throttle?
        var count = 0
        while now < start.addingTimeInterval(86_400) {
            let next = use.counting(known, now: now)
            count += 1
            now = max(next.blockedUntil, now)
            known = next
        }
        #expect((280...310).contains(count))
    }

    @Test("expire a day after the first attempt, even with later ones")
    func forgotten() {
        let use = ThrottleUse(key: key, policy: .passwordByAddress)
        var known: Throttle?
        for hour in 0..<24 {
            known = use.counting(known, now: start.addingTimeInterval(Double(hour) * 3600))
        }
        #expect(known?.attemptCount == 24)
        let day = start.addingTimeInterval(86_400)
        #expect(use.counting(known, now: day.addingTimeInterval(-1)).attemptCount == 25)
        #expect(use.counting(known, now: day).attemptCount == 1)
    }

    @Test("do not expire during a wait")
    func waitOutlivesMemory() {
        let policy = ThrottlePolicy(freeCount: 0, firstWait: 60, maximumWait: 60, memory: 10)
        let count = ThrottleUse(key: key, policy: policy).counting(nil, now: start)
        #expect(count.expiresAt == count.blockedUntil)
    }

    @Test("take back only a successful attempt")
    func returned() {
        let use = ThrottleUse(
            key: key,
            policy: ThrottlePolicy(freeCount: 1, firstWait: 10, maximumWait: 60, memory: 3600)
        )
        let first = use.counting(nil, now: start)
        let second = use.counting(first, now: start.addingTimeInterval(10))
        let back = use.returning(second, now: start.addingTimeInterval(11))
        #expect(back?.attemptCount == 1)
        #expect(back?.blockedUntil == start.addingTimeInterval(11))
        #expect(back?.expiresAt == first.expiresAt)
        // The next guess waits as long as if the right password had not been.
        let third = use.counting(back, now: start.addingTimeInterval(11))
        #expect(third.blockedUntil == start.addingTimeInterval(31))
        #expect(use.returning(nil, now: start) == nil)
        #expect(use.returning(first, now: start.addingTimeInterval(3600)) == nil)
    }

    @Test("do not lock a user out after the clock was set back")
    func clockSetBack() {
        let uses = [ThrottleUse(key: key, policy: .passwordByAccount)]
        let known = Throttle.sample(key, count: 20, blockedFor: 300)
        #expect(wait(uses, [known], now: start) == 300)
        let yearBefore = start.addingTimeInterval(-365 * 86_400)
        #expect(wait(uses, [known], now: yearBefore) == nil)
    }

    @Test("work at a replica whose clock is ten minutes behind")
    func otherClock() {
        let uses = [ThrottleUse(key: key, policy: .passwordByAccount)]
        let behind = start.addingTimeInterval(-600)
        for (count, wait) in [(1, nil), (4, nil), (5, 601), (20, 900)] as [(Int, Int?)] {
            let seconds = uses[0].policy.maximumWait
            let blocked = count < 5 ? 0 : count == 5 ? 1 : seconds
            let known = Throttle.sample(key, count: count, blockedFor: blocked)
            #expect(self.wait(uses, [known], now: behind) == wait)
        }
    }

    @Test("return the longest wait in whole seconds")
    func longestWait() throws {
        let policy = ThrottlePolicy.passwordByAccount
        let other = SecretHash(of: "192.0.2.1")
        let uses = [ThrottleUse(key: key, policy: policy), ThrottleUse(key: other, policy: policy)]
        let known = [
            Throttle.sample(key, count: 9, blockedFor: 1.2),
            Throttle.sample(other, count: 9, blockedFor: 0.5),
        ]
        #expect(wait(uses, known, now: start) == 2)
        #expect(try uses.counting(known, now: start.addingTimeInterval(1.2)).count == 2)
    }

    private func wait(_ uses: [ThrottleUse], _ known: [Throttle], now: Date) -> Int? {
        do throws(AccountsError) {
            _ = try uses.counting(known, now: now)
            return nil
        } catch {
            return error.parameters["seconds"].flatMap { Int($0) }
        }
    }

    @Test("have keys that reveal neither the user nor the purpose")
    func keys() throws {
        let sealer = try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1"))
        let keys = ThrottleKeys(sealer)
        let names = [
            keys.key("password", "maya"), keys.key("password", "noah"), keys.key("reset", "maya"),
            try ThrottleKeys(TokenSealer(keys: TokenSealer.makeKey(identifier: "k2")))
                .key("password", "maya"),
            SecretHash(of: "maya"), SecretHash(of: "password:maya"),
            SecretHash(ofParts: ["password", "maya"]),
        ]
        #expect(Set(names).count == names.count)
        #expect(keys.key("password", "maya") == ThrottleKeys(sealer).key("password", "maya"))
    }

    private func waits(_ policy: ThrottlePolicy, count: Int) -> [TimeInterval] {
        let use = ThrottleUse(key: key, policy: policy)
        var now = start
        var known: Throttle?
        return (0..<count).map { _ in
            let next = use.counting(known, now: now)
            let wait = next.blockedUntil.timeIntervalSince(now)
            known = next
            now = next.blockedUntil
            return wait
        }
    }
}
