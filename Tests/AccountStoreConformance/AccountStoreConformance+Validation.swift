import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    private static let day: TimeInterval = 86_400

    /// Claims the validations that are due a number of seconds after the start, for a day.
    private static func claim(
        _ store: AccountStore,
        after seconds: TimeInterval
    ) async throws -> [TokenValidation] {
        let now = start.addingTimeInterval(seconds)
        return try await store.claimValidations(
            maximumCount: 10,
            now: now,
            until: now.addingTimeInterval(day)
        )
    }

    static let validationChecks: [Check] = [
        Check("a refresh token's validation is due after a day, for one claim") { store in
            let apple = SampleSignIn(refreshToken: "token")
            let account = try await store.signIn(apple).signedIn.account
            let early = try await claim(store, after: day - 1)
            let due = try await claim(store, after: day)
            let claimed = try await claim(store, after: day + 1)
            let next = try await claim(store, after: 2 * day)
            try expect(early.isEmpty && claimed.isEmpty && due == next)
            try expect(due.map(\.account) == [account.id])
        },
        Check("a repeated claim of validations returns the same tokens") { store in
            for number in 0..<3 {
                let apple = SampleSignIn(user: UserID("\(number)"), refreshToken: "\(number)")
                try await store.signIn(apple)
            }
            func claim(until microseconds: Double) async throws -> Set<TokenValidation> {
                let now = start.addingTimeInterval(day)
                let end = now.addingTimeInterval(day + microseconds / 1_000_000)
                return Set(try await store.claimValidations(maximumCount: 2, now: now, until: end))
            }
            let first = try await claim(until: 0)
            let again = try await claim(until: 0)
            let second = try await claim(until: 1)
            let none = try await claim(until: 2)
            try expect(
                first.count == 2 && again == first,
                "the repeated claim returned other tokens"
            )
            try expect(
                second.count == 1 && second.isDisjoint(with: first),
                "the second claim did not return the third token"
            )
            try expect(none.isEmpty)
        },
        Check("the oldest due validation is found until it is claimed") { store in
            for (number, seconds) in [60, 0, 30].enumerated() {
                let apple = SampleSignIn(
                    user: UserID("\(number)"),
                    refreshToken: "\(number)",
                    now: start.addingTimeInterval(TimeInterval(seconds))
                )
                try await store.signIn(apple)
            }
            func oldest(after seconds: TimeInterval) async throws -> TimeInterval? {
                try await store.oldestDueValidation(now: start.addingTimeInterval(seconds))?
                    .timeIntervalSince(start)
            }
            let early = try await oldest(after: day - 1)
            let due = try await oldest(after: day + 60)
            let claimed = try await claim(store, after: day + 30)
            let rest = try await oldest(after: day + 60)
            try expect(early == nil && due == day && claimed.count == 2 && rest == day + 60)
        },
        Check("a postponed validation is due at its new time") { store in
            let (native, web) = SampleSignIn.nativeAndWeb()
            try await store.signIn(native)
            try await store.signIn(web)
            let both = try await claim(store, after: day)
            guard let failed = both.first(where: { $0.token.clientID == native.clientID }) else {
                throw Failure(description: "the token of the app is not due")
            }
            try await store.postpone(failed, until: start.addingTimeInterval(day + 300))
            let early = try await claim(store, after: day + 299)
            let again = try await claim(store, after: day + 300)
            let later = try await claim(store, after: day + 301)
            try expect(both.count == 2 && early.isEmpty && again == [failed] && later.isEmpty)
            let newer = SampleSignIn(refreshToken: "newer", now: start.addingTimeInterval(day))
            try await store.signIn(newer)
            try await store.postpone(failed, until: start)
            let superseded = try await claim(store, after: day + 400)
            try expect(superseded.isEmpty, "the newer token did not keep its time")
        },
        Check("the end of the last valid token ends consent and sessions") { store in
            let (native, web) = SampleSignIn.nativeAndWeb()
            let account = try await store.signIn(native).signedIn.account
            try await store.signIn(web)
            func end(_ token: RefreshTokenID) async throws -> AccountID? {
                try await store.apply(TokenEnd(account: account.id, token: token, now: start))
            }
            let unknown = try await end("id of another")
            let first = try await end("id of native")
            let open = try await store.session(of: web)
            try expect(unknown == nil && first == account.id && open != nil)
            _ = try await end("id of web")
            let closed = try await store.session(of: web)
            let found = try await store.account(account.id)
            try expect(closed == nil && found?.apple?.revokedAt == start)
        },
    ]
}
