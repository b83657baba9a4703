import AppleIdentity

/// The transfer identifier of a user whose app moves to another team, until the user is migrated.
package struct AppleTransfer: Hashable, Sendable {
    package internal(set) var account: AccountID
    /// The transfer identifier, by which the recipient team finds the user.
    package internal(set) var identifier: ApplePerson
    /// The team that receives the app.
    package internal(set) var team: TeamID
}

/// A step of a user's transfer to another team.
package enum AppleTransferStep: Hashable, Sendable {
    /// Stores the transfer identifier, which the former team requested from Apple.
    case begin(ApplePerson, identifier: UserID, team: TeamID)
    /// Migrates the user to their identifier and relay address at the recipient team, as Apple reports them.
    case arrive(identifier: ApplePerson, as: UserID, email: EmailAddress?)
}

/// The result of a step.
package enum AppleTransferOutcome: String, CaseIterable, Hashable, Sendable {
    /// The account was changed.
    case done
    /// The step was already performed.
    case unchanged
    /// There is no such account: it was deleted, or its user was migrated with another identifier.
    case noAccount
    /// The user already has another account at the recipient team; neither was changed.
    case otherAccount
}

/// An account that is linked to Apple, and its user's transfer.
package struct AppleTransferState: Hashable, Sendable {
    package let account: AccountID
    /// The user at Apple, as stored in the account.
    package let person: ApplePerson
    /// The client of the latest sign-in, as which the server requests the transfer at Apple.
    package let clientID: ClientID
    /// The transfer; nil when it has not begun, or the user is migrated.
    package let transfer: AppleTransfer?
}
