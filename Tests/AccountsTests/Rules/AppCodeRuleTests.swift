import AccountStoreConformance
import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("The rules of an app's code") struct AppCodeRuleTests {
    private let start = SampleSignIn.start
    private let account: Account
    private let sample: SampleAppCode
    private let confirming: Session

    init() {
        account = Account(id: AccountID("a1"), username: "maya", createdAt: SampleSignIn.start)
        let before = SampleSignIn.start.addingTimeInterval(-3600)
        confirming = .sample(of: account.id, by: .apple, at: before, lasting: 7200)
        sample = SampleAppCode(confirmedBy: SignedInSession(session: confirming, account: account))
    }

    private var facts: AppCodeFacts {
        AppCodeFacts(code: sample.issue.code, account: account, confirmingSession: confirming)
    }

    @Test("create a session with the browser's sign-in time and method, and delete the code")
    func opened() throws {
        let decision = sample.redemption.decision(given: facts)
        let signedIn = try decision.answer.get()
        #expect(signedIn.session.signedInAt == confirming.signedInAt)
        #expect(signedIn.session.signInMethod == .apple)
        #expect(signedIn.session.createdAt == start)
        #expect(decision.writes.first == .removeAppCode(sample.code.hash))
        #expect(
            decision.writes.contains(
                .insertSession(signedIn.session, tokenHash: sample.session.token.hash)
            )
        )
    }

    @Test("refuse any mismatch, delete the code, and create no session")
    func refusals() {
        var gone = facts
        gone.account = nil
        var foreign = facts
        foreign.account = Account(id: AccountID("a2"), createdAt: start)
        var late = sample
        late.session.now = start.addingTimeInterval(60)
        var wrong = (verifier: sample, client: sample, address: sample)
        wrong.verifier.challenge = "another"
        wrong.client.clientID = "com.example.other"
        wrong.address.redirectURI += "/"
        var alone = facts
        alone.confirmingSession = nil
        var over = facts
        over.confirmingSession = .sample(of: account.id, lasting: 0)
        var stranger = facts
        stranger.confirmingSession = .sample(of: AccountID("a2"), lasting: 3600)
        let cases: [(SampleAppCode, AppCodeFacts, AppCodeRefusal)] = [
            (sample, gone, .unknown), (sample, foreign, .unknown), (late, facts, .expired),
            (wrong.verifier, facts, .wrongVerifier), (wrong.client, facts, .otherClient),
            (wrong.address, facts, .otherRedirectURI), (sample, alone, .sessionEnded),
            (sample, over, .sessionEnded), (sample, stranger, .sessionEnded),
        ]
        for (sample, facts, refusal) in cases {
            let decision = sample.redemption.decision(given: facts)
            #expect(decision.answer == .failure(.appCodeInvalid(refusal)))
            #expect(decision.writes == [.removeAppCode(sample.code.hash)], "\(refusal)")
        }
        let unknown = sample.redemption.decision(given: AppCodeFacts())
        #expect(unknown.answer == .failure(.appCodeInvalid(.unknown)))
        #expect(unknown.writes.isEmpty)
    }

    @Test("count only failures, and check nothing while the client is throttled")
    func throttled() {
        let key = SecretHash(of: "192.0.2.1")
        var counted = sample
        counted.throttles = [ThrottleUse(key: key, policy: .appCodeByAddress)]
        let failed = counted.redemption.decision(given: AppCodeFacts())
        guard case .putThrottle(let throttle)? = failed.writes.last else {
            Issue.record("nothing was counted")
            return
        }
        #expect(throttle.key == key && throttle.attemptCount == 1)
        let opened = counted.redemption.decision(given: facts)
        #expect(!opened.writes.contains { if case .putThrottle = $0 { true } else { false } })
        var blocked = facts
        blocked.throttles = [
            .sample(key, count: 31, blockedFor: 30, memory: 3600)
        ]
        let waiting = counted.redemption.decision(given: blocked)
        #expect(waiting.answer == .failure(.tooManyAttempts(seconds: 30)))
        #expect(waiting.writes.isEmpty)
    }

    @Test("return the same result for a repeated exchange")
    func repeated() throws {
        let first = try sample.redemption.decision(given: facts).answer.get()
        let done = AppCodeFacts(
            account: account,
            sessions: SessionFacts(completedSession: first.session)
        )
        let second = sample.redemption.decision(given: done)
        #expect(second.answer == .success(first))
        #expect(second.writes.isEmpty)
    }

    @Test("issue a code only to an active session of the account, and replace old codes")
    func issued() {
        let issue = sample.issue
        #expect(issue.decision(given: facts).answer)
        #expect(issue.decision(given: facts).writes == [.putAppCode(issue.code)])
        var crowded = facts
        crowded.waitingCount = 3
        #expect(
            issue.decision(given: crowded).writes
                == [.removeAppCodes(of: account.id), .putAppCode(issue.code)]
        )
        for session in [
            nil, Session.sample(of: account.id, lasting: 0),
            .sample(of: AccountID("a2"), lasting: 3600),
        ] {
            var facts = facts
            facts.confirmingSession = session
            #expect(!issue.decision(given: facts).answer)
            #expect(issue.decision(given: facts).writes.isEmpty)
        }
    }

    @Test("delete codes with a sign-out everywhere else, even without other sessions")
    func signedOutEverywhere() {
        for sessions in [[], [confirming]] {
            let decision = AccountRules.endOthers(
                sessions,
                of: account.id,
                owner: account,
                than: confirming.id
            )
            #expect(decision.writes.contains(.removeAppCodes(of: account.id)))
        }
    }
}
