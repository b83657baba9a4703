import AppleIdentity
import Foundation
import SignInWithApple

/// A refresh token whose validation at Apple is due, and its account.
package struct TokenValidation: Hashable, Sendable {
    package let account: AccountID
    package let token: RefreshToken
}

/// The end of a refresh token that Apple has revoked: the user stopped using the app, and no notification said so.
package struct TokenEnd: Hashable, Sendable {
    package let account: AccountID
    /// The revoked token; a newer one stays.
    package let token: RefreshTokenID
    /// The team as which the server validated the token.
    package var team: TeamID?
    /// The context of the audit log entry.
    package var audit: AuditContext?
    package let now: Date

    /// Decides what ends with the token.
    ///
    /// While another client's token is valid, the user still consents. The last token ends the consent like a
    /// notification would, unless the user consented again after it was received, with a sign-in without a code.
    ///
    /// Apple does not document whether the recipient team of an app can validate tokens of the former team: for a user
    /// who is not migrated yet, a refusal means nothing.
    ///
    /// - Parameters:
    ///   - account: the account; nil when it was deleted.
    ///   - tokens: its refresh tokens.
    ///   - transfer: the transfer of its user to another team, if it is not completed.
    /// - Returns: the identifier of the account if it changes, and the writes.
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
        guard tokens.count == 1 else {
            // The others were valid no later than this one, and end with the consent.
            let others = tokens.filter { $0.id != token && $0.receivedAt < ended.receivedAt }
            let writes = others.map { other in
                var other = other
                other.receivedAt = ended.receivedAt
                return StoreWrite.putRefreshToken(other, of: account.id)
            }
            return Decision(account.id, [removal] + writes)
        }
        let latest = ended.receivedAt.addingTimeInterval(TokenOutcome.clockLeeway)
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
    /// Seconds between two validations; Apple allows one a day.
    ///
    /// Source: [Verifying a user](https://developer.apple.com/documentation/signinwithapple/verifying-a-user)
    package static let validationInterval: TimeInterval = 86_400

    /// When the token is first validated: a day after the sign-in, which spreads validations over the day.
    package var firstValidation: Date { receivedAt.addingTimeInterval(Self.validationInterval) }
}
