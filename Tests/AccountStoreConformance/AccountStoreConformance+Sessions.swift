import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let sessionChecks: [Check] = [
        Check("a session is found by its token's hash until it expires") { store in
            let sample = SampleSignIn()
            let signedIn = try await store.signIn(sample).signedIn
            let hash = sample.token.hash
            let alive = try await store.session(
                tokenHash: hash,
                now: start.addingTimeInterval(3599)
            )
            try expect(alive == signedIn)
            let ended = try await store.session(
                tokenHash: hash,
                now: start.addingTimeInterval(3600)
            )
            try expect(ended == nil)
        },
        Check("a session in memory equals the stored one until it ends") { store in
            let sample = SampleSignIn()
            let signedIn = try await store.signIn(sample).signedIn
            let hash = sample.token.hash
            guard let remembered = store.rememberedSession(tokenHash: hash) else { return }
            try expect(remembered == signedIn)
            try expect(store.rememberedSession(tokenHash: SessionToken().hash) == nil)
            let id = signedIn.account.id
            try expect(try await store.endSession(sample.session, of: id, now: start))
            try expect(store.rememberedSession(tokenHash: hash) == nil)
        },
        Check("a use moves the expiry of a session, but never back") { store in
            let sample = SampleSignIn()
            try await store.signIn(sample)
            for seconds in [120.0, 60] {
                try await store.recordUses([use(of: sample, after: seconds)])
            }
            let found = try await store.session(of: sample)
            try expect(found?.session.lastUsedAt == start.addingTimeInterval(120))
            try expect(found?.session.expiresAt == start.addingTimeInterval(3720))
        },
        Check("a use does not restore an ended session") { store in
            let sample = SampleSignIn()
            let account = try await store.signIn(sample).signedIn.account
            try expect(try await store.endSession(sample.session, of: account.id, now: start))
            try await store.recordUses([use(of: sample, after: 60)])
            try expect(try await store.session(of: sample) == nil)
        },
        Check("sessions are listed, the latest used first, without expired ones") { store in
            let first = SampleSignIn()
            let second = SampleSignIn(now: start.addingTimeInterval(1800))
            let account = try await store.signIn(first).signedIn.account
            try await store.signIn(second)
            let both = try await store.sessions(of: account.id, now: second.now)
            try expect(both.map(\.id) == [second.session, first.session])
            let later = start.addingTimeInterval(3600)
            let one = try await store.sessions(of: account.id, now: later)
            try expect(one.map(\.id) == [second.session])
            try expect(try await store.session(second.session, now: later) == one.first)
            try expect(try await store.session(first.session, now: later) == nil)
        },
        Check("sessions of another account cannot be listed or ended") { store in
            let mine = SampleSignIn()
            let theirs = SampleSignIn(user: "000002.noah")
            let me = try await store.signIn(mine).signedIn.account
            try await store.signIn(theirs)
            let ended = try await store.endSession(theirs.session, of: me.id, now: start)
            try expect(!ended)
            let count = try await store.endSessions(of: me.id, except: mine.session, now: start)
            try expect(count == 0)
            try expect(try await store.session(of: theirs) != nil)
            try expect(try await store.sessions(of: me.id, now: start).map(\.id) == [mine.session])
        },
        Check("ending the other sessions leaves the requesting one") { store in
            let samples = [SampleSignIn(), SampleSignIn(), SampleSignIn()]
            var account: AccountID?
            for sample in samples { account = try await store.signIn(sample).signedIn.account.id }
            let id = try require(account)
            let count = try await store.endSessions(of: id, except: samples[1].session, now: start)
            try expect(count == 2)
            let left = try await store.sessions(of: id, now: start)
            try expect(left.map(\.id) == [samples[1].session])
        },
        Check("a sign-in ends the client's previous session") { store in
            let first = SampleSignIn()
            var second = SampleSignIn()
            second.previousToken = first.token
            try await store.signIn(first)
            try await store.signIn(second)
            try expect(try await store.session(of: first) == nil)
            try expect(try await store.session(of: second)?.session.id == second.session)
        },
        Check("a new session replaces the one unused for longest") { store in
            var samples: [SampleSignIn] = []
            var account: AccountID?
            for index in 0..<4 {
                var sample = SampleSignIn(now: start.addingTimeInterval(Double(index)))
                sample.maximumSessionCount = 3
                account = try await store.signIn(sample).signedIn.account.id
                samples.append(sample)
            }
            let id = try require(account)
            let left = try await store.sessions(of: id, now: start)
            try expect(left.map(\.id) == samples.dropFirst().reversed().map(\.session))
        },
    ]
}
