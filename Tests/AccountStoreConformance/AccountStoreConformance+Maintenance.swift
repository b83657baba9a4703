import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let maintenanceChecks: [Check] = [
        Check("a working store passes its own check") { store in
            try await store.checkWriting(as: ["k1=00"], now: start)
            try await store.wipeTraces()
        },
        Check("expired rows are deleted in batches for each kind") { store in
            for number in 0..<5 {
                let sample = SampleSignIn(user: UserID("\(number)"))
                try await store.signIn(sample)
            }
            // Sessions expire after an hour, used tokens after a day.
            let hourLater = start.addingTimeInterval(3600)
            try expect(try await store.forgetExpired(now: hourLater, maximumCount: 3) == 3)
            try expect(try await store.forgetExpired(now: hourLater, maximumCount: 3) == 2)
            try expect(try await store.forgetExpired(now: hourLater, maximumCount: 3) == 0)
            let dayLater = start.addingTimeInterval(86_400)
            try expect(try await store.forgetExpired(now: dayLater, maximumCount: 10) == 5)
        },
        Check("a late use does not restore a deleted session") { store in
            let sample = SampleSignIn()
            try await store.signIn(sample)
            let end = start.addingTimeInterval(3600)
            try expect(try await store.forgetExpired(now: end, maximumCount: 10) == 1)
            try await store.recordUses([use(of: sample, after: 3599)])
            try expect(try await store.session(of: sample, now: end) == nil)
        },
        Check("an expired session does not count against the maximum") { store in
            var old = SampleSignIn()
            old.maximumSessionCount = 2
            var live = later(10)
            live.maximumSessionCount = 2
            try await store.signIn(old)
            try await store.signIn(live)
            // The first session has expired.
            var new = later(3605)
            new.maximumSessionCount = 2
            let account = try await store.signIn(new).signedIn.account
            let left = try await store.sessions(of: account.id, now: new.now)
            try expect(Set(left.map(\.id)) == [live.session, new.session])
        },
        Check("rows that have not expired are kept") { store in
            let sample = SampleSignIn()
            try await store.signIn(sample)
            let before = start.addingTimeInterval(3599)
            try expect(try await store.forgetExpired(now: before, maximumCount: 10) == 0)
            try expect(try await store.session(of: sample, now: before) != nil)
        },
        Check("the name of a sign-in that was not completed is kept for thirty days") { store in
            let lost = SampleSignIn(name: "Maya")
            _ = try await store.beginSignIn(lost.check)
            let day = 86_400.0
            let before = start.addingTimeInterval(30 * day - 1)
            try expect(try await store.forgetExpired(now: before, maximumCount: 10) == 0)
            let after = start.addingTimeInterval(30 * day)
            try expect(try await store.forgetExpired(now: after, maximumCount: 10) == 1)
            try expect(try await store.signIn(SampleSignIn()).signedIn.account.name == nil)
        },
        Check("times are stored to the microsecond") { store in
            let sample = SampleSignIn(now: Date(timeIntervalSince1970: 1_769_000_000.123_456))
            let signedIn = try await store.signIn(sample).signedIn
            let listed = try await store.sessions(of: signedIn.account.id, now: sample.now)
            try expect(listed == [signedIn.session])
            try expect(try await store.account(signedIn.account.id) == signedIn.account)
            let microseconds = (signedIn.session.createdAt.timeIntervalSince1970 * 1e6).rounded()
            try expect(microseconds == 1_769_000_000_123_456)
        },
    ]
}
