import Accounts
import AppleIdentity
import Foundation

extension AccountStoreConformance {
    private static let start = SampleSignIn.start

    static let validationChecks: [Check] = [
        Check(name: "a refresh token is due for validation a day after it came, for one who claims")
        {
            store in
            var apple = SampleSignIn()
            apple.refreshToken = "token"
            let account = try await store.signIn(apple).signedIn.account
            let day: TimeInterval = 86_400
            func claim(after seconds: TimeInterval) async throws -> [TokenValidation] {
                let now = start.addingTimeInterval(seconds)
                return try await store.claimValidations(
                    maximumCount: 10,
                    now: now,
                    until: now.addingTimeInterval(day)
                )
            }
            let early = try await claim(after: day - 1)
            let due = try await claim(after: day)
            let claimed = try await claim(after: day + 1)
            let next = try await claim(after: 2 * day)
            try expect(early.isEmpty && claimed.isEmpty && due == next)
            try expect(due.map(\.account) == [account.id])
        },
        Check(name: "with the last good token consent has ended, and the sessions with it") {
            store in
            var native = SampleSignIn()
            native.refreshToken = "native"
            var web = SampleSignIn()
            web.clientID = "com.example.juice.web"
            web.refreshToken = "web"
            let account = try await store.signIn(native).signedIn.account
            try await store.signIn(web)
            func end(_ token: RefreshTokenID) async throws -> AccountID? {
                try await store.apply(TokenEnd(account: account.id, token: token, now: start))
            }
            let unknown = try await end("id of another")
            let first = try await end("id of native")
            let open = try await store.session(tokenHash: web.token.hash, now: start)
            try expect(unknown == nil && first == account.id && open != nil)
            _ = try await end("id of web")
            let closed = try await store.session(tokenHash: web.token.hash, now: start)
            let found = try await store.account(account.id)
            try expect(closed == nil && found?.apple?.revokedAt == start)
        },
    ]
}
