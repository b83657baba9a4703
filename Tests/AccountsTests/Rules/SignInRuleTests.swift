import AccountStoreConformance
import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("The rules of a sign-in") struct SignInRuleTests {
    private let start = SampleSignIn.start

    @Test("write nothing for a refused sign-in")
    func refusals() {
        let sample = namedSample
        let cases: [(SignInFacts, AccountsError)] = [
            (SignInFacts(isTokenUsed: true), .tokenReplayed),
            (SignInFacts(isNonceUsed: true), .nonceUsed),
            (SignInFacts(consentEndedAt: start.addingTimeInterval(1)), .consentRevoked),
        ]
        for (facts, refusal) in cases {
            let beginning = sample.check.decision(given: facts)
            #expect(beginning.answer == refusal)
            #expect(beginning.writes.isEmpty)
            let completing = sample.commit.decision(given: facts)
            #expect(completing.answer == .failure(refusal))
            #expect(completing.writes.isEmpty)
        }
    }

    @Test("accept a token of the second in which consent ended")
    func sameSecond() {
        let facts = SignInFacts(consentEndedAt: start.addingTimeInterval(0.999))
        #expect(namedSample.check.decision(given: facts).answer == nil)
    }

    @Test("store a name before the code is exchanged, but only a missing one")
    func pendingName() {
        let sample = namedSample
        let keeping = sample.check.decision(given: SignInFacts())
        #expect(keeping.writes == [.keepName("Maya", of: sample.person, at: start)])
        var unnamed = sample
        unnamed.name = nil
        #expect(unnamed.check.decision(given: SignInFacts()).writes.isEmpty)
        let named = SignInFacts(account: account(name: "Maya Lindgren"))
        #expect(sample.check.decision(given: named).writes.isEmpty)
    }

    @Test("write only the consent of an account that did not change")
    func unchanged() throws {
        let sample = namedSample
        let known = account(name: "Maya Lindgren", consentedAt: sample.check.issuedAt)
        let decision = sample.commit.decision(given: SignInFacts(account: known))
        #expect(decision.writes.allSatisfy { !$0.isAboutAccount })
        let older = account(name: "Maya Lindgren", consentedAt: start.addingTimeInterval(-60))
        let later = sample.commit.decision(given: SignInFacts(account: older))
        #expect(later.writes.filter(\.isAboutAccount).count == 1)
    }

    @Test("return the same result for a repeated commit")
    func repeated() throws {
        let sample = namedSample
        let first = sample.commit.decision(given: SignInFacts())
        let signedIn = try first.answer.get()
        let facts = SignInFacts(
            isTokenUsed: true,
            account: signedIn.account,
            sessions: SessionFacts(completedSession: signedIn.session)
        )
        let second = sample.commit.decision(given: facts)
        #expect(second.answer == first.answer)
        #expect(second.writes.isEmpty)
    }

    @Test("end the sessions beyond the maximum and the previous one, each once")
    func sessions() {
        let facts = SignInFacts(
            account: account(name: nil),
            sessions: SessionFacts(
                previousSession: .sample("b", of: "a", by: .apple, lasting: 0),
                surplusSessions: ["a", "b"]
            )
        )
        let writes = namedSample.commit.decision(given: facts).writes
        let ended = writes.compactMap { write -> SessionID? in
            guard case .removeSession(let id) = write else { return nil }
            return id
        }
        #expect(ended.sorted { $0.rawValue < $1.rawValue } == ["a", "b"])
    }

    private var namedSample: SampleSignIn { SampleSignIn(name: "Maya") }

    private func account(name: AccountName?, consentedAt: Date = SampleSignIn.start) -> Account {
        Account(
            id: "a",
            name: name,
            apple: AppleLink.sample(consentedAt: consentedAt, hasRefreshToken: false),
            createdAt: start
        )
    }
}

@Suite("The rules of an event at Apple")
struct AppleEventRuleTests {
    private let start = SampleSignIn.start

    @Test("keep sessions opened with a password, and end those opened with Apple")
    func password() {
        let known = account(username: "maya")
        let revoked = event(.consentRevoked).decision(given: AppleEventFacts(account: known))
        let ended = StoreWrite.removeSessions(of: "a", except: nil, openedBy: .apple)
        #expect(revoked.writes.contains(ended))
        #expect(revoked.writes.contains(.removeRefreshTokens(of: "a")))
        let deleted = event(.accountDeleted).decision(given: AppleEventFacts(account: known))
        #expect(deleted.writes.contains(ended))
        #expect(!deleted.writes.contains(.removeAccount("a")))
        var unlinked = known
        unlinked.apple = nil
        #expect(deleted.writes.contains(.updateAccount(unlinked)))
    }

    @Test("delete an account without a password")
    func noPassword() {
        let known = account(username: nil)
        let revoked = event(.consentRevoked).decision(given: AppleEventFacts(account: known))
        #expect(revoked.writes.contains(.removeSessions(of: "a", except: nil)))
        let deleted = event(.accountDeleted).decision(given: AppleEventFacts(account: known))
        #expect(deleted.writes.contains(.removeAccount("a")))
    }

    @Test("drop revocations queued before the event, and none after it")
    func queued() {
        let before = entry("before", at: start.addingTimeInterval(5))
        let after = entry("after", at: start.addingTimeInterval(15))
        let facts = AppleEventFacts(queuedRevocations: [before, after])
        let decision = event(.consentRevoked).decision(given: facts)
        #expect(decision.answer == .unknownPerson)
        #expect(decision.writes.contains(.removeEntries(["before"])))
    }

    @Test("remember an event that changes nothing, and write nothing for a known one")
    func remembered() {
        let late = AppleEventFacts(account: account(username: nil, consentedAt: 20))
        let superseded = event(.consentRevoked).decision(given: late)
        #expect(superseded.answer == .superseded("a"))
        #expect(superseded.writes == [.rememberEvent(event(.consentRevoked))])
        let known = AppleEventFacts(isKnown: true, account: account(username: nil))
        #expect(event(.consentRevoked).decision(given: known).writes.isEmpty)
    }

    private func event(_ change: AppleEvent.Change) -> AppleEvent {
        AccountStoreConformance.event(change, at: 10, id: "n")
    }

    private func account(username: String?, consentedAt seconds: TimeInterval = 0) -> Account {
        Account(
            id: "a",
            username: username,
            apple: AppleLink.sample(consentedAt: start.addingTimeInterval(seconds)),
            createdAt: start
        )
    }

    private func entry(_ id: OutboxID, at time: Date) -> OutboxEntry {
        let token = RefreshToken(id: "t", clientID: "c", sealedToken: "s", receivedAt: start)
        return OutboxEntry(id: id, task: .revocation(token), person: nil, createdAt: time)
    }
}

extension StoreWrite {
    fileprivate var isAboutAccount: Bool {
        switch self {
        case .insertAccount, .updateAccount, .removeAccount: true
        default: false
        }
    }
}
