import Foundation

@testable import Accounts

extension AccountStoreConformance {
    static let nonceChecks: [Check] = [
        Check("a used nonce is remembered until it expires") { store in
            try await store.signIn(sample(nonce: "n"))
            let early = start.addingTimeInterval(599)
            _ = try await store.forgetExpired(now: early, maximumCount: 10)
            try expect(try await store.beginSignIn(sample(nonce: "n").check) == .nonceUsed)
            let late = start.addingTimeInterval(600)
            _ = try await store.forgetExpired(now: late, maximumCount: 10)
            try expect(try await store.beginSignIn(sample(nonce: "n").check) == nil)
        }
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
