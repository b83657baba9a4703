import AppleIdentity

/// The transfer identifier of a person whose app goes to another team, until they have arrived there.
package struct AppleTransfer: Hashable, Sendable {
    /// The account of the person.
    package let account: AccountID
    /// The person by their transfer identifier, with which the recipient finds them.
    package let identifier: ApplePerson
    /// The team that receives the app.
    package let team: TeamID

    package init(account: AccountID, identifier: ApplePerson, team: TeamID) {
        self.account = account
        self.identifier = identifier
        self.team = team
    }
}

/// A step of a person to another team.
package enum AppleTransferStep: Hashable, Sendable {
    /// The team that gives the app away, or what it gave the recipient, tells the identifier.
    case begin(ApplePerson, identifier: UserID, team: TeamID)
    /// Apple tells the recipient who the person is from now on, and their address when it is a relay's.
    case arrive(identifier: ApplePerson, as: UserID, email: EmailAddress?)
}

/// What came of a step.
package enum AppleTransferOutcome: String, CaseIterable, Hashable, Sendable {
    /// The account has changed.
    case done
    /// The step had been taken before.
    case unchanged
    /// Nobody has such an account: it was deleted, or its person has arrived under another identifier.
    case noAccount
    /// The person has made another account as the recipient knows them; neither was changed.
    case otherAccount
}

/// An account that an Apple identity opens, and how far its person's transfer is.
package struct AppleTransferState: Hashable, Sendable {
    package let account: AccountID
    /// The person as the account knows them.
    package let person: ApplePerson
    /// The client they signed in with last, in whose name Apple is asked about them.
    package let clientID: ClientID
    /// Their transfer; nil when none has begun, or they have arrived.
    package let transfer: AppleTransfer?

    package init(
        account: AccountID,
        person: ApplePerson,
        clientID: ClientID,
        transfer: AppleTransfer?
    ) {
        self.account = account
        self.person = person
        self.clientID = clientID
        self.transfer = transfer
    }
}
