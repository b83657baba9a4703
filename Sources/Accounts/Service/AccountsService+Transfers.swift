import AppleIdentity
import Logging
import SignInWithApple

extension AccountsService {
    /// How many accounts a page of transfers has.
    package static let maximumTransferStateCount = 500

    /// Lists the accounts that an Apple identity opens, and how far each one's transfer is; returns at most
    /// ``maximumTransferStateCount`` accounts; fewer at the end.
    package func transferStates(
        after account: AccountID?
    ) async throws(AccountsError) -> [AppleTransferState] {
        try await asking(
            await store.transferStates(after: account, maximumCount: Self.maximumTransferStateCount)
        )
    }

    /// Takes a step of a person to another team.
    package func transfer(
        _ step: AppleTransferStep,
        by administrator: String
    ) async throws(AccountsError) -> AppleTransferOutcome {
        let outcome = try await asking(await store.transfer(step))
        if outcome == .done, case .arrive = step {
            logger.notice(
                "account migrated to this team",
                metadata: ["administrator": "\(administrator)"]
            )
        }
        return outcome
    }

    /// Has a person arrive whose identity token tells their transfer identifier.
    ///
    /// Apple puts it into every token for 60 days after the transfer. It is taken before the sign-in looks for
    /// the account, so that nobody who comes before their turn makes a second one.
    ///
    /// - Parameter identity: what Apple tells.
    /// - Throws: `store_unavailable`.
    func arrive(_ identity: VerifiedIdentity) async throws(AccountsError) {
        guard let identifier = identity.transferUser else { return }
        let step = AppleTransferStep.arrive(
            identifier: ApplePerson(issuer: identity.issuer, user: identifier),
            as: identity.user,
            email: EmailAddress(identity)
        )
        let outcome = try await asking(await store.transfer(step))
        switch outcome {
        case .done: logger.notice("account migrated to this team by a sign-in")
        case .otherAccount:
            logger.warning(
                "a user has one account from before the transfer and another one from after it",
                metadata: ["hint": "siwa users transfer import lists both"]
            )
        case .unchanged, .noAccount: break
        }
    }
}
