import AppleIdentity
import Foundation

/// A refresh token that is due to be validated at Apple, and whose it is.
package struct TokenValidation: Hashable, Sendable {
    package let account: AccountID
    package let token: RefreshToken

    package init(account: AccountID, token: RefreshToken) {
        self.account = account
        self.token = token
    }
}

/// Apple does not honour a refresh token any more: the person has stopped using the app, and no notification
/// told of it.
package struct TokenEnd: Hashable, Sendable {
    /// Seconds by which Apple's clock, which tells of consent, may be ahead of the one that tells of tokens.
    static let clockLeeway: TimeInterval = 60

    package let account: AccountID
    /// Which one; another one that came meanwhile stays.
    package let token: RefreshTokenID
    /// The team in whose name Apple was asked.
    package let team: TeamID?
    /// What the audit log is told.
    package var audit: AuditContext?
    package let now: Date

    package init(
        account: AccountID,
        token: RefreshTokenID,
        askedBy team: TeamID? = nil,
        now: Date
    ) {
        self.account = account
        self.token = token
        self.team = team
        self.now = now.inWholeMicroseconds
    }

    /// Decides what ends with the token.
    ///
    /// While another client's token is good, the person still agrees. With the last one consent has ended, as if
    /// Apple had told of it, unless the person has agreed again since the token came, by a sign-in without a code.
    ///
    /// Apple may refuse the tokens of the former team to the one that has received the app, and documents neither: of a
    /// person who has not arrived there yet, a refusal tells nothing.
    ///
    /// - Parameters:
    ///   - account: the account, if it is there.
    ///   - tokens: its refresh tokens.
    ///   - transfer: the transfer of its person to another team, if they are on their way.
    /// - Returns: the account when it has changed.
    package func decision(
        given account: Account?,
        tokens: [RefreshToken],
        transfer: AppleTransfer? = nil
    ) -> Decision<AccountID?> {
        if let transfer, transfer.team == team { return Decision(nil) }
        guard let account, let ended = tokens.first(where: { $0.id == token }) else {
            return Decision(nil)
        }
        let removal = StoreWrite.removeRefreshToken(of: account.id, ended.clientID)
        guard tokens.count == 1 else { return Decision(account.id, [removal]) }
        let latest = ended.receivedAt.addingTimeInterval(Self.clockLeeway)
        if let consentedAt = account.apple?.consentedAt, consentedAt > latest {
            var account = account
            account.apple?.hasRefreshToken = false
            return Decision(account.id, [removal, .updateAccount(account)])
        }
        return Decision(
            account.id,
            account.consentEnded(at: now) + audit.writes(.consentEnded, of: account.id)
        )
    }
}

extension RefreshToken {
    /// Seconds between two validations; Apple asks for no more than one a day.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user)
    package static let validationInterval: TimeInterval = 86_400

    /// When the token is validated first: sign-ins are spread over the day, and so are their validations.
    package var firstValidation: Date { receivedAt.addingTimeInterval(Self.validationInterval) }
}
