import AccountStoreConformance
import AppleIdentity
import Foundation

@testable import Accounts

extension Session {
    /// A session whose user did everything at one time.
    static func sample(
        _ id: SessionID = "s1",
        of account: AccountID,
        by signInMethod: SignInMethod = .password,
        at time: Date = SampleSignIn.start,
        lasting seconds: TimeInterval = 60
    ) -> Session {
        Session(
            id: id,
            accountID: account,
            device: "",
            signInMethod: signInMethod,
            createdAt: time,
            signedInAt: time,
            lastUsedAt: time,
            expiresAt: time.addingTimeInterval(seconds)
        )
    }
}

extension SampleSignIn {
    /// The first sign-in of a user whom no other test knows.
    static func somebody() -> SampleSignIn { SampleSignIn(user: UserID(UUID().uuidString)) }
}

extension EmailAddress {
    /// An address that its user proved by a link.
    static func proved(_ text: String) -> EmailAddress {
        EmailAddress(text: text, isVerified: true, isPrivateRelay: false, isOwn: true)
    }
}

extension Throttle {
    /// A throttle that blocks from the start of the samples on.
    static func sample(
        _ key: SecretHash,
        count: Int,
        blockedFor seconds: TimeInterval,
        memory: TimeInterval = 86_400
    ) -> Throttle {
        Throttle(
            key: key,
            attemptCount: count,
            blockedUntil: SampleSignIn.start.addingTimeInterval(seconds),
            expiresAt: SampleSignIn.start.addingTimeInterval(memory)
        )
    }
}
