import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("The rule of a transfer to another team") struct AppleTransferRuleTests {
    private let start = Date(timeIntervalSince1970: 1_769_000_000)
    private let person = ApplePerson(issuer: "apple", user: "old")
    private let identifier = ApplePerson(issuer: "apple", user: "between")

    private func account(_ email: EmailAddress? = nil) -> Account {
        Account(
            id: "maya",
            email: email,
            apple: AppleLink.sample(person, clientID: "c"),
            createdAt: start
        )
    }

    private func arrived(_ account: Account, email: EmailAddress? = nil) -> Account? {
        let step = AppleTransferStep.arrive(identifier: identifier, as: "new", email: email)
        let decision = step.decision(given: AppleTransferFacts(account: account))
        #expect(decision.answer == .done)
        #expect(
            decision.writes.prefix(2) == [
                .removeRefreshTokens(of: account.id), .removeTransfer(of: account.id),
            ]
        )
        guard case .updateAccount(let changed) = decision.writes.last else { return nil }
        return changed
    }

    @Test("begins once for an identifier, and again for another one")
    func beginning() {
        let transfer = AppleTransfer(account: "maya", identifier: identifier, team: "TEAM")
        let step = AppleTransferStep.begin(person, identifier: "between", team: "TEAM")
        var facts = AppleTransferFacts()
        #expect(step.decision(given: facts).answer == .noAccount)
        facts.account = account()
        #expect(step.decision(given: facts).writes == [.putTransfer(transfer)])
        facts.transfer = transfer
        #expect(step.decision(given: facts).answer == .unchanged)
        #expect(step.decision(given: facts).writes.isEmpty)
        let other = AppleTransferStep.begin(person, identifier: "between", team: "OTHER")
        #expect(other.decision(given: facts).answer == .done)
    }

    @Test("replaces only the user of the link")
    func newPerson() throws {
        let moved = arrived(account())
        let changed = try #require(moved)
        #expect(changed.apple?.person == ApplePerson(issuer: "apple", user: "new"))
        var expected = account()
        expected.apple = changed.apple
        #expect(changed == expected)
        #expect(changed.apple?.linkedAt == start && changed.apple?.clientID == "c")
        #expect(changed.apple?.hasRefreshToken == false)
    }

    @Test("takes a relay address, and keeps an email address that the user verified here")
    func address() throws {
        let relay = EmailAddress(text: "new@relay", isVerified: true, isPrivateRelay: true)
        let old = EmailAddress(text: "old@relay", isVerified: true, isPrivateRelay: true)
        #expect(arrived(account(old), email: relay)?.email == relay)
        #expect(arrived(account(old))?.email == old)
        let own = EmailAddress.proved("maya@example.com")
        #expect(arrived(account(own), email: relay)?.email == own)
    }

    @Test("changes nothing when the user already has another account")
    func otherAccount() {
        let step = AppleTransferStep.arrive(identifier: identifier, as: "new", email: nil)
        let facts = AppleTransferFacts(account: account(), arrivedAccount: "second")
        #expect(step.decision(given: facts).answer == .otherAccount)
        #expect(step.decision(given: facts).writes.isEmpty)
        let done = AppleTransferFacts(arrivedAccount: "maya")
        #expect(step.decision(given: done).answer == .unchanged)
    }
}
