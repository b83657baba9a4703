import AppleIdentity
import Foundation

@testable import Accounts

extension AccountStoreConformance {
    private static let relay = "x1@privaterelay.appleid.com"

    static let addressChecks: [Check] = [
        Check("the forwarding switch decides whether mail is deliverable") { store in
            let account = try await signedInWithRelay(store)
            let off = try await store.apply(event(.emailDisabled(address: relay), at: 10))
            try expect(off == .applied(account))
            try expect(try await isDeliverable(account, in: store) == false)
            let on = try await store.apply(event(.emailEnabled(address: relay), at: 20))
            try expect(on == .applied(account))
            try expect(try await isDeliverable(account, in: store) == true)
            let unnamed = try await store.apply(event(.emailDisabled(address: nil), at: 30))
            try expect(unnamed == .applied(account))
            try expect(try await isDeliverable(account, in: store) == false)
        },
        Check("mail to an unverified email address is not deliverable") { store in
            var sample = SampleSignIn()
            sample.email = EmailAddress(text: relay, isVerified: false, isPrivateRelay: false)
            let account = try await store.signIn(sample).signedIn.account
            try expect(account.email?.text == relay)
            try expect(account.email?.isVerified == false)
            try expect(!account.emailDeliverable)
        },
        Check("the later of two forwarding switches counts, in any order of arrival") { store in
            let account = try await signedInWithRelay(store)
            _ = try await store.apply(event(.emailEnabled(address: relay), at: 20))
            let late = try await store.apply(event(.emailDisabled(address: relay), at: 10))
            try expect(late == .superseded(account))
            try expect(try await isDeliverable(account, in: store) == true)
        },
        Check("a forwarding switch of another email address changes nothing") { store in
            let account = try await signedInWithRelay(store)
            let other = AppleEvent.Change.emailDisabled(address: "x2@privaterelay.appleid.com")
            try expect(try await store.apply(event(other, at: 10)) == .superseded(account))
            let spelt = AppleEvent.Change.emailDisabled(address: "X1@PrivateRelay.appleid.com")
            try expect(try await store.apply(event(spelt, at: 11)) == .applied(account))
        },
        Check("a sign-in keeps the forwarding switch, and a new consent resets it") { store in
            let account = try await signedInWithRelay(store)
            _ = try await store.apply(event(.emailDisabled(address: relay), at: 10))
            var again = later(20)
            again.email = address
            try await store.signIn(again)
            try expect(try await isDeliverable(account, in: store) == false)
            _ = try await store.apply(event(.consentRevoked, at: 30))
            var back = later(40)
            back.email = address
            try await store.signIn(back)
            try expect(try await isDeliverable(account, in: store) == true)
            let late = try await store.apply(event(.emailDisabled(address: relay), at: 25))
            try expect(late == .superseded(account))
        },
    ]

    static let formerAddressChecks: [Check] = departures.map { name, leave in
        Check("a reset link to an email address removed by \(name) is refused") { store in
            let maya = try await store.create()
            _ = try await store.change(link(apple(relay), to: maya))
            let request = resetRequest(username: maya.username, address: relay, link: "reset")
            try expect(try await store.requestPasswordReset(request) == .success(1))
            let redemption = AccountChange(
                kind: .resetPassword(SecretHash(of: "reset"), hash: "new"),
                caller: nil,
                linkOwner: maya.account,
                now: start
            )
            try await leave(store, maya)
            let left = try await store.change(redemption)
            try expect(left == .failure(.linkInvalid), "\(left)")
        }
    }

    private typealias Departure = @Sendable (AccountStore, SamplePassword) async throws -> Void

    /// The events that remove an email address from an account.
    private static let departures: [(String, Departure)] = [
        ("a sign-in with another one", { store, _ in try await store.signIn(apple(other)) }),
        (
            "a link with another one",
            { store, maya in
                _ = try await store.change(link(apple(other), to: maya))
            }
        ),
        (
            "unlinking",
            { store, maya in
                let unlinking = changing(.unlinkApple("entry"), by: maya)
                _ = try await store.change(unlinking)
            }
        ),
        (
            "the deletion of the Apple Account",
            { store, _ in
                _ = try await store.apply(event(.accountDeleted, at: 10))
            }
        ),
        (
            "a change of the email address",
            { store, maya in
                _ = try await store.change(emailChange(maya, other, link: "verification"))
                _ = try await store.change(follow("verification", by: maya))
            }
        ),
    ]

    private static let other = "maya@example.com"

    private static func apple(_ address: String) -> SampleSignIn {
        var sample = SampleSignIn()
        sample.email = EmailAddress(
            text: address,
            isVerified: true,
            isPrivateRelay: address == relay
        )
        return sample
    }

    private static let address = EmailAddress(text: relay, isVerified: true, isPrivateRelay: true)

    private static func signedInWithRelay(_ store: AccountStore) async throws -> AccountID {
        let sample = SampleSignIn(email: address)
        return try await store.signIn(sample).signedIn.account.id
    }

    private static func isDeliverable(
        _ account: AccountID,
        in store: AccountStore
    ) async throws -> Bool? {
        try await store.rename(account, to: "Maya")?.emailDeliverable
    }
}
