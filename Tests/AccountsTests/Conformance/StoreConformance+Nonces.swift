import Accounts
import AppleIdentity
import Foundation
import Testing

extension StoreConformance {
    static let nonceChecks: [Check] = [
        Check(name: "a nonce is good for one sign-in") { store in
            try await issue("n", in: store)
            try await store.signIn(sample(nonce: "n", .server))
            let second = sample(nonce: "n", .server)
            let beginning = try await store.beginSignIn(second.attempt)
            #expect(beginning == .nonceUsed)
            let completing = try await store.refusal(completing: second)
            #expect(completing == .nonceUsed)
        },
        Check(name: "beginning a sign-in does not use the nonce up") { store in
            try await issue("n", in: store)
            let first = sample(nonce: "n", .server)
            _ = try await store.beginSignIn(first.attempt)
            try await store.signIn(first)
        },
        Check(name: "a nonce ends at its time") { store in
            try await issue("n", in: store)
            var late = sample(nonce: "n", .serverOrApp)
            late.now = SampleSignIn.start.addingTimeInterval(600)
            let refusal = try await store.beginSignIn(late.attempt)
            #expect(refusal == .nonceExpired)
            late.now = SampleSignIn.start.addingTimeInterval(599)
            let inTime = try await store.beginSignIn(late.attempt)
            #expect(inTime == nil)
        },
        Check(name: "a nonce the server does not know is refused where one of its own is asked for")
        {
            store in
            let refusal = try await store.beginSignIn(sample(nonce: "n", .server).attempt)
            #expect(refusal == .nonceUnknown)
        },
        Check(name: "an app's own nonce is accepted where that is allowed") { store in
            try await store.signIn(sample(nonce: "n", .serverOrApp))
            try await store.signIn(sample(nonce: "n", .serverOrApp))
        },
        Check(name: "a server's nonce is used once where an app's own is allowed too") { store in
            try await issue("n", in: store)
            try await store.signIn(sample(nonce: "n", .serverOrApp))
            let refusal = try await store.beginSignIn(sample(nonce: "n", .serverOrApp).attempt)
            #expect(refusal == .nonceUsed)
        },
        Check(name: "a web sign-in's nonce is used once, though never given out before") { store in
            try await store.signIn(sample(nonce: "n", .webSignIn))
            let refusal = try await store.beginSignIn(sample(nonce: "n", .webSignIn).attempt)
            #expect(refusal == .nonceUsed)
        },
        Check(name: "nonces are bounded, and room comes back when they are forgotten") { store in
            for number in 0..<3 {
                let isAdded = try await store.addNonce(nonce("n\(number)", maximumCount: 3))
                #expect(isAdded)
            }
            let fourth = try await store.addNonce(nonce("n3", maximumCount: 3))
            #expect(!fourth)
            let tomorrow = SampleSignIn.start.addingTimeInterval(600 + 86_400)
            let later = try await store.addNonce(nonce("n4", maximumCount: 3, at: tomorrow))
            #expect(later)
        },
        Check(name: "unused nonces make room soon, and a used one takes the room of one") { store in
            for number in 0..<3 { try await issue("n\(number)", in: store) }
            try await store.signIn(sample(nonce: "n0", .server))
            let before = SampleSignIn.start.addingTimeInterval(600 + 599)
            let early = try await store.addNonce(nonce("n3", maximumCount: 3, at: before))
            #expect(!early)
            let after = SampleSignIn.start.addingTimeInterval(600 + 600)
            for name in ["n4", "n5"] {
                let isAdded = try await store.addNonce(nonce(name, maximumCount: 3, at: after))
                #expect(isAdded)
            }
            let sixth = try await store.addNonce(nonce("n6", maximumCount: 3, at: after))
            #expect(!sixth)
            var late = sample(nonce: "n0", .server)
            late.now = SampleSignIn.start.addingTimeInterval(600 + 86_399)
            let refusal = try await store.beginSignIn(late.attempt)
            #expect(refusal == .nonceUsed)
        },
    ]

    private static func sample(nonce: String, _ origin: NonceUse.Origin) -> SampleSignIn {
        var sample = SampleSignIn()
        sample.nonce = NonceUse(hash: SecretHash(of: nonce), origin: origin)
        return sample
    }

    private static func nonce(
        _ text: String,
        maximumCount: Int = 100,
        at time: Date = SampleSignIn.start
    ) -> IssuedNonce {
        IssuedNonce(
            hash: SecretHash(of: text),
            issuedAt: time,
            expiresAt: time.addingTimeInterval(600),
            maximumStoredCount: maximumCount
        )
    }

    private static func issue(_ text: String, in store: any AccountStore) async throws {
        let isAdded = try await store.addNonce(nonce(text))
        #expect(isAdded)
    }
}
