import AccountStoreConformance
import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("The rule of the email address of a sign-in") struct SignInAddressRuleTests {
    private static let own = address("a@example.com")
    private static let otherOwn = address("b@example.com")
    private static let hidden = address("x1@privaterelay.appleid.com", isRelay: true)
    private static let otherHidden = address("x2@privaterelay.appleid.com", isRelay: true)
    private static let unconfirmed = address("a@example.com", isVerified: false)
    private static let proved = EmailAddress.proved("own@example.com")

    @Test(
        "keeps a verified own address instead of a relay address, and otherwise takes the latest",
        arguments: [
            (own, hidden, own), (hidden, own, own), (own, otherOwn, otherOwn),
            (hidden, otherHidden, otherHidden), (unconfirmed, hidden, hidden),
            (own, nil, own), (nil, hidden, hidden), (proved, hidden, proved), (proved, own, proved),
        ] as [(EmailAddress?, EmailAddress?, EmailAddress?)]
    )
    func latest(known: EmailAddress?, told: EmailAddress?, expected: EmailAddress?) throws {
        let sample = SampleSignIn(email: told)
        let account = Account(
            id: "a",
            email: known,
            apple: AppleLink.sample(clientID: "com.example.smoothie"),
            createdAt: sample.now
        )
        let decision = sample.commit.decision(given: SignInFacts(account: account))
        let found = try decision.answer.get()
        #expect(found.account.email == expected)
    }

    private static func address(
        _ text: String,
        isVerified: Bool = true,
        isRelay: Bool = false
    ) -> EmailAddress {
        EmailAddress(text: text, isVerified: isVerified, isPrivateRelay: isRelay)
    }
}
