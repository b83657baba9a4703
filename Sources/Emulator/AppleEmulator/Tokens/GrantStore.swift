import AppleIdentity
import Foundation

/// The codes and tokens that the emulator issued and stores.
struct GrantStore {
    static let maximumCodeCount = 20_000
    static let maximumTokenCount = 100_000

    var codes = BoundedTable<AuthorizationCode>(maximumCount: maximumCodeCount)
    var accessTokens = BoundedTable<IssuedAccessToken>(maximumCount: maximumTokenCount)
    var refreshTokens = BoundedTable<Grant>(maximumCount: maximumTokenCount)

    mutating func useCode(_ text: String, for tokens: [String]) {
        codes.update(text) { code in
            code.isUsed = true
            code.tokens = tokens
        }
    }

    mutating func endTokens(of code: AuthorizationCode) {
        for token in code.tokens {
            accessTokens.remove(token)
            refreshTokens.remove(token)
        }
    }

    /// Revokes the refresh tokens of a person for a client.
    mutating func endRefreshTokens(like grant: Grant) {
        refreshTokens.removeAll { $0.personID == grant.personID && $0.clientID == grant.clientID }
    }

    mutating func endRefreshTokens(of personID: PersonID) {
        refreshTokens.removeAll { $0.personID == personID }
    }

    mutating func addAccessToken(_ grant: Grant, at time: Date) -> String {
        accessTokens.add(
            IssuedAccessToken(grant: grant, issuedAt: time),
            as: TokenText.accessToken()
        )
    }

    mutating func end(personID: PersonID, group: ClientID) {
        end { $0.personID == personID && $0.group == group }
    }

    mutating func end(clientID: ClientID) { end { $0.clientID == clientID } }

    mutating func end(personID: PersonID) { end { $0.personID == personID } }

    /// Removes codes and access tokens issued after a time to which the clock was moved back.
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
