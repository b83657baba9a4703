import AppleIdentity
import Foundation
import SignInWithApple

@testable import Accounts

extension AccountStoreConformance {
    static let administrationChecks: [Check] = [
        Check("accounts are listed in pages, the newest first") { store in
            var expected: [Account] = []
            for number in 1...5 {
                var sample = SampleSignIn()
                sample.user = UserID("00000\(number).person")
                sample.name = AccountName("Person \(number)")
                // The first two are of one moment.
                sample.now = start.addingTimeInterval(Double(max(number, 2)))
                expected.append(try await store.signIn(sample).signedIn.account)
            }
            expected.sort { ($0.createdAt, $0.id.rawValue) > ($1.createdAt, $1.id.rawValue) }
            let first = try await store.accounts(after: nil, maximumCount: 3)
            let second = try await store.accounts(
                after: first.last.map(AccountPosition.init(of:)),
                maximumCount: 3
            )
            let third = try await store.accounts(
                after: second.last.map(AccountPosition.init(of:)),
                maximumCount: 3
            )
            try expect(first == Array(expected[..<3]))
            try expect(second == Array(expected[3...]))
            try expect(third.isEmpty)
            let since = start.addingTimeInterval(4)
            let new = try await store.accounts(
                after: AccountPosition(of: expected[0]),
                since: since,
                maximumCount: 3
            )
            try expect(new == [expected[1]])
        },
        Check("accounts are found by exact username, email address and Apple identifier") { store in
            var (maya, noah) = (SampleSignIn(), SampleSignIn(user: "000002.noah"))
            maya.email = .apple("Maya@example.com")
            noah.issuer = "https://apple.example.com"
            let first = try await store.signIn(maya).signedIn.account
            let second = try await store.signIn(noah).signedIn.account
            for (text, account) in [
                ("maya@EXAMPLE.com", first), (maya.user.rawValue, first),
                (noah.user.rawValue, second),
            ] {
                let found = try await store.namedAccounts(text, maximumCount: 5)
                try expect(found == [account])
            }
            try expect(try await store.namedAccounts("maya", maximumCount: 5).isEmpty)
        },
        Check("an administrator deletes an account without a recent sign-in") { store in
            let sample = SampleSignIn(refreshToken: "token")
            let account = try await store.signIn(sample).signedIn.account
            let later = start.addingTimeInterval(1000)
            let outcome = try await store.deleteAccount(
                AccountDeletion(account: account.id, entryID: .random(), now: later)
            )
            try expect(outcome == .success(1))
            try expect(try await store.session(of: sample) == nil)
            let queued = try await store.claimEntries(claim(by: "worker", at: later))
            try expect(queued.map(\.task.sealedToken) == ["token"])
        },
        Check("ending all sessions of an account leaves other accounts' sessions") { store in
            let mine = [SampleSignIn(), SampleSignIn()]
            let theirs = SampleSignIn(user: "000002.noah")
            for sample in mine + [theirs] { try await store.signIn(sample) }
            let account = try require(try await store.session(of: mine[0])?.account.id)
            try expect(try await store.endSessions(of: account, except: nil, now: start) == 2)
            for sample in mine { try expect(try await store.session(of: sample) == nil) }
            try expect(try await store.session(of: theirs) != nil)
        },
        Check("every secret is encrypted again once, in batches") { store in
            let (old, new) = try keys()
            let entry = try await store.fill(sealedBy: old)
            var positions: [ResealingPosition] = []
            var position: ResealingPosition?
            var resealedCount = 0
            repeat {
                let step = try await store.reseal(
                    ResealingBatch(sealer: new, after: position, maximumCount: 2)
                )
                resealedCount += step.resealedCount
                try expect(step.currentCount == 0 && step.unopenedCount == 0)
                position = step.next
                if let position { positions.append(position) }
            } while position != nil && positions.count < 10
            try expect(resealedCount == 4)
            try expect(Set(positions).count == positions.count)
            let again = try await store.reseal(
                ResealingBatch(sealer: new, after: nil, maximumCount: 100)
            )
            try expect(again.currentCount == 4 && again.resealedCount == 0)
            let claimed = try await store.claimEntries(claim(by: "worker"))
            try expect(claimed.map(\.id) == [entry])
            try expect(claimed.first?.createdAt == start)
        },
        Check("resealing a token does not change when its validation is due") { store in
            let (old, new) = try keys()
            _ = try await store.fill(sealedBy: old)
            let later = start.addingTimeInterval(10 * 86_400)
            func dueCount(at now: Date) async throws -> Int {
                let until = now.addingTimeInterval(86_400)
                let due = try await store.claimValidations(maximumCount: 10, now: now, until: until)
                return due.count
            }
            let due = try await dueCount(at: later)
            _ = try await store.reseal(ResealingBatch(sealer: new, after: nil, maximumCount: 100))
            let again = try await dueCount(at: later.addingTimeInterval(1))
            try expect(due == 3 && again == 0)
        },
        Check("secrets of an abandoned key are removed, and no identity has a token then") {
            store in
            let (old, _) = try keys()
            _ = try await store.fill(sealedBy: old)
            let other = try TokenSealer(keys: TokenSealer.makeKey(identifier: "other"))
            let values = try await store.sealedValues(after: nil, maximumCount: 100)
            try expect(values.count == 4)
            let batch = ResealingBatch(
                sealer: other,
                after: nil,
                maximumCount: 100,
                abandonedKeys: ["old"]
            )
            try expect(try await store.reseal(batch).unopenedCount == 0)
            try expect(try await store.sealedValues(after: nil, maximumCount: 100).isEmpty)
            let accounts = try await store.accounts(after: nil, maximumCount: 10)
            try expect(accounts.allSatisfy { $0.apple?.hasRefreshToken == false })
        },
        Check("secrets that no key decrypts are counted and kept") { store in
            let (old, _) = try keys()
            let entry = try await store.fill(sealedBy: old)
            let other = try TokenSealer(keys: TokenSealer.makeKey(identifier: "other"))
            let step = try await store.reseal(
                ResealingBatch(sealer: other, after: nil, maximumCount: 100)
            )
            try expect(step.unopenedCount == 4 && step.resealedCount == 0 && step.next == nil)
            let kept = try await store.reseal(
                ResealingBatch(sealer: old, after: nil, maximumCount: 100)
            )
            try expect(kept.currentCount == 4)
            let claimed = try await store.claimEntries(claim(by: "worker"))
            try expect(claimed.map(\.id) == [entry])
        },
    ]

