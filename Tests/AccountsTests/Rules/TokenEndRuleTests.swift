import AccountStoreConformance
import AppleIdentity
import Foundation
import Testing

@testable import Accounts

@Suite("The rule of a refresh token that Apple revoked") struct TokenEndRuleTests {
    private let start = SampleSignIn.start

    @Test("ends nothing when the token or account is deleted, or there is a newer token")
    func gone() {
        let end = TokenEnd(account: "a", token: "old", now: start)
        #expect(end.decision(given: nil, tokens: []).writes.isEmpty)
        #expect(end.decision(given: account(), tokens: []).writes.isEmpty)
        #expect(end.decision(given: account(), tokens: [token("new", "c")]).writes.isEmpty)
    }

    @Test("deletes the token while another client's is valid, and ends consent with the last one")
    func last() {
        let end = TokenEnd(account: "a", token: "t", now: start)
        let two = end.decision(given: account(), tokens: [token("t", "c"), token("u", "d")])
        #expect(two.writes == [.removeRefreshToken(of: "a", "c")])
        let one = end.decision(given: account(), tokens: [token("t", "c")])
        #expect(one.writes.contains(.removeSessions(of: "a", except: nil)))
        let password = end.decision(given: account(username: "maya"), tokens: [token("t", "c")])
        #expect(password.writes.contains(.removeSessions(of: "a", except: nil, openedBy: .apple)))
    }

    @Test("ends no consent that is newer than the token, with a leeway for clocks")
    func newerConsent() {
        let end = TokenEnd(account: "a", token: "t", now: start)
        let newer = account(consentedAt: start.addingTimeInterval(61))
        var known = newer
        known.apple?.hasRefreshToken = false
        #expect(
            end.decision(given: newer, tokens: [token("t", "c")]).writes
                == [.removeRefreshToken(of: "a", "c"), .updateAccount(known)]
        )
        let same = account(consentedAt: start.addingTimeInterval(60))
        let ended = end.decision(given: same, tokens: [token("t", "c")])
        #expect(ended.writes.contains(.removeSessions(of: "a", except: nil)))
    }

    @Test("ends nothing for the recipient team during a transfer")
    func transferred() {
        let transfer = AppleTransfer(
            account: "a",
            identifier: SampleSignIn().person,
            team: "OTHERTEAM1"
        )
        for (team, ends) in [("OTHERTEAM1", false), ("JUICETEAM1", true)] as [(TeamID, Bool)] {
            let end = TokenEnd(account: "a", token: "t", team: team, now: start)
            let decision = end.decision(
                given: account(),
                tokens: [token("t", "c")],
                transfer: transfer
            )
            #expect(decision.writes.isEmpty == !ends && (decision.answer == "a") == ends)
        }
    }

    private func token(_ id: RefreshTokenID, _ client: ClientID) -> RefreshToken {
        RefreshToken(id: id, clientID: client, sealedToken: "s", receivedAt: start)
    }

    private func account(username: String? = nil, consentedAt: Date? = nil) -> Account {
        let link = AppleLink.sample(clientID: "c", consentedAt: consentedAt ?? start)
        return Account(id: "a", username: username, apple: link, createdAt: start)
    }
}
