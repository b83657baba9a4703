import AppleIdentity
import Foundation

/// Every code and token that Apple gave out and still knows.
struct GrantStore {
    /// How many codes are known at a time.
    static let maximumCodeCount = 20_000
    /// How many tokens of each kind are known at a time.
    static let maximumTokenCount = 100_000

    var codes = BoundedTable<AuthorizationCode>(maximumCount: maximumCodeCount)
    var accessTokens = BoundedTable<AccessToken>(maximumCount: maximumTokenCount)
    var refreshTokens = BoundedTable<Grant>(maximumCount: maximumTokenCount)

    mutating func useCode(_ text: String, for tokens: [String]) {
        codes.update(text) { code in
            code.isUsed = true
            code.tokens = tokens
        }
    }

    /// Ends the tokens that a code was exchanged for.
    mutating func endTokens(of code: AuthorizationCode) {
        for token in code.tokens {
            accessTokens.remove(token)
            refreshTokens.remove(token)
        }
    }

    /// Ends the refresh tokens that a person gave a client.
    mutating func endRefreshTokens(like grant: Grant) {
        refreshTokens.removeAll {
            $0.personID == grant.personID && $0.clientID == grant.clientID
        }
    }

    /// Ends the refresh tokens that a person gave anybody.
    mutating func endRefreshTokens(of personID: PersonID) {
        refreshTokens.removeAll { $0.personID == personID }
    }

    mutating func addAccessToken(_ grant: Grant, at time: Date, _ tag: WorldTag?) -> String {
        accessTokens.add(AccessToken(grant: grant, issuedAt: time), as: TokenText.accessToken(tag))
    }

    /// Ends all that a person gave an app group.
    mutating func end(personID: PersonID, group: ClientID) {
        end { $0.personID == personID && $0.group == group }
    }

    /// Ends all that a person gave anybody.
    mutating func end(personID: PersonID) {
        end { $0.personID == personID }
    }

    /// Forgets codes and access tokens made after a time, which the clock was moved back to.
    mutating func forget(after time: Date) {
        codes.removeAll { $0.issuedAt > time }
        accessTokens.removeAll { $0.issuedAt > time }
    }

    mutating func changeGrants(_ change: (inout Grant) -> Void) {
        codes.updateAll { change(&$0.grant) }
        accessTokens.updateAll { change(&$0.grant) }
        refreshTokens.updateAll(change)
    }

    private mutating func end(_ isEnding: (Grant) -> Bool) {
        codes.removeAll { isEnding($0.grant) }
        accessTokens.removeAll { isEnding($0.grant) }
        refreshTokens.removeAll(where: isEnding)
    }
}