    /// The encryption keys before a rotation, and after its first step.
    private static func keys() throws -> (old: TokenSealer, new: TokenSealer) {
        let old = TokenSealer.makeKey(identifier: "old")
        let new = TokenSealer.makeKey(identifier: "new")
        return (try TokenSealer(keys: old), try TokenSealer(keys: "\(new),\(old)"))
    }
}

extension AccountStore {
    /// Adds three refresh tokens and a revocation to the store.
    fileprivate func fill(sealedBy sealer: TokenSealer) async throws -> OutboxID {
        var last = SampleSignIn()
        for (user, client) in [("1", "app"), ("1", "web"), ("2", "app"), ("3", "app")] {
            last = SampleSignIn()
            last.user = UserID(user)
            last.clientID = ClientID(client)
            let id = RefreshTokenID("id of \(user) \(client)")
            last.refreshToken = sealer.seal(
                Data("refresh token".utf8),
                for: .refreshToken(id, clientID: last.clientID)
            )
            last.refreshTokenID = id
            try await signIn(last)
        }
        let account = try await session(tokenHash: last.token.hash, now: last.now)?.account.id
        let deletion = AccountStoreConformance.deletion(of: try require(account), by: last)
        _ = try await deleteAccount(deletion)
        return OutboxID("\(deletion.entryID)-0")
    }
}
