/// The facts that decide a step of a transfer to another team.
package struct AppleTransferFacts: Hashable, Sendable {
    /// The account of the step's user or transfer identifier.
    package var account: Account?
    package var transfer: AppleTransfer?
    /// The account of the user's identifier at the recipient team.
    package var arrivedAccount: AccountID?
}

extension AppleTransferStep {
    /// Decides the effect of a step.
    package func decision(given facts: AppleTransferFacts) -> Decision<AppleTransferOutcome> {
        switch self {
        case .begin(let person, let identifier, let team):
            guard let account = facts.account else { return Decision(.noAccount) }
            let transfer = AppleTransfer(
                account: account.id,
                identifier: ApplePerson(issuer: person.issuer, user: identifier),
                team: team
            )
            guard transfer != facts.transfer else { return Decision(.unchanged) }
            return Decision(.done, [.putTransfer(transfer)])
        case .arrive(let identifier, let user, let email):
            let person = ApplePerson(issuer: identifier.issuer, user: user)
            return Self.arrival(of: person, email, facts)
        }
    }

    /// Migrates the account without its refresh tokens: Apple documents no use of them by the recipient team.
    private static func arrival(
        of person: ApplePerson,
        _ email: EmailAddress?,
        _ facts: AppleTransferFacts
    ) -> Decision<AppleTransferOutcome> {
        guard var account = facts.account, let link = account.apple else {
            return Decision(facts.arrivedAccount == nil ? .noAccount : .unchanged)
        }
        guard facts.arrivedAccount == nil || facts.arrivedAccount == account.id else {
            return Decision(.otherAccount)
        }
        account.apple = AppleLink(
            person: person,
            clientID: link.clientID,
            linkedAt: link.linkedAt,
            consentedAt: link.consentedAt,
            revokedAt: link.revokedAt,
            hasRefreshToken: false
        )
        account.adoptAppleEmail(email, at: nil)
        return Decision(
            .done,
            [
                .removeRefreshTokens(of: account.id), .removeTransfer(of: account.id),
                // Such a link would restore the user's identifier of the former team.
                .removeMailTokens(of: account.id, purpose: .changeUndo), .updateAccount(account),
            ]
        )
    }
}
