import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let nonceChecks: [Check] = [
        Check("a nonce is valid for one sign-in") { store in
            try await store.signIn(sample(nonce: "n"))
            let second = sample(nonce: "n")
            try expect(try await store.beginSignIn(second.check) == .nonceUsed)
            try expect(try await store.refusal(completing: second) == .nonceUsed)
            try await store.signIn(sample(nonce: "m"))
        },
        Check("beginning a sign-in does not use the nonce") { store in
            var first = sample(nonce: "n")
            first.name = "Maya"
            try expect(try await store.beginSignIn(first.check) == nil)
            try await store.signIn(first)
        },
        Check("a used nonce is remembered until it expires") { store in
            try await store.signIn(sample(nonce: "n"))
            let early = start.addingTimeInterval(599)
            _ = try await store.forgetExpired(now: early, maximumCount: 10)
            try expect(try await store.beginSignIn(sample(nonce: "n").check) == .nonceUsed)
            let late = start.addingTimeInterval(600)
            _ = try await store.forgetExpired(now: late, maximumCount: 10)
            try expect(try await store.beginSignIn(sample(nonce: "n").check) == nil)
        },
    ]

    static func sample(nonce: String) -> SampleSignIn {
        var sample = SampleSignIn()
        sample.nonce = NonceUse(
            hash: SecretHash(of: nonce),
            rememberedUntil: start.addingTimeInterval(600)
        )
        return sample
    }
}
