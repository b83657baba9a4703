import AppleIdentity
import CoreMetrics
import Logging
import SignInWithApple

extension AccountsService {
    /// The number of accounts in a page of transfers.
    package static let maximumTransferStateCount = 500

    /// Returns accounts that are linked to Apple, with their transfers; ``maximumTransferStateCount`` accounts, or
    /// fewer at the end.
    package func transferStates(
        after account: AccountID?
    ) async throws(AccountsError) -> [AppleTransferState] {
        try await callStore(
            await store.transferStates(after: account, maximumCount: Self.maximumTransferStateCount)
        )
    }

    /// Performs a step of a user's transfer to another team.
    package func transfer(
        _ step: AppleTransferStep,
        by administrator: String
    ) async throws(AccountsError) -> AppleTransferOutcome {
        let outcome = try await callStore(await store.transfer(step))
        if outcome == .done, case .arrive = step {
            logger.notice(
                "account migrated to this team",
                metadata: ["administrator": "\(administrator)"]
            )
        }
        return outcome
    }

    /// Migrates the account of a user whose identity token has a transfer identifier.
    ///
    /// Apple adds the identifier to every token for 60 days after the transfer. The migration comes before the sign-in
    /// looks for the account, because a user who is not migrated yet would get a second one.
    ///
    /// - Parameter check: the checked sign-in.
    /// - Throws: `store_unavailable`.
    func migrateIfTransferred(_ check: SignInCheck) async throws(AccountsError) {
        guard let identifier = check.transferred else { return }
        let step = AppleTransferStep.arrive(
            identifier: identifier,
            as: check.person.user,
            email: check.email
        )
        let outcome = try await callStore(await store.transfer(step))
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

    /// Reports a new account of a user who may already have one from before the app's transfer.
    func warnOfUnknownTransfer() {
        measures.unknownTransfers.increment()
        logger.warning(
            "a sign-in with an unknown transfer identifier created an account",
            metadata: [
                "hint": "import the identifiers of the former team: siwa users transfer import"
            ]
        )
    }
}
